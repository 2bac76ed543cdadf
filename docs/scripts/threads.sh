#!/bin/sh
# Wall-clock speed-up of two threads on FFO 40-44: docs/scripts/threads.sh SUITE [ROUNDS]
# SUITE is the example `suite`. Within a round one and two threads take turns at every position, because on a shared
# machine the clock rate changes from second to second.
set -eu
suite=$1
for round in $(seq "${2:-5}"); do
    for line in 1 2 3 4 5; do
        for threads in 1 2; do
            echo "$threads $("$suite" --quiet --lines "$line-$line" --threads "$threads" data/fforum-40-59.obf)"
        done
    done | awk '
        { gsub(",", ""); nodes[$1] += $6; wall[$1] += $8; cpu[$1] += $10 }
        END {
            printf "one thread %d nodes, %.2f s; two %d nodes, %.2f s: speed-up %.2f, nodes %.3f, cores busy %.2f\n",
                nodes[1], wall[1], nodes[2], wall[2], wall[1] / wall[2], nodes[2] / nodes[1], cpu[2] / wall[2]
        }'
done
