#!/usr/bin/env python3
"""Endurance: games over every protocol with interruptions, random lines, kills of long jobs, fuzzing; for nights.

    python3 docs/scripts/endurance.py target/release/outflank out/endurance --minutes 480 --fuzz /tmp/outflank-fuzz \\
        --counts docs/endurance.json --report docs/endurance.md

Every run goes on where the last one ended (also after Ctrl-C): a file keeps the counts, and what is farthest from its
goal comes next. With the committed files above, runs on all machines count. A failure is kept with the seed that repeats
it, and makes the exit code 1. `--fuzz` names the folder in which `cargo fuzz build` put its targets (fuzz/README.md);
without it that part is left out. `--minutes 0` only writes the page.
Plain Python and a referee of its own: nothing of the program decides whether the program is right.
"""

import argparse
import datetime
import json
import os
import queue
import random
import re
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

# Seconds that an answer may take on a busy machine.
PATIENCE = 120
GOALS = {"games": 10_000, "lines": 1_000_000, "kills": 400, "fuzz": 100_000_000}
STEPS = [(dx, dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy]


class Failure(Exception):
    """What must not happen."""


class Othello:
    """The rules, square by square."""

    def __init__(self):
        self.cells = {(x, y): "." for x in range(8) for y in range(8)}
        self.cells.update({(3, 3): "O", (4, 4): "O", (4, 3): "X", (3, 4): "X"})
        self.side, self.moves = "X", []

    def flips(self, x, y):
        found = []
        if self.cells[x, y] == ".":
            for dx, dy in STEPS:
                line, at = [], (x + dx, y + dy)
                while self.cells.get(at) == self.other():
                    line.append(at)
                    at = (at[0] + dx, at[1] + dy)
                if line and self.cells.get(at) == self.side:
                    found += line
        return found

    def other(self):
        return "O" if self.side == "X" else "X"

    def legal(self):
        names = [f"{'abcdefgh'[x]}{y + 1}" for x, y in self.cells if self.flips(x, y)]
        if names:
            return names
        self.side = self.other()
        can_answer = any(self.flips(x, y) for x, y in self.cells)
        self.side = self.other()
        return ["pass"] if can_answer else []

    def play(self, move):
        if move not in self.legal():
            raise Failure(f"illegal move {move} after {' '.join(self.moves)}")
        if move != "pass":
            x, y = "abcdefgh".index(move[0]), int(move[1]) - 1
            for at in [*self.flips(x, y), (x, y)]:
                self.cells[at] = self.side
        self.side = self.other()
        self.moves.append(move)

    def text(self):
        return "".join(self.cells[x, y] for y in range(8) for x in range(8)).replace(".", "-")


class Gomoku:
    """Five in a row or more on 15 by 15."""

    def __init__(self):
        self.stones, self.moves, self.won = {}, [], False

    def legal(self):
        if self.won or len(self.stones) == 225:
            return []
        return [f"{x},{y}" for x in range(15) for y in range(15) if (x, y) not in self.stones]

    def play(self, move):
        if move not in self.legal():
            raise Failure(f"illegal move {move} after {' '.join(self.moves)}")
        x, y = map(int, move.split(","))
        side = self.stones[x, y] = len(self.moves) % 2
        for dx, dy in STEPS:
            count = [self.run(x, y, sign * dx, sign * dy, side) for sign in (1, -1)]
            self.won |= sum(count) + 1 >= 5
        self.moves.append(move)

    def run(self, x, y, dx, dy, side):
        length = 0
        while self.stones.get((x + dx * (length + 1), y + dy * (length + 1))) == side:
            length += 1
        return length


def dialogue(program, protocol, depth):
    """The command of a dialogue, looking `depth` discs ahead where the protocol leaves that to the command line."""
    limit = [] if protocol in ("gomocup", "cassio") else ["--depth", str(depth)]
    return [program, protocol, *limit, "--hash", "1"]


class Engine:
    """The program in a dialogue."""

    def __init__(self, arguments):
        self.arguments, self.heard = arguments, queue.Queue()
        self.child = subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
        threading.Thread(target=self.listen, args=(self.child.stdout, self.heard), daemon=True).start()

    @staticmethod
    def listen(lines, heard):
        for line in lines:
            heard.put(line.rstrip("\n"))
        heard.put(None)

    def say(self, *lines):
        try:
            for line in lines:
                self.child.stdin.write(line + "\n")
            self.child.stdin.flush()
        except (BrokenPipeError, ValueError):
            raise Failure(f"{self.arguments[1]} ended when told {lines}") from None

    def hear(self, pattern):
        until, seen = time.monotonic() + PATIENCE, []
        while True:
            try:
                line = self.heard.get(timeout=max(0.01, until - time.monotonic()))
            except queue.Empty:
                raise Failure(f"{self.arguments[1]}: no answer like {pattern} in {PATIENCE} s; last {seen[-3:]}") from None
            if line is None:
                raise Failure(f"{self.arguments[1]} ended; last {seen[-3:]}")
            seen.append(line)
            if "panicked" in line:
                raise Failure(f"{self.arguments[1]}: {line}")
            found = re.search(pattern, line)
            if found:
                return found.group(1)

    def hang_up(self):
        """Closes its input, also while it thinks: it must end by itself and without complaint."""
        self.child.stdin.close()
        try:
            code = self.child.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.child.kill()
            raise Failure(f"{self.arguments[1]} goes on without input") from None
        if code != 0:
            raise Failure(f"{self.arguments[1]} ended with {code}")

    def kill(self):
        self.child.kill()
        self.child.wait()


def ask_gtp(engine, game, think):
    side = lambda at: "bw"[at % 2]
    engine.say("clear_board", *(f"play {side(at)} {move}" for at, move in enumerate(game.moves)), f"77 genmove {side(len(game.moves))}")
    think(None)
    return engine.hear(r"^=77 (\S+)").lower()


def ask_ugi(engine, game, think):
    engine.say(f"position startpos{' moves ' if game.moves else ''}{' '.join(game.moves)}", "go")
    think("stop")
    return engine.hear(r"^bestmove (\S+)")


def ask_nboard(engine, game, think):
    moves = "".join(f"{'BW'[at % 2]}[{'pa' if move == 'pass' else move}]" for at, move in enumerate(game.moves))
    start = "8 ---------------------------O*------*O--------------------------- *"
    engine.say(f"set game (;GM[Othello]PC[endurance]PB[a]PW[b]RE[?]TI[5:00]TY[8]BO[{start}]{moves};)", "go")
    think(None)
    move = engine.hear(r"^=== ([A-Za-z0-9]+)").lower()
    return "pass" if move == "pa" else move


def ask_xboard(engine, game, think):
    engine.say("new", "variant reversi", "force", *("@@@@" if move == "pass" else f"P@{move}" for move in game.moves), "go")
    think("?")
    move = engine.hear(r"^move (\S+)")
    return "pass" if move == "@@@@" else move.removeprefix("P@")


def ask_cassio(engine, game, think):
    if game.legal() == ["pass"]:
        return "pass"
    board = game.text() + game.side
    engine.say(f"ENGINE-PROTOCOL midgame-search {board} -64.00 64.00 {random.randint(1, 6)} 73")
    think("ENGINE-PROTOCOL stop")
    move = engine.hear(rf"^{re.escape(board[:64])}.*move ([A-Ha-h][1-8])").lower()
    engine.hear(r"(ready\.)")
    return move


def ask_botzone(engine, game, think):
    pair = lambda move: {"x": -1, "y": -1} if move == "pass" else {"x": "abcdefgh".index(move[0]), "y": int(move[1]) - 1}
    mine = len(game.moves) % 2
    requests = [] if mine else [{"x": -1, "y": -1}]
    for at, move in enumerate(game.moves):
        if at % 2 != mine:
            requests.append(pair(move))
    engine.say(json.dumps({"requests": requests, "responses": [pair(move) for at, move in enumerate(game.moves) if at % 2 == mine]}))
    answer = json.loads(engine.hear(r"^(\{.*)"))["response"]
    return "pass" if answer["x"] < 0 else f"{'abcdefgh'[answer['x']]}{answer['y'] + 1}"


def ask_gomocup(engine, game, think):
    mine = len(game.moves) % 2
    board = [f"{move},{1 if at % 2 == mine else 2}" for at, move in enumerate(game.moves)]
    engine.say("START 15", "INFO timeout_turn 60", *(["BOARD", *board, "DONE"] if board else ["BEGIN"]))
    think(None)
    return engine.hear(r"^(\d+,\d+)$")


PROTOCOLS = {
    "gtp": (ask_gtp, Othello),
    "ugi": (ask_ugi, Othello),
    "nboard": (ask_nboard, Othello),
    "xboard": (ask_xboard, Othello),
    "cassio": (ask_cassio, Othello),
    "botzone": (ask_botzone, Othello),
    "gomocup": (ask_gomocup, Gomoku),
}


def play(program, protocol, chance, counts):
    """One game; interruptions are stops, closed inputs, kills and idle words, each followed by the same question."""
    ask, rules = PROTOCOLS[protocol]
    command = dialogue(program, protocol, chance.randint(1, 7))
    start = lambda: Engine(command)
    game, engine = rules(), start()
    random.seed(chance.random())
    # A few random moves make games differ.
    opening = chance.randint(0, 12)
    while game.legal():
        if len(game.moves) < opening:
            game.play(chance.choice(game.legal()))
            continue
        event = chance.random()

        def think(stop):
            if event < 0.05 and stop:
                time.sleep(chance.random() * 0.02)
                engine.say(stop)
                counts["stops"] = counts.get("stops", 0) + 1
            elif event < 0.1:
                engine.say("")

        if event > 0.98:
            # Killed or left in the middle of a thought; the next one knows nothing.
            try:
                if protocol == "gtp":
                    engine.say("genmove b")
                elif protocol == "ugi":
                    engine.say("position startpos", "go infinite")
                (engine.kill if event > 0.99 else engine.hang_up)()
            finally:
                engine.kill()
            counts["restarts"] = counts.get("restarts", 0) + 1
            engine = start()
        try:
            move = ask(engine, game, think)
            game.play(move)
        except Exception:
            engine.kill()
            raise
        if protocol == "botzone":
            engine.hang_up()
            engine = start()
    if protocol == "botzone":
        # It waits for a first request.
        engine.kill()
    else:
        engine.hang_up()


WORDS = (
    "go genmove play position startpos moves stop quit isready ugi hint set game depth ping xboard new force setboard undo "
    "START BOARD DONE BEGIN TURN INFO SWAP2BOARD ABOUT RESTART TAKEBACK RECTSTART ENGINE-PROTOCOL midgame-search boardsize "
    "clear_board showboard loadsgf f5 d3 pass 8,8 7,7,1 -1 0 3 1e9 P@d3 @@@@ time level st sd b w black white query result "
    "contempt name version known_command list_commands é 黒 \x00 ; # { } [ ] (;GM[Othello]) 8/8/8/3wb3/3bw3/8/8/8"
).split(" ")


def random_lines(program, protocol, chance):
    """Two thousand lines that mean little: the program answers or complains, and ends when its input does."""
    lines = []
    for _ in range(2_000):
        words = [chance.choice(WORDS) for _ in range(chance.randint(0, 6))]
        line = " ".join(words)
        if line and chance.random() < 0.2:
            at = chance.randrange(len(line))
            line = line[:at] + chr(chance.randint(1, 300)) + line[at + 1 :]
        line = line.replace("\n", " ").replace("\r", " ")
        # Words that end the dialogue, and searches without end, are for the games.
        if re.match(r"\s*(\d+\s+)?(quit|END|ENGINE-PROTOCOL\s+quit|go\b.*infinite)", line):
            continue
        lines.append(line)
    ran = subprocess.run(dialogue(program, protocol, 1), input=("\n".join(lines) + "\n").encode(), capture_output=True, timeout=10 * PATIENCE)
    if ran.returncode not in (0, 2) or b"panicked" in ran.stderr:
        raise Failure(f"{protocol} ended with {ran.returncode}: {ran.stderr[-300:]!r}")
    return len(lines)


def endgames(chance, count):
    boards = []
    while len(boards) < count:
        game = Othello()
        while game.legal() and len(game.moves) < 60 - 14:
            game.play(chance.choice(game.legal()))
        if game.legal() and game.legal() != ["pass"]:
            boards.append(f"{game.text()} {game.side}")
    return "\n".join(boards) + "\n"


def killed(program, job, chance, folder):
    """A long job that is killed again and again, each time a little later, writes what an undisturbed one writes."""
    outputs = []
    for disturbed in (False, True):
        work = folder / ("killed" if disturbed else "whole")
        work.mkdir()
        # The same games and positions both times.
        source = random.Random(job + str(folder))
        kills = 0
        if job == "solve":
            (work / "in.obf").write_text(endgames(source, 60))
            command = [program, "solve", work / "in.obf", "--output", work / "out.csv", "--omit-seconds", "--csv", "--threads", "2"]
        elif job == "match":
            command = [program, "match", "depth 2", "depth 1", "--games", "40", "--seed", "5", "--out", work / "m", "-j", "2"]
        elif job == "generate":
            command = [program, "train", "generate", work / "samples", "--chunks", "40", "--per-chunk", "300", "--depth", "3", "--seed", "3", "--threads", "2"]
        else:
            subprocess.run([program, "book", "new", work / "b.ofb", "--depth", "4", "--hash", "1"], check=True, capture_output=True)
            command = [program, "book", "expand", work / "b.ofb", "--positions", "300", "--every", "7", "--until", "16", "--threads", "2"]
        first, pause = True, 0.02
        while True:
            child = subprocess.Popen(command + ([] if first else ["--resume"]), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
            try:
                _, complaint = child.communicate(timeout=pause * chance.uniform(0.5, 1.5) if disturbed else None)
            except subprocess.TimeoutExpired:
                child.kill()
                child.communicate()
                kills += 1
                pause *= 1.2
                first = first and not begun(work)
                continue
            if child.returncode != 0:
                raise Failure(f"{job} after {kills} kills: {complaint.decode(errors='replace')[-300:]}")
            break
        # What was done when, as logs have it, differs.
        files = (path for path in sorted(work.rglob("*")) if path.is_file() and path.suffix != ".log")
        outputs.append({path.relative_to(work): path.read_bytes() for path in files})
    if job == "match":
        # How long the games took differs, and so the order of those played side by side.
        for files in outputs:
            games = [json.loads(line) for line in files[Path("m.jsonl")].splitlines()]
            moves = sorted((game["game"], [each["move"] for each in game["moves"]]) for game in games if "moves" in game)
            files.clear()
            files["games"] = moves
    names = [str(name) for name in outputs[0] | outputs[1] if outputs[0].get(name) != outputs[1].get(name)]
    if not outputs[0] or names:
        raise Failure(f"{job}: after {kills} kills other content of {', '.join(names) or 'nothing'}")
    return kills


def begun(work):
    """Whether a job has left something to go on with; a book was there before."""
    return any(path.is_file() and path.name != "in.obf" for path in work.rglob("*"))


def fuzzed(target, chance, folder, seconds):
    corpus = folder / "corpus" / target.name
    corpus.mkdir(parents=True, exist_ok=True)
    seeds = Path(__file__).resolve().parents[2] / "fuzz/seeds" / target.name
    found = folder / "artifacts" / target.name
    found.mkdir(parents=True, exist_ok=True)
    command = [target, corpus, *([seeds] if seeds.is_dir() else []), f"-max_total_time={seconds}", f"-seed={chance.randrange(1, 2**31)}"]
    ran = subprocess.run([*map(str, command), "-max_len=4096", "-print_final_stats=1", f"-artifact_prefix={found}/"], capture_output=True, text=True, errors="replace", timeout=seconds + 10 * PATIENCE)
    if ran.returncode != 0:
        raise Failure(f"{target.name}: {ran.stderr[-400:]}")
    return int(re.search(r"number_of_executed_units:\s*(\d+)", ran.stderr).group(1))


class Counts:
    """What was run so far, in a file that is always whole."""

    def __init__(self, path):
        self.path = path
        empty = {"parts": {part: {} for part in GOALS}, "interruptions": {}, "seconds": 0, "unit": 0, "failures": [], "days": []}
        self.all = json.loads(self.path.read_text()) if self.path.exists() else empty

    def save(self):
        new = self.path.with_suffix(".new")
        new.write_text(json.dumps(self.all, indent=1) + "\n")
        os.replace(new, self.path)

    def done(self, part):
        return sum(self.all["parts"][part].values())


def unit(program, part, name, seed, folder, counts, fuzz):
    """Does a piece of work; returns what it counts."""
    chance = random.Random(seed)
    if part == "games":
        play(program, name, chance, counts.all["interruptions"])
        return 1
    if part == "lines":
        return random_lines(program, name, chance)
    if part == "fuzz":
        return fuzzed(fuzz[name], chance, folder, 30)
    work = Path(tempfile.mkdtemp(prefix="kill ", dir=folder))
    try:
        return killed(program, name, chance, work)
    finally:
        shutil.rmtree(work)


def report(counts, version):
    all_parts = counts.all["parts"]
    days = ", ".join(counts.all["days"])
    lines = [
        "# Endurance",
        "",
        f"What `docs/scripts/endurance.py` ran with {version} in {counts.all['seconds'] / 3600:.1f} hours ({days}); it goes on with these counts whenever it is started.",
        "",
        "| what | goal | done |",
        "| --- | --- | --- |",
    ]
    words = {"games": "games against itself over a protocol", "lines": "random protocol lines", "kills": "kills of long jobs, with equal results after them", "fuzz": "inputs by fuzzing"}
    for part, goal in GOALS.items():
        lines.append(f"| {words[part]} | {goal:,} | {counts.done(part):,} |")
        for name, count in sorted(all_parts[part].items()):
            lines.append(f"| {name} | | {count:,} |")
    stops, restarts = (counts.all["interruptions"].get(name, 0) for name in ("stops", "restarts"))
    failures = counts.all["failures"]
    lines += [
        "",
        f"In the games {stops:,} searches were stopped early, and {restarts:,} engines killed or left in the middle of a thought; every move was checked by a referee of its own.",
        "",
        "No failure." if not failures else f"{len(failures)} failures:",
    ]
    lines += [f"* {failure}" for failure in failures]
    return "\n".join(lines) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="the program: target/release/outflank")
    parser.add_argument("folder", type=Path, help="where corpora and what failed are kept")
    parser.add_argument("--minutes", type=float, default=60, help="how long to run (60)")
    parser.add_argument("--only", choices=GOALS, help="one part alone")
    parser.add_argument("--fuzz", type=Path, help="folder of `cargo fuzz build`")
    parser.add_argument("--counts", type=Path, help="file of the counts (FOLDER/counts.json)")
    parser.add_argument("--report", type=Path, help="write a page about all runs in the end")
    arguments = parser.parse_args()
    program = str(Path(arguments.program).resolve())
    arguments.folder.mkdir(parents=True, exist_ok=True)
    counts = Counts(arguments.counts or arguments.folder / "counts.json")
    version = subprocess.run([program, "-V"], capture_output=True, text=True, check=True).stdout.strip()
    fuzz = {}
    if arguments.fuzz:
        targets = {path.stem for path in (Path(__file__).resolve().parents[2] / "fuzz/fuzz_targets").glob("*.rs")}
        fuzz = {path.name: path for path in arguments.fuzz.glob("*/release/*") if path.name in targets}
    names = {"games": list(PROTOCOLS), "lines": list(PROTOCOLS), "kills": ["solve", "match", "generate", "expand"], "fuzz": sorted(fuzz)}
    parts = [part for part in GOALS if names[part] and arguments.only in (None, part)]
    until, failed = time.monotonic() + 60 * arguments.minutes, 0
    today = datetime.date.today().isoformat()
    if arguments.minutes > 0 and today not in counts.all["days"]:
        counts.all["days"].append(today)
    try:
        while time.monotonic() < until:
            part = min(parts, key=lambda part: counts.done(part) / GOALS[part])
            done = counts.all["parts"][part]
            name = min(names[part], key=lambda name: done.get(name, 0))
            counts.all["unit"] += 1
            seed, begun = counts.all["unit"], time.monotonic()
            try:
                done[name] = done.get(name, 0) + unit(program, part, name, seed, arguments.folder, counts, fuzz)
            except (Failure, subprocess.TimeoutExpired) as failure:
                failed += 1
                # What has failed once must not be all that is run.
                done[name] = done.get(name, 0) + 1
                counts.all["failures"].append(f"{part} {name}, unit {seed}: {failure}")
                print(f"FAILED {counts.all['failures'][-1]}", file=sys.stderr)
            counts.all["seconds"] += time.monotonic() - begun
            counts.save()
            if sys.stderr.isatty():
                print(f"\r{', '.join(f'{counts.done(part):,} {part}' for part in parts)}, {failed} failed ", end="", file=sys.stderr)
    except KeyboardInterrupt:
        counts.save()
        print("\nstopped: start it again to go on", file=sys.stderr)
        return 130
    finally:
        if arguments.report:
            arguments.report.write_text(report(counts, version))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
