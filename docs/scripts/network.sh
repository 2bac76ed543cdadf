#!/bin/bash
# The network on top of the pattern weights, from game records, on two cores: positions, labels and fits in turns.
#
# Usage: docs/scripts/network.sh OUTFLANK DATA OUT
#   OUTFLANK  the program; DATA the folder of game records; OUT a folder for everything, with the pattern weights that
#   the network goes on top of in OUT/linear.weights (the program's own are in commit 31af4d1,
#   crates/eval/weights/default.weights). It can be used again: what is there already is not done again.
# Every label depends on positions and weights alone and every fit on its samples alone, so the run repeats itself.
set -eu
outflank=$1 data=$2 out=$3
mkdir -p "$out"
games=(--wthor "$data/wthor" --games "$data/games/eothello.csv" --games "$data/games/PLAYOK_2023.wtb")

# positions NAME OPTIONS...: chunks of labeled positions in the folder NAME.
positions() {
    local name=$1
    shift
    [ -f "$out/$name.done" ] || "$outflank" train generate "$out/$name" --resume --threads 2 "$@"
    touch "$out/$name.done"
}

# searches NAME EMPTIES DEPTH OPTIONS...: positions of the games, labeled by searches of DEPTH discs and of one more.
searches() {
    local name=$1 empties=$2 depth=$3
    shift 3
    positions "$name" "${games[@]}" --empties "$empties" --exact 10 --depth "$depth" --both-parities "$@"
}

# fit NAME SAMPLES...: a network called NAME.
fit() {
    local name=$1
    shift
    [ -f "$out/$name.weights" ] || "$outflank" train network "$@" --epochs 3 --dropout 0 --exclude "$out/valid.samples" --output "$out/$name.weights"
}

for name in leaves-7-19 natural-7-19 deviated-7-19 selfplay-8-14 exact-1-14; do
    [ -f "$out/$name.samples" ] || "$outflank" train samples --exact "$data/exact/$name.bin" --output "$out/$name.samples"
done
[ -f "$out/theory.samples" ] || "$outflank" train samples --theoretical "$data/wthor" --output "$out/theory.samples"
[ -f "$out/valid.samples" ] || "$outflank" train samples --theoretical "$data/wthor" --validation --output "$out/valid.samples"
known=("$out/leaves-7-19.samples" "$out/natural-7-19.samples" "$out/deviated-7-19.samples"
    "$out/selfplay-8-14.samples" "$out/exact-1-14.samples" "$out/theory.samples")
# Positions to validate with: games of years that nothing is fitted to.
later=()
for year in 2010 2011 2012 2013 2014; do
    later+=(--games "$data/wthor/WTH_$year.wtb")
done
linear=$out/linear.weights
positions valid-games "${later[@]}" --empties 13..19 --exact 20 --chunks 1 --per-chunk 6000 --seed 5 --weights "$linear"

# First network: exact values, and the theoretical scores at 24 empties.
positions x1 "${games[@]}" --empties 11..16 --exact 20 --chunks 8 --per-chunk 10000 --seed 101 --weights "$linear"
positions x2 "${games[@]}" --empties 17..20 --exact 20 --chunks 2 --per-chunk 1000 --seed 103 --weights "$linear"
fit n1 "${known[@]}" "$out/x1" "$out/x2" --exclude "$out/valid-games" --weights "$linear"

# Second: more exact values, the ends of the first one's best lines solved, and searches down to what was solved.
positions x3 "${games[@]}" --empties 10..15 --exact 20 --chunks 29 --per-chunk 10000 --seed 111 --weights "$linear"
positions leaves "${games[@]}" --leaves --empties 9..17 --exact 20 --chunks 19 --per-chunk 2000 --seed 121 --weights "$out/n1.weights"
searches searched 19..26 6 --chunks 30 --per-chunk 2000 --seed 131 --weights "$out/n1.weights"
positions valid-leaves "${later[@]}" --leaves --empties 9..16 --exact 20 --chunks 1 --per-chunk 3000 --seed 7 --weights "$out/n1.weights"
second=("$out/x1" "$out/x2" "$out/x3" "$out/leaves" "$out/searched")
held=(--exclude "$out/valid-games" --exclude "$out/valid-leaves" --weights "$linear")
fit n2 "${known[@]}" "${second[@]}" "${held[@]}"

# Third: down to 5 empties, and ten times as many ends of best lines, of the second one.
positions leaves2 "${games[@]}" --leaves --empties 5..13 --exact 20 --chunks 250 --per-chunk 2000 --seed 221 --weights "$out/n2.weights"
positions x4 "${games[@]}" --empties 5..12 --exact 20 --chunks 200 --per-chunk 10000 --seed 231 --weights "$linear"
positions x5 "${games[@]}" --empties 13..15 --exact 20 --chunks 40 --per-chunk 10000 --seed 233 --weights "$linear"
third=("$out/leaves2" "$out/x4" "$out/x5")
fit n3 "${known[@]}" "${second[@]}" "${third[@]}" "${held[@]}"

