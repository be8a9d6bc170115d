"""Measures what encoding costs: presets of x264 by size and CPU at equal quality of the people, and the tool beside ffmpeg.

usage: encoders.py TOOL CLIP [--frames N] [--rounds N] [--height N] [--only presets|whole]

The clip's frames get another background by the tool. They are encoded with each preset at four qualities. Quality is the SSIM of the
people (ffmpeg's filter `ssim` in their mask). Sizes and times are those at which each preset has the SSIM of `medium` with --crf 20.
Then whole runs of the tool are compared, in turns, with ffmpeg, which only decodes and encodes the same clip, with the same --crf.
Times are those of the processor (user and system, with all child processes), without start: the difference between two lengths, of
which the shorter one needs some hundred frames, since the tool looks at a number of places in each file.
"""
import argparse
import functools
import math
import os
import pathlib
import re
import resource
import statistics
import subprocess
import tempfile

PRESETS = ("ultrafast", "superfast", "veryfast", "faster", "fast", "medium", "slow")
QUALITIES = (17, 20, 23, 26)
REFERENCE = ("medium", 20)
# Of alike quality, by the table of presets.
CRF = {"veryfast": 18, "medium": 20}
# A key frame each two seconds, as cameras of phones write them.
CLIP = ("-c:v", "libx264", "-crf", 16, "-preset", "fast", "-g", 50)
BACKGROUND = ["--color=3a5a78"]


def main():
    parser = argparse.ArgumentParser(prog="bench --encoders")
    parser.add_argument("tool")
    parser.add_argument("clip", type=pathlib.Path)
    parser.add_argument("--frames", type=int, default=150)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--height", type=int, default=1080)
    parser.add_argument("--only", choices=("presets", "whole"))
    options = parser.parse_args()
    print(f"{options.frames} frames of {options.height} rows; load {os.getloadavg()[0]:.1f}", flush=True)
    with tempfile.TemporaryDirectory(dir=os.environ.get("TMPDIR", "/var/tmp")) as folder:
        measure(options, pathlib.Path(folder))


