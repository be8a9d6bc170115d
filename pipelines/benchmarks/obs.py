#!/usr/bin/env python3
"""Measures the filter in OBS beside a virtual camera that OBS reads: CPU time of a 1280x720 frame at 30 frames a second.

    obs.py MODULE CLIP [--rounds N] [--frames N] [--effect EFFECT]

libobs runs in Tests/OBS/host.c, on a screen that nobody sees. Each round has, in turns, OBS with the filter, and OBS without it
beside the pipeline that a virtual camera runs, without its device. Of each, the round with the median counts.
"""

import argparse
import os
import pathlib
import re
import resource
import shutil
import statistics
import subprocess
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
WIDTH, HEIGHT = 1280, 720
SIZE = f"{WIDTH}x{HEIGHT}"
#: Settings of the filter, and properties of blendmask; CLIP is the packaged clip.
EFFECTS = {
    "color": ('"background-source": "color"', "background-source=color"),
    "blur": ('"background-source": "original", "blur": 40.0', "blur=40"),
    "transparent": ('"background-source": "transparent"', "background-source=transparent"),
    "clip": ('"background-source": "clip", "background": "CLIP"', "background-source=clip background=CLIP"),
}


def main():
    parser = argparse.ArgumentParser(prog="bench --obs")
    parser.add_argument("module", type=pathlib.Path)
    parser.add_argument("clip", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=5, metavar="N")
    parser.add_argument("--frames", type=int, default=300, metavar="N", help="frames of each turn (default: %(default)s)")
    parser.add_argument("--effect", default="blur", choices=EFFECTS)
    options = parser.parse_args()
    if missing := [program for program in ("Xvfb", "cc") if not shutil.which(program)]:
        parser.error(f"{missing[0]} is not installed: run pipelines/setup --with-desktop")
    with tempfile.TemporaryDirectory() as folder, subprocess.Popen(
        ["Xvfb", "-displayfd", "1", "-nolisten", "tcp", "-noreset"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        try:
            os.environ |= {"DISPLAY": ":" + server.stdout.readline().strip(), "LIBGL_ALWAYS_SOFTWARE": "1"}
            measure(options, pathlib.Path(folder))
        finally:
            server.terminate()


def measure(options, folder):
    host = folder / "host"
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "libobs"], check=True, stdout=subprocess.PIPE, text=True).stdout
    subprocess.run(["cc", "-O2", ROOT / "Tests/OBS/host.c", "-o", host, "-lpthread", *flags.split()], check=True)
    for kind in ("nv12", "yuyv422"):
        line = ["ffmpeg", "-v", "error", "-i", options.clip, "-frames:v", "60", "-vf", f"scale={SIZE}", "-pix_fmt", kind]
        subprocess.run([*line, "-f", "rawvideo", folder / kind], check=True)
    settings, properties = (text.replace("CLIP", str(options.clip)) for text in EFFECTS[options.effect])
    libraries = subprocess.run(["pkg-config", "--variable=libdir", "libobs"], check=True, stdout=subprocess.PIPE, text=True).stdout
    player = f"module {libraries.strip()}/obs-plugins/obs-ffmpeg.so"
    filtered = [f"format NV12 {WIDTH} {HEIGHT}", f"input {folder / 'nv12'}", player, "add", f"settings {{{settings}}}", "ready"]
    plain = [f"format YUY2 {WIDTH} {HEIGHT}", f"input {folder / 'yuyv422'}", "push 10"]
    turns = {"OBS with the filter": [], "OBS without it": [], "virtual camera": []}
    times = []
    for _ in range(options.rounds):
        found = run_host(host, options, filtered, folder)
        turns["OBS with the filter"].append(found["process"])
        times.append(found)
        turns["OBS without it"].append(run_host(host, options, plain, folder)["process"])
        turns["virtual camera"].append(run_camera(options, properties, folder))
    medians = {name: statistics.median(values) for name, values in turns.items()}
    for name, value in medians.items():
        print(f"{name}: {value:.1f} ms of CPU a frame")
    both = medians["OBS without it"] + medians["virtual camera"]
    print(f"virtual camera and OBS: {both:.1f} ms, {both / medians['OBS with the filter']:.2f} times the filter in OBS")
    for name, label in [("median", "in half of the frames"), ("last", "in 99 of 100")]:
        print(f"filter_video, {options.effect}: up to {statistics.median(t[name] for t in times):.1f} ms {label}")


def run_host(host, options, commands, folder):
    """Milliseconds of CPU a frame of the process, and of the filter on OBS's drawing thread."""
    script = "\n".join([*commands, f"time {options.frames}", ""])
    run = subprocess.run(
        [host, options.module], input=script, check=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        env={**os.environ, "XDG_CONFIG_HOME": str(folder)})
    line = next(line for line in run.stdout.splitlines() if line.startswith("median "))
    numbers = [float(number) for number in re.findall(r"\d+\.\d+", line)]
    return {"median": numbers[2], "last": numbers[3], "process": numbers[4]}


def run_camera(options, properties, folder):
    """Milliseconds of CPU a frame of the pipeline between the camera and the device."""
    people = f"personsegment quality=fast ! blendmask {properties} ! videoconvert ! video/x-raw,format=YUY2 !"
    return run_pipeline(options, people, folder) - run_pipeline(options, "", folder)


def run_pipeline(options, elements, folder):
    """Milliseconds of CPU a frame, the source's own among them."""
    sizes = f"format=nv12 width={WIDTH} height={HEIGHT} framerate=30/1"
    # One frame after the other comes from a file of 60, in a loop, as a camera delivers them.
    loop = f"multifilesrc loop=true location={folder / 'nv12'} ! rawvideoparse {sizes} ! identity eos-after="
    counts = (30, options.frames + 30)
    # The difference leaves out the start.
    lines = [f"{loop}{count + 1} ! {elements} fakesink sync=true" for count in counts]
    spent = [cpu(["gst-launch-1.0", "-q", *line.split()]) for line in lines]
    return (spent[1] - spent[0]) / (counts[1] - counts[0]) * 1e3


def cpu(line):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(line, check=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime


if __name__ == "__main__":
    main()