# Fourth: positions that decide something in searches of the third.
positions visited6 "${games[@]}" --visited --empties 5..16 --exact 20 --chunks 50 --per-chunk 2000 --seed 321 --weights "$out/n3.weights"
positions visited7 "${games[@]}" --visited --empties 5..13 --exact 20 --chunks 250 --per-chunk 2000 --seed 421 --weights "$out/n3.weights"
positions x7 "${games[@]}" --empties 7..13 --exact 20 --chunks 600 --per-chunk 10000 --seed 241 --weights "$linear"
fourth=("$out/visited6" "$out/visited7" "$out/x7")
unseen=("${held[@]}" --exclude "$data/suites")
fit n4 "${known[@]}" "${second[@]}" "${third[@]}" "${fourth[@]}" "${unseen[@]}"

# Fifth: from 20 empties up to the opening, in three steps, each labeled by searches that end where a network knows the
# board already; and more exact values at 13 to 18 empties.
searches s1 20..33 6 --chunks 24 --per-chunk 5000 --seed 521 --weights "$out/n4.weights"
searches s2 20..33 4 --chunks 100 --per-chunk 10000 --seed 523 --weights "$out/n4.weights"
positions x8 "${games[@]}" --empties 16..18 --exact 20 --chunks 12 --per-chunk 5000 --seed 251 --weights "$linear"
to_opening=("$out/leaves-7-19.samples" "$out/natural-7-19.samples" "$out/deviated-7-19.samples" "$out/theory.samples"
    "$out/x2" "$out/x5" "$out/x8" "$out/searched" "$out/s1" "$out/s2")
fit m5 "${to_opening[@]}" "${unseen[@]}"
searches s3 34..40 6 --chunks 10 --per-chunk 5000 --seed 531 --weights "$out/m5.weights"
searches s4 34..40 4 --chunks 15 --per-chunk 10000 --seed 533 --weights "$out/m5.weights"
fit m6 "${to_opening[@]}" "$out/s3" "$out/s4" "${unseen[@]}"
searches s5 41..54 4 --chunks 40 --per-chunk 10000 --seed 541 --weights "$out/m6.weights"
positions x9 "${games[@]}" --empties 13..16 --exact 20 --chunks 30 --per-chunk 10000 --seed 253 --weights "$linear"
fit n7 "${known[@]}" "${second[@]}" "${third[@]}" "${fourth[@]}" "$out/x8" "$out/x9" \
    "$out/s1" "$out/s2" "$out/s3" "$out/s4" "$out/s5" "${unseen[@]}"

# Eighth: the seventh goes on with more positions of the whole game, even about positions of games and about those after a
# random move.
positions x10 "${games[@]}" --empties 13..15 --exact 20 --chunks 40 --per-chunk 10000 --seed 261 --weights "$linear"
positions x11 "${games[@]}" --empties 16..18 --exact 20 --chunks 60 --per-chunk 1500 --seed 263 --weights "$linear"
positions x12 "${games[@]}" --empties 5..12 --exact 20 --chunks 40 --per-chunk 10000 --seed 265 --weights "$linear"
searches s6 20..33 4 --chunks 60 --per-chunk 10000 --seed 269 --weights "$out/n7.weights"
searches s7 34..54 4 --chunks 40 --per-chunk 10000 --seed 271 --weights "$out/n7.weights"
[ -f "$out/n8.weights" ] || "$outflank" train network "$out/selfplay-8-14.samples" "$out/exact-1-14.samples" "$out/theory.samples" \
    "$out/x10" "$out/x11" "$out/x12" "$out/s6" "$out/s7" "$out/leaves-7-19.samples" \
    --even "$out/natural-7-19.samples" --even "$out/deviated-7-19.samples" --pull 18 \
    --init "$out/n7.weights" --rate 0.01 --epochs 2 --dropout 0 \
    --exclude "$out/valid.samples" --exclude "$out/valid-games" --exclude "$data/suites" \
    --weights "$linear" --output "$out/n8.weights"
"$outflank" train probcut "$out/n8.probcut" --weights "$out/n8.weights" --positions 8400 --solved 4800 --seed 5
for file in "$out/valid.samples" "$out/valid-games/chunk-00000.samples" "$out/valid-leaves/chunk-00000.samples"; do
    "$outflank" train evaluate "$file" --weights "$out/n8.weights"
done
for name in leaves-7-19 natural-7-19 deviated-7-19; do
    "$outflank" train evaluate --validation "$out/$name.samples" --weights "$out/n8.weights"
done
