#!/bin/sh
# Every figure of docs/endgame.md, from the project's folder, on a quiet machine (an hour on two cores; each part can be
# run alone by its number: docs/scripts/endgame-proof.sh 2 5). OUTFLANK_DATA names the folder with the larger suites.
set -eu
DATA=${OUTFLANK_DATA:-../shared/data}
OUT=${OUT:-target/endgame-proof}
mkdir -p "$OUT"
cargo build --release -q -p outflank-cli -p outflank-othello-engine -p outflank-study --bins --examples
SUITE=target/release/examples/suite
PARTS=${*:-1 2 3 4 5 6 7 8}
for part in $PARTS; do
    case $part in
    1) echo "== 1. values of the suites"
        $SUITE --quiet --all-moves data/fforum-1-19.obf data/fforum-20-39.obf
        $SUITE --quiet --lines 1-10 data/fforum-40-59.obf
        $SUITE --quiet data/puzzles_182.obf data/exact_18_26_180.obf "$DATA/suites/hard-20.obf"
        $SUITE --quiet "$DATA/suites/random-20.txt" "$DATA/suites/last-6.txt" ;;
    2) echo "== 2. nodes and speed, one thread: FFO 20-39, hard-20, FFO 40-44; learned, then hand-made evaluation"
        for evaluation in "" --hand-made; do
            $SUITE --quiet $evaluation data/fforum-20-39.obf
            $SUITE --quiet $evaluation "$DATA/suites/hard-20.obf"
            $SUITE $evaluation --lines 1-5 data/fforum-40-59.obf
        done ;;
    3) echo "== 3. the same for x86-64-v2, the lowest level that is released, interleaved"
        RUSTFLAGS="-C target-cpu=x86-64-v2" cargo build --release -q -p outflank-othello-engine --example suite \
            --target-dir target/portable
        for round in 1 2 3; do
            $SUITE --quiet --lines 1-5 data/fforum-40-59.obf
            target/portable/release/examples/suite --quiet --lines 1-5 data/fforum-40-59.obf
        done ;;
    4) echo "== 4. two threads: seven interleaved runs of FFO 40-44"
        docs/scripts/threads.sh $SUITE 7 ;;
    5) echo "== 5. ablation"
        target/release/examples/ablation 16:30 20:30 23:30 | tee "$OUT/ablation.txt" ;;
    6) echo "== 6. growth from 14 to 26 empties"
        target/release/outflank solve data/fforum-1-19.obf data/fforum-20-39.obf data/exact_18_26_180.obf \
            --json > "$OUT/growth.jsonl"
        target/release/examples/growth "$OUT/growth.svg" "$OUT/growth.jsonl" ;;
    7) echo "== 7. all solved positions, minimax, the textbook, threads and tables, stops"
        cargo test --release -q -p outflank-othello-engine -- --ignored --nocapture --test-threads 1 ;;
    8) echo "== 8. ten kills in a batch of 10,000"
        cargo test --release -q -p outflank-cli --test solve -- --ignored ;;
    esac
done
