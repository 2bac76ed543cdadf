#!/bin/bash
# The training run behind the embedded weights, on a machine with a graphics card: positions, labels and fits in stages.
#
# Usage: tools/gpu/train.sh OUTFLANK LABEL DATA ROUND0 OUT [SCALE]
#   OUTFLANK  the program; LABEL the labeling program built from label.cu; DATA the folder of game records;
#   ROUND0    weights of round 0 (docs/training.md); OUT a folder for everything; SCALE positions a chunk (default 200000).
# Every label depends on positions and weights alone and every fit on its samples alone, so the run repeats itself,
# unless a time limit (LIMIT_A to LIMIT_D, seconds) cuts a stage short on a slower machine.
set -u
outflank=$1 label=$2 data=$3 round0=$4 out=$5 scale=${6:-200000}
started=$(date +%s)
say() { echo "[$(($(date +%s) - started)) s] $*"; }
mkdir -p "$out/positions" "$out/labels"

# positions NAME EMPTIES SELF GAMES: chunks of self-play and of games with deviations, a thread for each.
positions() {
    "$outflank" train generate "$out/positions/$1-self" --unlabeled --empties $2 --seed 11 --per-chunk "$scale" --chunks $3 --threads $3 --weights "$round0" > /dev/null &
    "$outflank" train generate "$out/positions/$1-games" --unlabeled --empties $2 --seed 12 --per-chunk "$scale" --chunks $4 --threads $4 --weights "$round0" --wthor "$data/wthor" --games "$data/games/eothello.csv" --games "$data/games/PLAYOK_2023.wtb" > /dev/null &
}

# labels NAME TO WEIGHTS EXACT DEPTH LIMIT: labels the chunks of NAME into the folder TO, in turns of both kinds.
labels() {
    "$outflank" train tables "$out/tables.bin" --weights "$3"
    mkdir -p "$out/labels/$2"
    local files=() chunk kind
    for i in $(seq 0 99); do
        chunk=$(printf 'chunk-%05d.samples' "$i")
        for kind in games self; do
            [ -f "$out/positions/$1-$kind/$chunk" ] && files+=("$out/positions/$1-$kind/$chunk" "$out/labels/$2/$kind-$chunk")
        done
    done
    timeout "$6" "$label" "$out/tables.bin" "$4" "$5" "${files[@]}" | sed "s|$out/||"
}

# fit NAME EPOCHS SAMPLES...: writes NAME.weights and measures them.
fit() {
    local name=$1 epochs=$2
    shift 2
    "$outflank" train fit "$@" --output "$out/$name.weights" --report "$out/$name.json" --epochs "$epochs" --threads 7 ${FIT_OPTIONS:-} | tail -2
    "$outflank" train evaluate "$data/wthor" --validation --weights "$out/$name.weights" --json
    say "$name fitted"
}

positions a 5..13 6 10
positions b 14..26 6 10
positions c 27..57 6 10
wait
"$outflank" train samples --theoretical "$data/wthor" --output "$out/theory.samples" > /dev/null
"$outflank" train samples --exact "$data/exact/exact-1-14.bin" --output "$out/exact.samples" > /dev/null
"$outflank" train samples --wthor "$data/wthor" --games "$data/games/eothello.csv" --games "$data/games/PLAYOK_2023.wtb" --empties 14..56 --output "$out/results.samples" > /dev/null
say "positions ready"
known="$out/theory.samples $out/exact.samples"

labels a a "$round0" 13 1 "${LIMIT_A:-95}"
say "stage a labeled"
fit r1 3 $known "$out/labels/a" "$out/results.samples"
labels b b "$out/r1.weights" 13 6 "${LIMIT_B:-60}"
say "stage b labeled"
fit r2 3 $known "$out/labels/a" "$out/labels/b" "$out/results.samples"
labels c c "$out/r2.weights" 13 6 "${LIMIT_C:-60}"
say "stage c labeled"
fit r3 4 $known "$out/labels/a" "$out/labels/b" "$out/labels/c"
labels b b2 "$out/r3.weights" 13 "${DEPTH_B2:-8}" "${LIMIT_B2:-75}"
labels c c2 "$out/r3.weights" 13 6 "${LIMIT_C2:-60}"
say "second labels"
# Later labels first: where a position occurs twice, its first label counts.
all="$known $out/labels/a $out/labels/b2 $out/labels/c2 $out/labels/b $out/labels/c"
epochs=${EPOCHS:-12}
fit r4 "$epochs" $all &
FIT_OPTIONS="--ridge 20" fit r4-ridge20 "$epochs" $all &
FIT_OPTIONS="--share 0.25" fit r4-quarter "$epochs" $all &
FIT_OPTIONS="--share 0.0625" fit r4-sixteenth "$epochs" $all &
wait
