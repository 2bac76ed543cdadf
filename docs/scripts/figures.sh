#!/bin/bash
# Every figure of the pages that a computer measures, from the project's folder, with nothing else running:
#   docs/scripts/figures.sh [PART...]
# PART is one of those below; all of them take four hours on two cores. What a part prints goes to out/figures/PART.txt,
# under the date, the commit and the machine; a part whose file is complete is not run again: delete it to repeat it.
# OUTFLANK_DATA names the folder of data that is not in the repository (docs/training.md).
# Matches and training are not repeated here: their commands stand beside their figures. Only those of Gomoku are parts
# too, which run when they are named: gomoku_matches (an hour and a half; OLD names a program of another version),
# gomoku_speed (a minute; OLD_THINK is the example `think` of that version) and gomoku_rival (half an hour; RIVAL is the
# command of another program that speaks the Gomocup protocol).
set -euo pipefail
data=${OUTFLANK_DATA:-../shared/data}
out=${OUT:-out/figures}
program=target/release/outflank

endgame() { docs/scripts/endgame-proof.sh; } # docs/endgame.md, docs/comparison.md
estimates() {                                # docs/search.md, docs/comparison.md
    cargo build --release --quiet --package outflank-othello-engine --example midgame
    for depth in 12 13 14 15; do
        target/release/examples/midgame accuracy "$data/suites/hard-25.obf" --count 311 --depth "$depth"
    done
    $program train evaluate "$data/wthor" --validation --depths 8..13 --positions 2000
}
cost() { $program train speed --repeat 25; }                # docs/training.md
humans() { $program train humans --games 200 --seed 4242; } # docs/training.md
books() {                                                   # docs/book.md
    cargo run --release --quiet --package outflank-study --example book_size -- 10000000 "$out/large.ofb"
    rm "$out/large.ofb"
}
games() { # docs/games.md
    cargo test --release --quiet --package outflank-database --test real -- --ignored --nocapture
}
gomoku() { # docs/gomoku.md
    cargo test --release --quiet --package outflank-gomoku -- --ignored --nocapture --test-threads 1
    cargo test --release --quiet --package outflank-gomoku-engine --test soundness --test problems -- \
        --ignored --nocapture --test-threads 1
    $program bench --game gomoku
    python3 -m venv "$out/gomoku"
    "$out/gomoku/bin/pip" install --quiet renju
    "$out/gomoku/bin/python" docs/scripts/gomoku_referee.py "$program"
    "$out/gomoku/bin/python" docs/scripts/gomoku_soak.py "$program" --games 500
}
gomoku_matches() { # docs/gomoku.md
    for rule in freestyle standard renju caro; do
        games=$([ $rule = freestyle ] && echo 400 || echo 200)
        $program match --game gomoku --rule $rule clock "external: ${OLD:?names a program} gomocup --no-book" \
            --move-time 0.5 --games "$games" -j 2 --out "$out/gomoku-$rule" --resume
    done
}
gomoku_speed() { # docs/gomoku.md
    cargo build --release --quiet --package outflank-gomoku-engine --example think
    docs/scripts/gomoku_speed.py target/release/examples/think "${OLD_THINK:?names the example of another version}"
}
gomoku_rival() { # docs/gomoku.md
    $program match --game gomoku clock "external: ${RIVAL:?is a command}" --move-time 1 --games 100 -j 2 \
        --out "$out/gomoku-rival" --resume
}
arrival() { # docs/play.md
    ls -l "$program"
    docs/scripts/first-line.py "$program"
}
page() { # docs/web.md
    cargo xtask web site
    (
        export OUTFLANK_BIN=$PWD/$program
        cd web
        npm ci --silent
        npm run measure
        npm run tasks
        npm run tasks -- static
    )
    cargo test --release --quiet --package outflank-server --test sessions -- --ignored --nocapture
}
python() { # python/docs/reference/speed.md
    python3 -m venv "$out/environment"
    "$out/environment/bin/pip" install --quiet ./python numpy
    "$out/environment/bin/python" -P python/benchmarks/comparison.py
}

# Runs a part alone, as the loop below asks, so that its first failure ends it.
if [ "${1-}" = --alone ]; then
    "$2"
    exit
fi
cargo build --release --quiet --package outflank-cli
mkdir -p "$out"
for part in ${*:-endgame estimates cost humans books games gomoku arrival page python}; do
    if [ "$(type -t "$part")" != function ]; then
        echo "figures.sh: no part $part" >&2
        exit 2
    fi
    [ -e "$out/$part.txt" ] && continue
    echo "figures.sh: $part ..." >&2
    changes=$(git diff --quiet HEAD || echo ' with changes')
    processor=$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)
    echo "$part, $(date +%F), commit $(git rev-parse --short HEAD)$changes, $(nproc) cores, $processor, load $(cut -d ' ' -f 1 /proc/loadavg)" >"$out/$part.new"
    if ! "$0" --alone "$part" >>"$out/$part.new" 2>&1; then
        echo "figures.sh: $part failed: $out/$part.new" >&2
        exit 1
    fi
    mv "$out/$part.new" "$out/$part.txt"
done