def measure(options, folder):
    clip, short = (folder / name for name in ("clip.mp4", "short.mp4"))
    scale = f"scale=-2:{options.height}"
    ffmpeg("-i", options.clip, "-an", "-vf", scale, "-frames:v", options.frames, *CLIP, clip)
    ffmpeg("-i", clip, "-frames:v", options.frames // 2, "-c", "copy", short)
    if options.only != "whole":
        composed, mask = folder / "composed.y4m", folder / "mask.y4m"
        make(options.tool, *BACKGROUND, clip, composed)
        make(options.tool, "--show=mask", clip, mask)
        print_presets(presets(options, folder, composed, mask))
    if options.only != "presets":
        whole(options, folder, clip, short)


# Presets


def presets(options, folder, composed, mask):
    """For each preset, a list of (SSIM of the people, bytes, CPU seconds a frame)."""
    share = mean_of(mask)
    found = {preset: [] for preset in PRESETS}
    for preset in PRESETS:
        for quality in QUALITIES:
            target = folder / "encoded.mp4"
            times = []
            for _ in range(options.rounds):
                times.append(cpu(ffmpeg, "-i", composed, "-c:v", "libx264", "-preset", preset, "-crf", quality, target))
            seconds = min(times) / options.frames
            found[preset].append((people_ssim(target, composed, mask, share), target.stat().st_size, seconds))
    reading = min(cpu(ffmpeg, "-i", composed, "-f", "null", "-") for _ in range(options.rounds)) / options.frames
    return {preset: [(one, size, seconds - reading) for one, size, seconds in points] for preset, points in found.items()}


def people_ssim(encoded, composed, mask, share):
    """SSIM where people are: everything else is made black in both, where it is 1."""
    graph = (
        "[2:v]format=gray,split[m1][m2];[0:v]format=gray[d];[1:v]format=gray[r];"
        "[d][m1]blend=all_mode=multiply[x];[r][m2]blend=all_mode=multiply[y];[x][y]ssim"
    )
    words = ["ffmpeg", "-v", "info", "-nostats", "-i", encoded, "-i", composed, "-i", mask, "-filter_complex", graph, "-f", "null", "-"]
    done = subprocess.run(words, capture_output=True, text=True, check=True)
    whole = float(re.search(r"SSIM .*All:([0-9.]+)", done.stderr)[1])
    return 1 - (1 - whole) / share


def mean_of(mask):
    """The part of all pixels in which people are."""
    words = ["ffmpeg", "-v", "error", "-i", mask, "-vf", "scale=1:1:flags=area,format=gray", "-f", "rawvideo", "-"]
    values = subprocess.run(words, capture_output=True, check=True).stdout
    return statistics.fmean(values) / 255


def print_presets(table):
    wanted = next(one for place, (one, _, _) in enumerate(table[REFERENCE[0]]) if QUALITIES[place] == REFERENCE[1])
    base_size, base_seconds = at(table[REFERENCE[0]], wanted)
    print(f"SSIM of the people {wanted:.4f}")
    print("| preset | bytes, of medium | CPU, of medium | ms a frame | --crf |\n|---|---|---|---|---|")
    for preset, points in table.items():
        size, seconds = at(points, wanted)
        quality = between([one for one, _, _ in points], QUALITIES, wanted)
        print(f"| {preset} | {size / base_size:.2f} | {seconds / base_seconds:.2f} | {seconds * 1000:.1f} | {quality:.1f} |")


def at(points, wanted):
    """Bytes and seconds at an SSIM."""
    ssims = [one for one, _, _ in points]
    size = math.exp(between(ssims, [math.log(size) for _, size, _ in points], wanted))
    return size, between(ssims, [time for *_, time in points], wanted)


def between(places, values, wanted):
    """A value between, or beyond, neighbouring ones; places descend."""
    for one in range(len(places) - 1):
        if wanted >= places[one + 1] or one == len(places) - 2:
            part = (places[one] - wanted) / (places[one] - places[one + 1])
            return values[one] + part * (values[one + 1] - values[one])
    return values[0]


# Whole runs


def whole(options, folder, clip, short):
    """The tool beside ffmpeg, in turns."""
    runs = {f"ffmpeg, {preset}": functools.partial(transcode, preset) for preset in ("veryfast", "medium")}
    for preset in ("veryfast", "medium"):
        for name, background in (("", BACKGROUND), (", background kept", ["--original"])):
            words = [*background, f"--preset={preset}", f"--crf={CRF[preset]}"]
            runs[f"tool at fast, {preset}{name}"] = functools.partial(make, options.tool, *words)
    ratios = {name: [] for name in runs}
    for _ in range(options.rounds):
        base = None
        for name, run in runs.items():
            target = folder / "whole.mp4"
            long, brief = cpu(run, clip, target), cpu(run, short, target)
            seconds = (long - brief) / (options.frames - options.frames // 2)
            base = base or seconds
            ratios[name].append((seconds * 1000, seconds / base))
    print("| run | ms a frame | of ffmpeg with veryfast |\n|---|---|---|")
    for name, values in ratios.items():
        times, parts = zip(*values)
        print(f"| {name} | {statistics.median(times):.1f} | {statistics.median(parts):.2f} ({min(parts):.2f} to {max(parts):.2f}) |")


def transcode(preset, source, target):
    ffmpeg("-i", source, "-c:v", "libx264", "-preset", preset, "-crf", CRF[preset], target)


def make(tool, *words):
    """Runs the tool with options, input and output."""
    subprocess.run([tool, "video", *words, "--quality=fast", "--quiet", "--force", "--segment-length=0"], check=True)


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, words)], check=True)


def cpu(work, *words):
    """Seconds of the processor that all child processes of some work take."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    work(*words)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
