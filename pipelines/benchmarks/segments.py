"""Measures a video that one process makes in two segments at once beside two processes that make a half each.

usage: segments.py TOOL CLIP [--rounds N] [--quality Q] [--repeat N]

The video is the clip several times over, in 640x360. Both ways are run in turns. The frames of a segment's warm-up, which
are analysed without being written, are counted as work: only the one process does it. The least wall time of the rounds
counts, since other work on the machine only slows.
"""

import argparse
import json
import pathlib
import resource
import subprocess
import sys
import tempfile
import time

from peers import cpu, gst, run

#: From VideoSegment.swift: frames that are analysed before a segment.
WARM_UP = 120
#: Frames a second of the packaged clip.
RATE = 25


def main():
    parser = argparse.ArgumentParser(prog="bench --segments")
    parser.add_argument("tool", type=pathlib.Path)
    parser.add_argument("clip", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--quality", default="fast", choices=("fast", "balanced", "accurate"))
    parser.add_argument("--repeat", type=int, default=4, metavar="N", help="how often the video has the clip")
    options = parser.parse_args()
    if options.rounds < 1 or options.repeat < 1:
        parser.error("--rounds and --repeat must be at least 1")
    with tempfile.TemporaryDirectory() as folder:
        measure(options, pathlib.Path(folder))


def measure(options, folder):
    video = folder / "video.mp4"
    make_video(options, video)
    frames = frames_of(options, video)
    length = frames / RATE
    ways = {"one process": lambda: in_segments(options, video, length), "two processes": lambda: in_halves(options, video, length)}
    times = {}
    for _ in range(options.rounds):
        for name, way in ways.items():
            found = run_together(way())
            times[name] = tuple(map(min, times.get(name, found), found))
    report(options, times, frames)


def make_video(options, video):
    """The clip several times over, with a key frame each second."""
    again = f"filesrc location={options.clip} ! decodebin ! videoconvert ! video. "
    run([gst(
        f"concat name=video ! videoconvert ! videoscale ! video/x-raw,width=640,height=360 ! "
        f"x264enc speed-preset=ultrafast key-int-max=25 ! h264parse ! mp4mux ! filesink location={video} {again * options.repeat}")])


def frames_of(options, video):
    """How many frames the video has."""
    plan = [options.tool, "video", video, video.with_name("plan.mp4"), "--plan", "--json", "--segment-length=2"]
    output = subprocess.run(plan, check=True, capture_output=True, text=True).stdout
    return next(event["frames"] for event in map(json.loads, output.splitlines()) if event["event"] == "plan")


def command(options, video, name, *more):
    return [str(options.tool), "video", str(video), str(video.with_name(name)), f"--quality={options.quality}", "--color=00b140",
            "--force", "--quiet", *more]  # fmt: skip


def in_segments(options, video, length):
    return [command(options, video, "whole.mp4", "--jobs=2", f"--segment-length={length / 2:.3f}")]


def in_halves(options, video, length):
    middle = f"{length / 2:.3f}"
    return [command(options, video, "first.mp4", f"--end={middle}", "--segment-length=0"),
            command(options, video, "second.mp4", f"--start={middle}", "--segment-length=0")]  # fmt: skip


def run_together(commands):
    """CPU and wall seconds of commands that run at once."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    processes = [subprocess.Popen(command) for command in commands]
    codes = [process.wait() for process in processes]
    if any(codes):
        sys.exit("failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, time.perf_counter() - start


def report(options, times, frames):
    print(f"{cpu()}; {frames} frames, quality={options.quality}, least of {options.rounds} rounds")
    print("                 CPU s   wall s   frames/s   cores busy   frames/s with those of the warm-up")
    rates = {}
    for name, (processor, wall) in times.items():
        rates[name] = (frames + (WARM_UP if name == "one process" else 0)) / wall
        print(f"{name:14}  {processor:6.1f}  {wall:7.1f}  {frames / wall:9.1f}  {processor / wall:11.2f}  {rates[name]:9.1f}")
    walls = [wall for _, wall in times.values()]
    print(f"one process is {walls[1] / walls[0]:.2f} of two; {rates['one process'] / rates['two processes']:.2f} with the warm-up as work")


if __name__ == "__main__":
    main()
