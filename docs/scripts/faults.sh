#!/usr/bin/env bash
# Faults that people met in this program or in others, each with inputs of its kind and what is right for them.
#
# Usage: docs/scripts/faults.sh [PROGRAM] [NUMBER…]      docs/scripts/faults.sh target/release/outflank T1 M5
#
# PROGRAM is target/release/outflank unless it is given; with NUMBERs only those kinds are tried. Everything happens in a
# folder that is removed at the end. Needs bash and python3 (for terminals, and for programs that misbehave in a match);
# files of ../shared/data (or $OUTFLANK_DATA) are used where they are there. Exit code 1 if anything is wrong.
# With TABLE=FILE, what was tried and answered is written there as a table.
set -u
HERE=$(cd "$(dirname "$0")/../.." && pwd)
PROGRAM=$(realpath "${1:-$HERE/target/release/outflank}")
[ -x "$PROGRAM" ] || { echo "$PROGRAM is no program; build it, or name it" >&2; exit 2; }
shift $(($# > 0))
WANTED=" $* "
DATA=${OUTFLANK_DATA:-$HERE/../shared/data}
WORK=$(mktemp -d)
trap 'rm -rf "$WORK"' EXIT
mkdir "$WORK/bin"
ln -s "$PROGRAM" "$WORK/bin/outflank"
export PATH="$WORK/bin:$PATH" HERE DATA
[ -z "${TABLE:-}" ] || TABLE=$(realpath "$TABLE")
cd "$WORK" || exit 2
NAMES=() WRONG=() COUNT=() BAD=() ROWS=()
# Longest time for one command: a busy machine is no fault.
LIMIT=300

# check KIND COMMAND EXPECTATION…: runs the command and compares. Expectations: `rc N`; `has REGEX`, `not REGEX` (extended,
# of one line); `most N` lines at most; `is TEXT`, the only line.
check() {
    local kind=$1 command=$2 rc why="" shown="" expectation word rest
    shift 2
    case $WANTED in "  " | *" $kind "*) ;; *) return ;; esac
    timeout -k 5 $LIMIT bash -o pipefail -c "$command" > out 2>&1 < /dev/null
    rc=$?
    for expectation in "$@"; do
        word=${expectation%% *} rest=${expectation#* }
        case $word in
        rc) [ "$rc" = "$rest" ] || why="$why; exit code $rc, not $rest" ;;
        has) if grep -Eaq -- "$rest" out; then
                [ -n "$shown" ] || shown=$(grep -Eaom1 -- ".*$rest.*" out)
            else why="$why; \"$rest\" is not there"; fi ;;
        not) if grep -Eaq -- "$rest" out; then why="$why; \"$rest\" is there"; fi ;;
        most) [ "$(wc -l < out)" -le "$rest" ] || why="$why; $(wc -l < out) lines" ;;
        is) shown=$(cat out); [ "$shown" = "$rest" ] || why="$why; not \"$rest\"" ;;
        *) echo "what is $expectation?" >&2; exit 2 ;;
        esac
    done
    [ -n "$shown" ] || shown=$(grep -Eam1 . out || true)
    shown=$(printf '%s' "$shown" | tr -d '\033' | tr '\n' ' ' | cut -c1-150)
    result "$kind" "$command" "${why#; }" "$shown, exit code $rc"
}

