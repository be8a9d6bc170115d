#!/usr/bin/env python3
"""Measures what a viewer of `gst-people studio` costs: the program's CPU time without one and with one, in turns.

    studio.py TOOL [--rounds N] [--quality Q,...]

The packaged clip at 1280x720, decoded as it plays, takes the place of a camera.
"""

import argparse
import os
import statistics
import sys
import time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(root, "Tests/Scripts"))
# Seconds of each turn, and before it.
TURN, REST = 8, 1


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--quality", default="fast,balanced", help="levels, separated by commas (default: %(default)s)")
    options = parser.parse_args()
    os.environ["STUDIO_TOOL"], os.environ["STUDIO_PORTRAIT"] = options.tool, ""
    for quality in options.quality.split(","):
        measure(quality, options.rounds)


def measure(quality, rounds):
    from studio_client import Studio

    studio = Studio("--stand-in", "--size=1280x720", f"--quality={quality}")
    try:
        with studio.watch() as viewer:
            for _ in range(100):
                viewer.next()
        turns = [(turn(studio, False), turn(studio, True)) for _ in range(rounds)]
    finally:
        studio.close()
    for name, side in [("alone", 0), ("with a viewer", 1)]:
        load, rate = (statistics.median(turn[side][index] for turn in turns) for index in (0, 1))
        print(f"{quality}, {name}: {100 * load:.1f} % of a core, {rate:.1f} frames/s")
    ratio = statistics.median(watched[0] / alone[0] for alone, watched in turns)
    print(f"{quality}, median of pairs: {ratio:.3f}", flush=True)


def turn(studio, is_watched):
    """Processors in use, and frames per second, over some seconds."""
    viewer = studio.watch() if is_watched else None
    time.sleep(REST)
    start, work = time.monotonic(), processor_time(studio.process.pid)
    rates = []
    for _ in range(TURN):
        time.sleep(1)
        rates.append(studio.get("/settings")["status"]["rate"])
    load = (processor_time(studio.process.pid) - work) / (time.monotonic() - start)
    if viewer:
        viewer.__exit__()
    return load, statistics.mean(rates)


def processor_time(process):
    with open(f"/proc/{process}/stat") as file:
        fields = file.read().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
