#!/bin/sh
# Makes the opening book that is inside the program, from the project's folder: positions of games to 2009, everything in
# the first moves, and the lines that follow from them. Can be stopped and started again at any moment.
#
#   WTHOR=FOLDER BOOK=FILE DEPTH=10 MAIN=16 POSITIONS=40000 THREADS=2 OUTFLANK=PROGRAM docs/scripts/starter-book.sh
#
# The result depends on these (but for THREADS), the games and the evaluation alone: `outflank book stats` prints its digest.
set -eu
WTHOR=${WTHOR:-${OUTFLANK_DATA:-../shared/data}/wthor}
BOOK=${BOOK:-target/starter.ofb}
DEPTH=${DEPTH:-10}
MAIN=${MAIN:-16}
AGAIN=${AGAIN:-2000}
POSITIONS=${POSITIONS:-40000}
EVERY=${EVERY:-10}
PLIES=${PLIES:-35}
THREADS=${THREADS:-2}
GAMES=${GAMES:-10}
OUTFLANK=${OUTFLANK:-target/release/outflank}
STEP=$BOOK.step

step() { # NUMBER COMMAND...: each step once; one that was begun goes on.
    number=$1
    shift
    done=$(cat "$STEP" 2>/dev/null || echo 0)
    if [ "$done" -ge "$number" ]; then return; fi
    echo "== $*"
    if [ -e "$BOOK.log" ]; then "$@" --resume; else "$@"; fi
    echo "$number" >"$STEP"
}

if [ ! -e "$BOOK" ]; then "$OUTFLANK" book new "$BOOK" --depth "$DEPTH" --window 6 --hash 16; fi
games=$(ls "$WTHOR"/WTH_19*.wtb "$WTHOR"/WTH_200*.wtb)
learn="--threads $THREADS"
# Positions before ply N have at most N + 4 discs.
# shellcheck disable=SC2086
step 1 "$OUTFLANK" book from-games "$BOOK" $games --min-games "$GAMES" --until $((PLIES + 4)) --evaluate $learn
# shellcheck disable=SC2086
step 2 "$OUTFLANK" book expand "$BOOK" --positions "$POSITIONS" --every "$EVERY" --loss 4 --total 6 --until 28 $learn
# The lines that lose little are looked at again, deeper: those are the ones that are played.
# shellcheck disable=SC2086
step 3 "$OUTFLANK" book verify "$BOOK" --depth "$MAIN" --loss 2 --total 4 --until 32 --limit "$AGAIN" $learn
"$OUTFLANK" book check "$BOOK"
"$OUTFLANK" book pack "$BOOK" "${BOOK%.ofb}.ofbz"
"$OUTFLANK" book stats "$BOOK"
size=$(wc -c <"${BOOK%.ofb}.ofbz")
if [ "$size" -gt 1000000 ]; then echo "the packed book has $size bytes: more than 1 MB" && exit 1; fi
echo "cp ${BOOK%.ofb}.ofbz crates/study/data/starter.ofbz   puts it into the program"