# result KIND WHAT WHY SHOWN: notes a result; WHY is empty if it is right.
result() {
    local kind=$1 what=$2 why=$3 shown=$4 verdict=ok
    what=${what//$'\n'/ }
    [ -z "$why" ] || verdict=WRONG
    printf '%-4s %-5s %s\n' "$kind" "$verdict" "$(printf '%s' "$what" | cut -c1-150)"
    if [ -n "$why" ]; then
        printf '           %s\n' "$why" "$(head -c 1500 out)"
        WRONG+=("$kind: $what: $why")
    fi
    local i=0
    while [ $i -lt ${#NAMES[@]} ] && [ "${NAMES[$i]}" != "$kind" ]; do i=$((i + 1)); done
    NAMES[i]=$kind
    COUNT[i]=$((${COUNT[i]:-0} + 1))
    BAD[i]=$((${BAD[i]:-0} + (${#why} > 0)))
    ROWS+=("| $kind | \`${what//|/¦}\` | ${shown//|/¦} | $verdict |")
}

# What no shell can do: a terminal, and processes that are killed on the way.
cat > seat.py << 'PYTHON'
"""Plays at a pseudo-terminal: seat.py SCENE."""
import fcntl, os, pty, re, select, signal, struct, subprocess, sys, termios, time

PATIENCE = 60  # seconds for what takes one: the machine may be busy
GAME = "1. f5 d6\r2. c3 d3\r3. c4 f4\r4. f6 f3\r5. e3 b4\r6. c5 c6\r7. e6 e2\r8. e7 d2\r9. f1 d7\r10. a3 a4\r"
MOVES = "f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4"


class Seat:
    def __init__(self, *command, size=(80, 24), session=True):
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))

        def own():
            if session:
                os.setsid()
                fcntl.ioctl(slave, termios.TIOCSCTTY, 0)

        self.child = subprocess.Popen(command, stdin=slave, stdout=slave, stderr=slave, preexec_fn=own,
                                      env={**os.environ, "TERM": "xterm-256color"})
        os.close(slave)
        self.seen = ""

    def look(self, seconds):
        ready, _, _ = select.select([self.master], [], [], seconds)
        if not ready:
            return False
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.seen += data.decode("utf-8", "replace")
        return bool(data)

    def wait_for(self, text):
        end = time.monotonic() + PATIENCE
        while text not in self.seen:
            if time.monotonic() > end:
                sys.exit(f"{text!r} was not shown: {self.seen[-800:]!r}")
            self.look(0.1)
        self.seen = ""

    def keys(self, keys):
        os.write(self.master, keys.encode())
        self.rest(0.3)

    def rest(self, seconds):
        """Reads until nothing has come for so long, or a while is over."""
        end = time.monotonic() + 10 * seconds
        while time.monotonic() < end and self.look(seconds):
            pass

    def ends(self, what):
        start = time.monotonic()
        while self.child.poll() is None:
            if time.monotonic() - start > PATIENCE:
                self.child.kill()
                print(f"{what}: it is still there after {PATIENCE} s")
                return
            try:
                self.look(0.05)
            except (OSError, ValueError):
                time.sleep(0.05)
        print(f"{what}: ended, exit code {self.child.returncode}")


def saved(path):
    text = open(path).read().strip() if os.path.exists(path) else "nothing"
    print(f"saved: {text}")


def file(path):
    return os.path.exists(path) and open(path).read().strip()


def saves(seat, path):
    """Saves, and waits for the file."""
    forget(path)
    seat.keys(f":save {path}\r")
    end = time.monotonic() + PATIENCE
    while not os.path.exists(path) and time.monotonic() < end:
        seat.look(0.1)
    return file(path)


def forget(path):
    if os.path.exists(path):
        os.remove(path)


def close(*options, session=True, key="f5\r"):
    forget("closed.ggf")
    seat = Seat("outflank", "play", "--hash", "1", "--save", "closed.ggf", *options, session=session)
    seat.wait_for("thinking" if not key else "black")
    if key:
        seat.keys(key)
    os.close(seat.master)
    seat.ends("closed")
    saved("closed.ggf")


def told(name, *options):
    forget("told.sgf")
    seat = Seat("outflank", "play", "--hash", "1", "--save", "told.sgf", *options)
    seat.wait_for("black")
    seat.keys("f5\r")
    seat.child.send_signal(getattr(signal, name))
    seat.ends(name)
    saved("told.sgf")


def paste(before, text, enter):
    seat = Seat("outflank", "play", "--hash", "1", "--color", "both")
    seat.wait_for("two people")
    seat.keys("f5")
    seat.keys(before)
    seat.keys(text)
    if enter:
        seat.keys("\r")
        seat.keys("y")
    else:
        seat.keys("\x15")
        seat.keys("\x1b")
    print("alive" if seat.child.poll() is None else "gone")
    saves(seat, "pasted.txt")
    saved("pasted.txt")
    seat.child.terminate()
    seat.ends("told to end")


def grows():
    for columns, rows, rule in [(80, 24, "┌───┬"), (120, 40, "┌───────┬"), (300, 90, "┌─────────────────┬")]:
        seat = Seat("outflank", "play", "--hash", "1", size=(columns, rows))
        seat.wait_for(rule)
        print(f"{columns}x{rows}: {rule}")
        seat.child.terminate()
        seat.ends("told to end")


def goes():
    seat = Seat("outflank", "play", "--hash", "1", "--color", "both", MOVES)
    seat.wait_for("two people")
    for i, (name, keys) in enumerate([("Home", "\x1b[H"), ("Page Down", "\x1b[6~"), ("End", "\x1b[F"),
                                      (":goto 7", ":goto 7\r"), (",", ","), (".", ".")]):
        seat.keys(keys)
        # A new size has everything drawn again.
        seat.seen = ""
        fcntl.ioctl(seat.master, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 81 + i, 0, 0))
        seat.child.send_signal(signal.SIGWINCH)
        seat.rest(1.0)
        print(f"{name}:", " ".join(re.findall(r"move \d+(?: of \d+)?", seat.seen)[:1]))
    seat.child.terminate()
    seat.ends("told to end")


def analyze():
    seat = Seat("outflank", "analyze", "f5d6c3", "--depth", "12", "--top", "3")
    seat.ends("analyze")
    seat.rest(0.5)
    back = len(re.findall(r"\x1b\[\d*A|\x1b\[\d+F|\x1b\[H", seat.seen))
    print("lines drawn again:", "yes" if back else "no", "| kept lines:", len(re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", seat.seen).splitlines()) < 400)


def interrupt(name, *command):
    child = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    time.sleep(3)
    child.send_signal(getattr(signal, name))
    try:
        child.wait(PATIENCE)
    except subprocess.TimeoutExpired:
        child.kill()
    print(f"exit code {child.returncode} after {name}")
    print(child.stdout.read()[-600:])


scene, arguments = sys.argv[1], sys.argv[2:]
mark = "\x1b[200~{}\x1b[201~".format
if scene == "close":
    close(*arguments)
elif scene == "close-without-session":
    close(*arguments, session=False)
elif scene == "close-thinking":
    close("--color", "none", "--level", "60", key="")
elif scene == "told":
    told(*arguments)
elif scene == "paste-load":
    paste("o", mark(GAME), True)
elif scene == "paste-board":
    paste("", mark(GAME), True)
elif scene == "paste-chat":
    paste("", mark("nyquw+ and then\r\nq\r\ny\r\nn\r\n"), False)
elif scene == "paste-unmarked":
    paste("", GAME, True)
elif scene == "interrupt":
    interrupt(*arguments)
else:
    {"grows": grows, "goes": goes, "analyze": analyze}[scene]()
PYTHON

# Programs that misbehave in a match of Gomoku, in the first game only unless MODE ends with "always".
cat > bot.py << 'PYTHON'
"""A Gomocup program: bot.py MODE MARK."""
import os, sys, time

mode, mark = sys.argv[1:]
bad = mode.endswith("always") or not os.path.exists(mark)
open(mark, "a").close()
taken = set()


def say(text):
    print(text, flush=True)


def move():
    if bad and mode.startswith("crash"):
        print("assertion failed: out of luck", file=sys.stderr, flush=True)
        os._exit(7)
    if bad and mode.startswith("hang"):
        time.sleep(10000)
    if bad and mode.startswith("late"):
        time.sleep(3)
    if bad and mode.startswith("illegal"):
        say("7,7")
        return
    if bad and mode.startswith("nonsense"):
        say("hello there")
        return
    for y in range(20):
        for x in range(20):
            if (x, y) not in taken and x < size and y < size:
                taken.add((x, y))
                say(f"{x},{y}")
                return


size, lines = 15, iter(sys.stdin.readline, "")
for line in lines:
    words = line.replace(",", " ").split()
    command = words[0].upper() if words else ""
    if command == "START":
        size = int(words[1])
        say("OK" if not mode.startswith("small") else "ERROR unsupported size")
    elif command == "INFO" and words[1] == "rule" and mode.startswith("rule"):
        say("ERROR Unknown rule")
    elif command == "BEGIN":
        move()
    elif command == "TURN":
        taken.add((int(words[1]), int(words[2])))
        move()
    elif command == "BOARD":
        taken.clear()
        for line in lines:
            if line.strip() == "DONE":
                break
            x, y, _ = map(int, line.split(","))
            taken.add((x, y))
        move()
    elif command == "RESTART":
        taken.clear()
        say("OK")
    elif command == "END":
        break
PYTHON

# What a killed match leaves is gone on with, and gives the table that it would have given.
cat > resume.sh << 'SHELL'
# resume.sh NAME ARGUMENTS OF match…
name=$1
shift
table() { grep -v -e '^Seconds a move' -e 'times as long'; }
outflank match "$@" 2> /dev/null | table > "$name.whole"
outflank match "$@" --out "$name" > /dev/null 2>&1 &
until [ "$(wc -l < "$name.log" 2> /dev/null || echo 0)" -ge 6 ]; do sleep 0.01; done
kill -9 $!
wait $! 2> /dev/null
echo "killed with $(($(wc -l < "$name.log") - 1)) games kept"
outflank match "$@" --out "$name" --resume 2> "$name.err" | table > "$name.resumed"
grep -o 'games found.*' "$name.err"
cmp "$name.whole" "$name.resumed" && echo "the same table: $(tail -n +2 "$name.resumed" | head -1)"
SHELL

# The positions of a game with 10 to 50 empty squares, searched with few nodes each.
cat > nodes.py << 'PYTHON'
"""nodes.py LIMIT GAME [ARGUMENTS]: most nodes, and least depth, from 10 to 50 empty squares."""
import json, subprocess, sys

limit, game, arguments = int(sys.argv[1]), sys.argv[2], sys.argv[3:]
moves = [game[i:i + 2] for i in range(0, len(game), 2)]
most, depths, counts = 0, {}, []
for empties in range(10, 51):
    text = "".join(moves[:60 - empties])
    run = subprocess.run(["outflank", "analyze", text, "--nodes", str(limit), "--threads", "1", "--json", *arguments],
                         capture_output=True, text=True, check=False)
    answer = json.loads(run.stdout)
    assert answer["board"].count("-") == empties, answer
    counts.append(answer["nodes"])
    depths[empties] = answer["depth"]
print(f"{len(counts)} positions, most nodes {max(counts)}:", "within" if max(counts) <= limit else "BEYOND", limit)
print("least depth", min(depths.values()))
PYTHON
LONG=f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4b3g6a5a2a1f2g5f7b2c2b5e1b1g1c1h4g3b6d1h2h1g2h3
WHOLE=f5d6c3d3c4f4f6f3e3b4b5e6e7f2e2g5g6f7g3e1c5c6h4g4d2h6f8h5h7h3h2c1d1a4a6a5f1a7d7c7b6g1b3e8d8g2b7b8a8c8g8g7h8a2a3h1a1b2c2b1
FFO='O--OOOOX-OOOOOOXOOXXOOOXOOXOOOXXOOOOOOXX---OOOOX----O--X-------- X'
START='8 ---------------------------O*------*O--------------------------- *'
HEAD="(;GM[Othello]PC[GGS/os]PB[a]PW[b]"
export LONG WHOLE FFO START HEAD

# ---- Terminal
check T1 'python3 seat.py close' 'has closed: ended, exit code 1' 'has saved: .*B\[f5'
check T1 'python3 seat.py close-without-session' 'has closed: ended, exit code 1' 'has saved: .*B\[f5'
check T1 'python3 seat.py close --plain' 'has closed: ended, exit code 1' 'has saved: .*B\[f5'
check T1 'python3 seat.py close-thinking' 'has closed: ended, exit code 1'
check T1 'python3 seat.py told SIGTERM' 'has SIGTERM: ended, exit code 1' 'has saved: .*B\[f5'
check T1 'python3 seat.py told SIGHUP --plain' 'has SIGHUP: ended, exit code 1' 'has saved: .*B\[f5'
check T2 'python3 seat.py paste-load' 'has alive' 'has saved: f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4$'
check T2 'python3 seat.py paste-board' 'has alive' 'has saved: f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4$'
check T2 'python3 seat.py paste-unmarked' 'has alive' 'has saved: f5d6c3d3c4f4f6f3e3b4c5c6e6e2e7d2f1d7a3a4$'
check T2 'python3 seat.py paste-chat' 'has alive' 'has saved: f5$'
check T3 'python3 seat.py goes' 'has ^Home: move 0' 'has ^Page Down: move 10' 'has ^End: move 20' \
    'has ^:goto 7: move 7' 'has ^,: move 6' 'has ^\.: move 7'
check T3 'python3 seat.py grows' 'has 80x24: ┌───┬' 'has 120x40: ┌───────┬' 'has 300x90'
check T3 "printf 'graph\nquit\n' | outflank play --plain --color both --level 2 f5d6c3d3c4f4f6f3e6e7d7g6f8f7g7" \
    'has 15\. g7\?\?: g5 is .* discs better' 'rc 0'
check T3 "printf 'Ｆ５\nquit\n' | outflank play --plain --color both" 'has \(X\)' 'not \? '
check T3 "printf 'f5\nquit\n' | outflank play --plain --color both | grep -c 'a b c d e f g h'" 'is 4'
check T4 'outflank levels --positions 1000000' 'rc 0' 'most 37' 'not year' 'has ^    1 '
check T4 'for i in 1 2; do outflank levels --positions 500000 --json > l$i; done; python3 -c "
import json
a = [[json.loads(l).get(k) for l in open(\"l%d\" % i) for k in (\"midgame_nodes\", \"solve_nodes\")] for i in (1, 2)]
print(len(a[0]), \"counts, the same twice:\", a[0] == a[1])"' 'has the same twice: True'
check T4 'outflank levels --positions 500000 --json | python3 -c "
import json, sys
rows = [row for row in map(json.loads, sys.stdin) if \"level\" in row]
rise = all(a[k] <= b[k] for a, b in zip(rows, rows[1:]) for k in (\"midgame_nodes\", \"solve_nodes\"))
print(len(rows), \"levels, rising:\", rise)"' 'has rising: True'
check T5 'outflank analyze "$FFO" --exact --top all' 'rc 0' 'most 16' 'has \+38 +exact'
check T5 'outflank analyze f5d6c3 --depth 10 --top all' 'rc 0' 'most 12' 'not depth 9 '
check T5 'outflank analyze f5d6c3 --depth 10 --verbose' 'rc 0' 'has depth 9 '
check T5 'python3 seat.py analyze' 'has lines drawn again: yes'
check T6 'outflank --game gomoku show h8i9' 'rc 0' 'has freestyle, black to move'
check T6 'outflank show --game gomoku h8i9 --json' 'rc 0' 'has "history":"h8i9"'
check T6 'for c in show analyze solve review play match bench book levels; do outflank $c --help | grep -c -- "--game <GAME>"; done | sort | uniq -c' 'has 9 1$'
check T6 'outflank --game gomoku gtp </dev/null' 'rc 2' 'has for Othello only'
check T7 'outflank analyze f5 --confidence 50' 'rc 2' 'has 73, 87, 95, 98, 99 or 100'
check T7 'outflank match "level 1 --confidence 74" random --games 2' 'rc 2' 'has 73, 87, 95, 98, 99, 100'
check T7 'outflank play --clock 0' 'rc 2' 'has fallen before the game begins'
check T7 'echo quit | outflank play --plain --clock 5:00+2' 'rc 0' 'has black [45]:'
check T7 'outflank convert --to transcript f5d6c3 --out - && ls' 'rc 0' 'has ^f5d6c3' 'not ^-$'
check T7 'outflank convert --to ggf f5 --out /nonexist/x' 'rc 2' 'is outflank: --out: cannot create /nonexist/x: No such file or directory (os error 2)'
check T7 'python3 seat.py interrupt SIGINT outflank review "$WHOLE" --level 30 --threads 1' 'has exit code 1 after SIGINT'
check T7 'python3 seat.py interrupt SIGINT outflank match "depth 40" random --games 4' 'has exit code 1 after SIGINT'
check T7 'for c in "analyze f5" play gtp nboard ugi; do for o in "--depth 61" "--threads 0" "--hash 0" "--time 0"; do outflank $c $o < /dev/null > /dev/null 2>&1; echo $?; done; done | sort | uniq -c' 'has 20 2$'
check T8 'outflank show --json f5d6c3 | outflank show -' 'rc 0' 'has moves: f5d6c3'
check T8 'outflank review --json --level 2 f5d6c3d3c4 | outflank show -' 'rc 0' 'has moves: f5d6c3d3c4'
check T8 'outflank match "depth 2" random --games 2 --out m > /dev/null && outflank convert --check m.jsonl m.ggf' 'rc 0' 'has m.jsonl: 2 games,.* 0 unreadable' 'has m.ggf: 2 games'
check T8 'outflank match --game gomoku "nodes 50" random --games 2 --out g > /dev/null && head -1 g.jsonl | outflank show --game gomoku -' 'rc 0' 'has freestyle, the game is over|freestyle'
check T8 'outflank analyze f5d6c3 --depth 4 --json | outflank analyze - --depth 2' 'rc 0' 'has ------------------X--------XX------OXX-----O-------------------- O'
check T8 'outflank solve "$FFO" --json | outflank solve -' 'rc 0' 'has \+38'
check T8 'outflank show f5d6c3 | outflank convert --to transcript -' 'rc 0' 'is f5d6c3'
check T8 'for to in board obf ggf sgf transcript transcript-pa; do outflank convert --to $to f5d6c3 | outflank show - > /dev/null || echo $to; done; outflank convert --to wthor f5d6c3 --out f.wtb && outflank convert --to transcript f.wtb' 'is f5d6c3'
check T8 'outflank analyze --game gomoku h8i9 --nodes 500 --json | outflank show --game gomoku -' 'rc 0' 'has black to move'
check T9 'for c in analyze play review solve gtp nboard ugi cassio xboard botzone levels; do outflank $c --help | grep -c -- "--model <FILE>"; done | sort | uniq -c' 'has 11 1$'
check T9 'for c in "analyze f5" "review f5" "solve f5" gtp nboard levels; do outflank $c --model none.bin < /dev/null 2>&1 | grep -c none.bin; done | sort | uniq -c' 'has 6 1$'
check T9 'outflank match "depth 1 --model none.bin" random' 'rc 2' 'has none.bin: No such file'
check T10 'python3 nodes.py 10000 "$WHOLE"' 'has 41 positions.*within 10000' 'has least depth ([5-9]|1[0-9])'
check T10 'python3 nodes.py 10000 "$WHOLE" --exact' 'has 41 positions.*within 10000'
check T10 'python3 nodes.py 777 "$WHOLE" --top 3' 'has 41 positions.*within 777'
check T10 'outflank solve --game gomoku --nodes 1000 h8i9h7i8 --json' 'has "nodes":([0-9]{1,3}|1000)[,}]'
check T11 'for d in 20 21; do outflank analyze f5d6c3 --depth $d --json; done | python3 -c "
import json, sys
a, b = (json.loads(l) for l in sys.stdin)
print(a[\"value\"], b[\"value\"], \"near:\", abs(a[\"value\"] - b[\"value\"]) < 2)"' 'has near: True'
for game in f5f6e6f4 f5d6c4d3; do
    check T11 "for d in 14 15 16 17; do outflank analyze $game --depth \$d; done | grep depth | awk '{ v = \$1 + 0; if (n++ && (v - p > 2.5 || p - v > 2.5)) print \"jump\"; p = v; print } END { print n, \"depths\" }'" 'has 4 depths' 'not jump'
done

# ---- Matches
check M1 'outflank match "level 1" "external: outflank gtp" --move-time 0.1 --games 2' 'rc 2' 'has GTP counts whole seconds' 'has outflank gtp --time 0.1'
check M1 'outflank match "level 1" "external: outflank gtp --depth 2" --games 2' 'rc 0' 'has Seconds a move'
check M1 'outflank match "time 0.02" "external: outflank gtp --time 0.2" --games 2 --random-plies 40 --within 64' 'rc 0' 'has Warning: external: .* times as long'
check M2 'outflank match "level 1" "nboard: outflank nboard" --move-time 1 --games 2 --random-plies 40 --within 64' 'rc 0' 'not lost . game.* away'
check M2 'outflank match "level 1" "nboard: --depth 2 outflank nboard" --games 2' 'rc 0' 'not away from the board'
check M2 'outflank match "level 1" "nboard: --depth x outflank nboard" --games 2' 'rc 2' 'has depth'
check M3 'outflank match "level 1" "external: /nonexistent" --games 10' 'rc 1' 'has cannot start "/nonexistent"' 'has ended after 4 of 10 games'
check M3 'outflank match "level 1" "external: sh -c \"echo boom >&2; exit 3\"" --games 10' 'rc 1' 'has exit status: 3\); its last words: boom'
check M3 'outflank match "level 1" "ugi: sh -c \"echo no memory >&2; exit 1\"" --games 10 --json' 'rc 1' 'has "detail":"[^"]*no memory'
check M4 'outflank match "external: outflank gtp --hash 1 --threads 1 --overhead 10 --depth 1" "external: outflank gtp --hash 1 --threads 1 --overhead 10 --depth 2" --games 2' 'rc 0' 'has ^external.*--depth 1 ' 'has ^external.*--depth 2 '
check M4 'outflank match random random random --games 2' 'rc 0' 'has random'
check M4 'outflank match "lab: mcts/40n" "lab: mcts/50n" "depth 1" --games 2' 'rc 0' 'has mcts/40n' 'has mcts/50n'
for bad in "crash exited exit.status:.7.*out.of.luck" "hang no-answer|time no.answer|time" "late time|no-answer time|answer" \
    "illegal illegal illegal|occupied|taken" "nonsense dialogue hello.there"; do
    read -r mode end detail <<< "$bad"
    check M5 "outflank match --game gomoku 'external: python3 bot.py $mode mark-$mode' 'nodes 20' --games 2 --move-time 1 --margin 0.5 --patience 4 --random-plies 0 --json" \
        'rc 0' "has \"end\":\"($end)\",\"detail\":\".*($detail)" \
        'has "end":"board"' 'has "forfeits":\[1,0\]'
done
check M5 'outflank match --game gomoku --rule renju "external: python3 bot.py rule mark-rule" "nodes 20" --games 2 --move-time 1' 'rc 2' 'has does not know this rule \(renju, 15x15'
check M5 'outflank match --game gomoku --size 17 "external: python3 bot.py small mark-small" "nodes 20" --games 2 --move-time 1' 'rc 2' 'has unsupported size'
check M5 'outflank match --game gomoku "external: python3 bot.py crash-always mark-always" "nodes 20" --games 20 --move-time 1' 'rc 1' 'has ended after 4 of 20 games'
check M5 'mkdir -p "a b"; cp bot.py "a b/the bot.py"; outflank match --game gomoku "external: python3 \"a b/the bot.py\" fair \"a b/mark\"" "nodes 20" --games 2 --move-time 1' 'rc 0' 'has 2 games' 'not away from the board'
check M5 'bash resume.sh gom --game gomoku --size 11 "nodes 300" "lab: shapes/2" --games 60 --seed 5' 'has the same table' 'has killed with [1-9]'
check M5 'bash resume.sh oth "depth 4" "lab: phase/2" --games 60 --seed 5' 'has the same table' 'has killed with [1-9]'
check M5 'outflank match --game gomoku "nodes 200" random --games 400 --sprt 0,200 --json | tail -1' 'rc 0' 'has "decision":"elo1"'
check M5 'outflank match --game gomoku random "nodes 200" --games 400 --sprt 0,200 --json | tail -1' 'rc 0' 'has "decision":"elo0"'

# ---- Notations and files
check F1 "printf 'Piskvorky 15x15, 11:11, 0\n8,8,0\n9,7,3\n-1\n' | outflank show --game gomoku --json -" 'rc 0' 'has "history":"h8i9"'
check F1 "printf '\xef\xbb\xbfPiskvorky 20x20, 11:11, 1\r\n10,10,0\r\n11,11,3\r\n10,12,5\r\nbrain.zip\r\n-1\r\n' | outflank show --game gomoku --json -" 'rc 0' 'has "history":"j11k10j9"' 'has "size":20'
check F1 "printf 'Piskvorky 15x20, 11:11, 0\n8,8,0\n-1\n' | outflank show --game gomoku -" 'rc 2' 'has 15×20 points is not supported'
check F3 'outflank show --game gomoku "(;GM[4]SZ[15]AB[hh][ii][jj]AW[aa][bb])"' 'rc 0' 'has ^ 8 .*X' 'has white to move' 'has ^15 O'
check F3 'outflank show --game gomoku "(;GM[4]SZ[15];B[hh];B[ii];B[jj])"' 'rc 2' 'has a stone of black, but white is to move'
check F3 'outflank show --game gomoku "(;GM[2]SZ[8];B[f5];W[d6])"' 'rc 2' 'has a game of Othello \(GM\[2\]\), not Gomoku'
check F3 'outflank show --game gomoku "(;GM[1]SZ[19];B[pd];W[dd])"' 'rc 2' 'has a game of Go'
check F3 'outflank show --game gomoku "(;FF[4]GM[4]SZ[15]AB[hh:jj]PL[B])"' 'rc 0' 'has ^ 7 .*X X X' 'has black to move'
check F4 'printf "%s" "${HEAD}RE[-64.00:l]TY[8]BO[$START]B[f5]W[d6]B[c3];)" > r.ggf; outflank convert --to wthor r.ggf --out r.wtb && outflank convert --to ggf r.wtb; od -An -tu1 -j22 -N2 r.wtb' 'rc 0' 'has RE\[-64' 'has ^ +0 +0$'
check F4 'outflank convert --to wthor "$WHOLE" --out s.wtb --solve 10 && od -An -tu1 -j0 -N16 s.wtb; od -An -tu1 -j22 -N2 s.wtb' 'rc 0' 'has  10  '
check F4 'printf "%s" "${HEAD}RE[+12.00]TY[8]BO[$START]B[f5]W[d6]B[c3];)" > r.ggf; outflank convert --to wthor r.ggf --out r.wtb && outflank convert --to ggf r.wtb' 'rc 0' 'has RE\[\+12'
cat > result.pgn << PGN
[Event "x"]
[White "b"]
[Black "a"]
[Result "50-14"]

$(printf '%s' "$WHOLE" | sed 's/../& /g')
PGN
check F6 'outflank convert --check result.pgn' 'rc 1' 'has 1 finished games with another score'
check F6 'sed s/50-14/13-51/ result.pgn > right.pgn; outflank convert --check right.pgn' 'rc 0' 'has 0 finished games with another score'
check F6 'sed "s/50-14/36-28/;s/ .*//" result.pgn > p.pgn; printf "[White \"b\"]\n[Result \"36-28\"]\n\n1. f5 d6 2. c3 d3\n" | outflank convert --to ggf -' 'rc 0' 'has RE\[\+8' 'not PC\['
check F7 'outflank show "${HEAD}RE[?]TY[8a]BO[$START]B[f5]W[d6];)"' 'rc 2' 'has anti-Othello, where fewer discs win, \(TY\[8a\]\) is not supported'
check F7 'outflank show "${HEAD}RE[?]TY[8k]KM[3]BO[$START]B[f5]W[d6];)"' 'rc 2' 'has a komi game.*\(TY\[8k\]\) is not supported'
check F7 'outflank show "${HEAD}RE[?]TY[8]KM[1]BO[$START]B[f5]W[d6];)"' 'rc 2' 'has a komi game.*\(KM\[1\]\) is not supported'
check F7 'outflank show "${HEAD}RE[?]KM[-2.5]BO[$START]B[f5]W[d6];)"' 'rc 2' 'has a komi game.*\(KM\[-2.5\]\) is not supported'
check F7 'outflank show "${HEAD}RE[?]TY[s8r20]KM[0.00]BO[$START]B[f5]W[d6];)"' 'rc 0' 'has moves: f5d6'
check F7 'outflank show "${HEAD}RE[+70]TI[-5:00]TY[8]BO[$START]B[f5]W[d6];)"' 'rc 0' 'has the result "\+70" is not understood' 'has the time "-5:00" is negative'
check F8 'outflank show "1. f5 d6 2. c3 ; d3"' 'rc 0' 'has ^moves: f5d6c3$'
check F8 'outflank show "1. f5 \$1 d6"' 'rc 0' 'has ^moves: f5d6$'
check F8 "printf '1. f5! d6?! ; better is f6\n2. c3 (0:12) d3 {then c4}\n' | outflank show -" 'rc 0' 'has ^moves: f5d6c3d3$'
check F8 'outflank show "1. f5 d6 (1... f6 2. e6) 2. c3"' 'rc 0' 'has ^moves: f5d6c3$'
check F10 "printf '%s\n' '---------------------------XO------OX--------------------------- X e3f3' | outflank convert --to transcript - | outflank show -" 'rc 0' 'has ^moves: e3f3'
check F10 'printf "%s" "${HEAD}TY[8]BO[8 ---------------------------*O------O*--------------------------- *]B[e3]W[f3];)" | outflank convert --to transcript -' 'rc 0' 'has ^-.* X e3f3$'
check F10 'outflank convert --to transcript "$FFO"' 'rc 2' 'has a position has no moves to write; try --to board'
for text in 'f5\nd6\nc3\n' 'f5d6\nc3\n' '1) f5 d6\n2) c3\n' '1, f5, d6\n2, c3\n' '⚫f5 ⚪d6 ⚫c3' 'B: f5\nW: d6\nB: c3\n' '["f5", "d6", "c3"]' \
    "['f5', 'd6', 'c3']" 'id,player,moves\n1,me,f5d6c3\n' 'ply\tsquare\n1\tf5\n2\td6\n3\tc3\n' '> 1. f5 d6\n> 2. c3\n' '```\nf5 d6\nc3\n```\n' \
    '[FEN "8/8/8/3wb3/3bw3/8/8/8 b"]\n\n1. f5 d6 2. c3\n' '[FEN "---------------------------O*------*O--------------------------- X"]\n\nf5 d6 c3\n' \
    '- - - - - - - -\n- - - - - - - -\n- - 3 - - - - -\n- - - O X - - -\n- - - X O 1 - -\n- - - 2 - - - -\n- - - - - - - -\n- - - - - - - -\n'; do
    check F11 "printf -- '${text//\'/\'\\\'\'}' | outflank show -" 'rc 0' 'has ^moves: f5d6c3$'
done
check F11 "printf '........\n........\n........\n...0X...\n...X0...\n........\n........\n........\nX\n' | outflank show -" 'rc 0' 'has black 2, white 2'
check F12 'outflank show --game gomoku h8i8h9i9h10i10h11i11h12a1' 'rc 2' 'has move 10: the game is over \(black has five in a row\)' 'not Five\('
check F12 "printf 'START 15\nBOARD\n0,0,1\n1,0,1\n2,0,1\n3,0,1\n4,0,1\n0,1,2\n1,1,2\n2,1,2\n3,1,2\nDONE\nEND\n' | outflank gomocup" 'has the game is over' 'not Five\('
check F12 'outflank analyze --game gomoku h8i8h9i9h10i10h11i11h12a1 --nodes 10' 'rc 2' 'has black has five in a row' 'not Five\('
check F14 'outflank convert --to wthor "$WHOLE" --out w.wtb && outflank show - < w.wtb' 'rc 0' 'has game over: white wins'
check F14 'cp w.wtb w.dat; outflank convert --check w.dat' 'rc 0' 'has 1 games.* 0 unreadable'
check F14 'gzip -c w.wtb > w.wtb.gz; outflank show w.wtb.gz; printf "%s" "${HEAD}BO[$START];)" | gzip > w.ggf.gz; outflank show w.ggf.gz' 'rc 2' 'has w.wtb.gz.*compressed \(gzip\): unpack it first, with gunzip' 'has w.ggf.gz.*gunzip'
check F14 "printf 'f5d6c3\n' | python3 -c 'import sys; sys.stdout.buffer.write(sys.stdin.read().encode(\"utf-16-le\"))' | outflank show -" 'rc 2' 'has the text is UTF-16'
check F14 'outflank show e3f4c5' 'rc 2' 'has colors of the start are exchanged'
for protocol in 'gtp|name|= Outflank' 'gomocup|ABOUT|name="Outflank"' 'ugi|isready|readyok' 'play --plain --color both|f5|\(X\)' 'nboard|ping 3|pong 3'; do
    IFS='|' read -r command line answer <<< "$protocol"
    check F15 "printf '\xef\xbb\xbf$line\n' | outflank $command" "has $answer" 'not unknown|not a move|no square'
done
check F15 "printf '\xef\xbb\xbfh8i9\n' | outflank show --game gomoku - --json" 'has "history":"h8i9"'
for text in '1. h8 2. i9' 'ｈ８ ｉ９' '7 7\n8 8\n' '7,7 8,8' '(7, 7), (8, 8)' '⚫h8 ⚪i9' '> 1. h8! i9?'; do
    check F16 "printf '$text' | outflank show --game gomoku - --json" 'rc 0' 'has "history":"h8i9"'
done
check F16 'outflank show --game gomoku p1' 'rc 2' 'has p1 is outside the 15x15 board' 'not a.?–.?t'
check F18 'outflank review f5d6c3d3c4f4f6f3e6e7d7g6f8f7g7a1 --level 2' 'has ply 16, a1: a1 flips nothing' 'has 15 X g7'
check F18 "printf '1. f5 d6\n2. c3 d3\n3. c4 d3\n' | outflank review - --level 1" 'has line 3.*ply 6' 'has 5 X c4' 'not Game 2'
check F18 "printf '1. f5 d6\n2. c3 d3\n3. c4 white resigns\n' | outflank review - --level 1" 'has white resigns' 'has 5 X c4' 'not Game 2'
check F18 'outflank review "${HEAD}BO[$START]B[f5]W[d6]B[c3]W[a1];)" --level 1' 'has ply 4, a1' 'has 3 X c3'

# ---- Protocols
check P1 "printf 'START 15\nSWAP2BOARD\n7,7\n8,8\n6,1\nDONE\nEND\n' | outflank gomocup" 'has ^(SWAP|[0-9]+,[0-9]+( [0-9]+,[0-9]+)?).?$' 'not ERROR'
check P1 "printf 'START 15\r\nSWAP2BOARD\r\n1,1\r\n2,1\r\n3,1\r\n4,1\r\n5,1\r\nDONE\r\nEND\r\n' | outflank gomocup" 'has ^(SWAP|[0-9]+,[0-9]+).?$' 'not ERROR'
check P1 "printf 'START 15\nSWAP2BOARD\nDONE\nEND\n' | outflank gomocup" 'has ^[0-9]+,[0-9]+ [0-9]+,[0-9]+ [0-9]+,[0-9]+$'
check P2 "printf 'START 15 15\nyxswap2step1\nTURN 7,7\nEND\n' | outflank gomocup" 'has ^OK' 'has ^[0-9]+,[0-9]+ [0-9]+,[0-9]+ [0-9]+,[0-9]+$' 'not ERROR|UNKNOWN'
check P2 "printf 'START 15\nINFO timeout_turn 300\nYXBOARD\n7,7,1\n8,8,2\n6,1,1\nDONE\nyxswap2step2\nEND\n' | outflank gomocup" 'has ^(SWAP|[0-9]+,[0-9]+)' 'not ERROR|UNKNOWN'
check P2 "printf 'START 20 20\nRECTSTART 15,20\nSTART 15\nINFO timeout_turn 300\nYXBOARD\n7,7,1\n8,8,2\nDONE\nYXNBEST 2\nEND\n' | outflank gomocup" 'has ERROR RECTSTART 15,20: rectangular' 'has ^[0-9]+,[0-9]+'
check P3 'python3 -c "
import subprocess, time
p = subprocess.Popen([\"outflank\", \"gtp\"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
def say(line):
    p.stdin.write(line + \"\n\"); p.stdin.flush()
    answer = p.stdout.readline(); p.stdout.readline()
    return answer
say(\"name\"); say(\"time_settings 2 0 0\")
used = [0.0, 0.0]
for i in range(44):
    start = time.monotonic(); answer = say(\"genmove \" + \"bw\"[i % 2]); used[i % 2] += time.monotonic() - start
print(\"used %.2f and %.2f of 2 s:\" % tuple(used), \"within\" if max(used) < 2.2 else \"BEYOND\")"' 'has of 2 s: within'
check P3 "printf 'time_settings 3 0 0\nclear_board\ntime_settings 3 0 0\ngenmove b\ntime_left w 1 0\ngenmove w\nquit\n' | outflank gtp" 'rc 0' 'has ^= [A-H][1-8]$' 'not ^\?'
check P3 'outflank match "clock" "external: outflank gtp" --clock 3 --games 2 --random-plies 30 --within 64 --margin 0.5' 'rc 0' 'not away from the board'
check P4 'for i in 1 2 3; do python3 -c "
import subprocess, time
p = subprocess.Popen([\"outflank\", \"ugi\"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
p.stdin.write(\"isready\n\"); p.stdin.flush(); p.stdout.readline()
start = time.monotonic(); p.stdin.write(\"position startpos\ngo movetime 1000\n\"); p.stdin.flush()
while not p.stdout.readline().startswith(\"bestmove\"): pass
print(time.monotonic() - start)"; done | sort -n | head -1 | awk "{ print (\$1 < 1.0 ? \"within\" : \"BEYOND\"), \$1 }"' 'has within'
check P4 'outflank ugi --help; printf "ugi\nquit\n" | outflank ugi' 'has --overhead' 'has option name Move Overhead.*10'
check P4 'for i in 1 2 3; do python3 -c "
import subprocess, time
start = time.monotonic()
p = subprocess.Popen([\"outflank\", \"ugi\"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
p.stdin.write(\"position startpos\ngo movetime 1000\n\"); p.stdin.flush()
while not p.stdout.readline().startswith(\"bestmove\"): pass
print(time.monotonic() - start)"; done | sort -n | head -1 | awk "{ print (\$1 < 1.2 ? \"within\" : \"BEYOND\"), \$1 }"' 'has within'
check P5 "printf '(;GM[2]SZ[8];B[f5];W[d6])' > g.sgf; printf 'loadsgf g.sgf\nlist_commands\nshowboard\nquit\n' | outflank gtp" 'has ^loadsgf$' 'has X 3, O 3' 'not unknown'
check P5 "printf 'position fen 8/8/8/3wb3/3bw3/8/8/8 b moves f5\ngo depth 2\nquit\n' | outflank ugi" 'has ^bestmove [a-h][1-8]$'
check P5 "printf 'position fen bbbbbbbb/bbbbbbbb/bbbbbbbb/bbbbbbbb/bbbbbbbb/bbbbbbbb/bbbbbbbb/bbbbbbb1 b\ngo depth 1\nquit\n' | outflank ugi" 'has ^bestmove \(none\)$'
check P6 'outflank convert --check "(;GM[2]FF[4]SZ[8]RE[W+59];B[cd];W[ec])"' 'rc 0' 'has 0 finished games with another score'
RAW=e6f4e3f6g5d6e7f5c5
check P6 "printf '(;GM[2]SZ[8]RE[B+%s])' 5 > q.sgf; outflank convert --to sgf $RAW | sed 's/SZ\[8\]/SZ[8]RE[B+13]/' | outflank convert --check -" 'rc 0' 'has the result .* counts without the empty squares: with them it is \+64'
check P6 "outflank convert --to sgf $RAW | sed 's/SZ\[8\]/SZ[8]RE[B+20]/' | outflank convert --check -" 'rc 1' 'has 1 finished games with another score'

# ---- Pages: what stands in the repository (`cargo xtask tidy` looks at wording and spelling: D4, D5)
if [ -d "$HERE/docs" ] && [ -f "$HERE/README.md" ]; then
    check D2 'outflank lab compare --quick --help > /dev/null 2>&1; grep -rlE "stronger by [0-9]+ Elo" "$HERE/docs" --include=*.md; grep -c "no difference shown with" "$HERE/docs/lab-report.md"' 'not \.md$' 'has ^[1-9]'
    check D3 'grep -rlE "Document [A-E]\b" "$HERE/README.md" "$HERE/ARCHITECTURE.md" "$HERE/docs" --include=*.md | while IFS= read -r page; do case $page in */requirements.md) ;; *) grep -q "requirements.md" "$page" || echo "no link: $page" ;; esac; done; echo end' 'is end'
    check D6 'grep -n "connection to crates.io" "$HERE/README.md"; grep -nE "minutes on two cores" "$HERE/README.md"; grep -nE "GB" "$HERE/README.md"; grep -c "nothing to fetch" "$HERE/README.md" || true' 'has crates.io' 'has minutes' 'has GB' 'has ^0$'
fi

# ---- A fault of the program itself, and complaints that nobody can read
if [ -w /dev/full ]; then
    check X1 'outflank show "no position" 2> /dev/full' 'rc 2'
    check X1 'outflank match random nobody 2> /dev/full' 'rc 2'
    check X1 'outflank show f5d6 > /dev/full' 'rc 2' 'has No space left'
fi
check X1 'outflank analyze f5d6 f5f6 f5f4 --depth 6 | head -1' 'not panicked|fault of Outflank'

echo
printf '%-6s %-7s %s\n' kind tried wrong
for i in "${!NAMES[@]}"; do
    printf '%-6s %-7s %s\n' "${NAMES[$i]}" "${COUNT[$i]}" "${BAD[$i]}"
done
if [ -n "${TABLE:-}" ]; then
    { printf '| fault | command | output now | verdict |\n| --- | --- | --- | --- |\n'; printf '%s\n' "${ROWS[@]}"; } > "$TABLE"
fi
if [ ${#WRONG[@]} -gt 0 ]; then
    printf '\n%s wrong:\n' "${#WRONG[@]}"
    printf '  %s\n' "${WRONG[@]}"
    exit 1
fi
echo "all right"
