#!/usr/bin/env python3
"""How soon the first line of `outflank analyze` is there: docs/scripts/first-line.py target/release/outflank [STARTS]

Milliseconds from the start of the process to its first line, and the most memory (megabytes) of a search of one disc.
"""

import resource
import statistics
import subprocess
import sys
import time


def first_line(program):
    began = time.perf_counter()
    with subprocess.Popen([program, "analyze", "f5", "--json", "--progress", "--depth", "12"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as search:
        if not search.stdout.readline():
            sys.exit(f"{program} analyze says nothing")
        found = time.perf_counter() - began
        search.stdout.read()
    return 1000 * found


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    program, starts = sys.argv[1], int(sys.argv[2]) if len(sys.argv) > 2 else 21
    times = sorted(first_line(program) for _ in range(starts))
    subprocess.run([program, "analyze", "f5", "--depth", "1"], stdout=subprocess.DEVNULL, check=True)
    memory = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"first line of analyze: median {statistics.median(times):.1f} ms of {starts} starts ({times[0]:.1f} to {times[-1]:.1f}); {memory:.0f} MB")


if __name__ == "__main__":
    main()
