"""Measures each level, and facepose, by size of the frames, on the packaged clip, and on the portrait beside it.

usage: levels.py CLIP PORTRAIT [--rounds N] [--laptop] [--only TEXT]

Every cell is a pipeline that is run for a few and for many frames; the difference by their number is what one frame
takes, without start-up. CPU and wall time of the bare source are taken off; frames a second are with it. The least of
the rounds counts, since other work on the machine only slows. The start is what a single frame takes: the clip's first one,
which `imagefreeze` takes alone. Behind `identity eos-after`, the frames that the decoder still holds come through as well.

With --laptop each pipeline also runs as on an old laptop's processor, in turns: on one core, with OpenVINO's instructions limited
to AVX2 and models in single precision, as `precision=auto` has them without instructions for 8-bit integers. Loops of this
project keep the processor's own instructions.
"""

import argparse
import os
import pathlib
import subprocess
import sys

from peers import cpu, gst, least, slopes

SIZES = ((854, 480), (1280, 720), (1920, 1080))
START_SIZE = SIZES[1]
#: Number of frames of a start.
START = 1
CLIP, PORTRAIT = "the clip", "the portrait"
SCALED = "videoconvert ! videoscale ! video/x-raw,format=I420,width={width},height={height}"
SOURCES = {
    CLIP: "filesrc location={clip} ! decodebin ! " + SCALED,
    PORTRAIT: "filesrc location={portrait} ! pngdec ! " + SCALED + " ! imagefreeze ! video/x-raw,framerate=30/1",
}
#: Source, elements, and the numbers of frames that are compared; a source by itself is what the others' time is taken off.
ROWS = {
    CLIP: (CLIP, "", (60, 180)),
    PORTRAIT: (PORTRAIT, "", (60, 180)),
    "`personsegment quality=fast`": (CLIP, "personsegment quality=fast ! ", (60, 180)),
    "`personsegment quality=fast ! blendmask blur=50`": (CLIP, "personsegment quality=fast ! blendmask blur=50 ! ", (60, 180)),
    "`personsegment quality=balanced`": (CLIP, "personsegment quality=balanced ! ", (20, 80)),
    "the same, one person who stands still": (PORTRAIT, "personsegment quality=balanced ! ", (20, 80)),
    "`personsegment quality=accurate`": (CLIP, "personsegment quality=accurate ! ", (4, 20)),
    "`facepose`": (CLIP, "facepose ! ", (60, 180)),
}


def main():
    parser = argparse.ArgumentParser(prog="bench --levels")
    parser.add_argument("clip", type=pathlib.Path)
    parser.add_argument("portrait", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--laptop", action="store_true", help="also one core without AVX-512 and AMX")
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose names hold TEXT")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    rows = [name for name in ROWS if name not in SOURCES and options.only in name]
    if not rows:
        parser.error(f"no row's name holds {options.only}")
    times = measure(rows, options)
    for is_laptop in (False, True)[:1 + options.laptop]:
        report(results(rows, times, is_laptop), is_laptop)
    print("\nlargest resident memory of the whole process, 720p, in MB\n")
    for name, megabytes in memory(rows, options).items():
        print(f"| {name} | {megabytes} |")


def measure(rows, options):
    """Seconds (CPU, wall) by whether it is a laptop, row, size and number of frames; the least of all rounds."""
    sources = {ROWS[name][0] for name in rows}
    jobs = [(is_laptop, name, size, count) for name in (*sources, *rows) for size in SIZES
            for count in {*ROWS[name][2], *([START] if size == START_SIZE else [])}
            for is_laptop in (False, True)[:1 + options.laptop]]

    def commands(job):
        is_laptop, name, size, count = job
        line = command_of(name, size, count, options)
        return [as_laptop(line) if is_laptop else line]

    return least(jobs, options.rounds, lambda job: "{1}, {2[0]}x{2[1]}".format(*job), commands)


def command_of(name, size, count, options):
    source, elements, _ = ROWS[name]
    return command(SOURCES[source], elements, size, count, options)


def command(source, elements, size, count, options):
    """The pipeline of so many frames of a size. `source` and `elements` may name what options have: {clip}, {portrait}."""
    frames = source.format(width=size[0], height=size[1], **vars(options))
    end = f"imagefreeze num-buffers={count}" if count == START else f"identity eos-after={count + 1}"
    return gst(f"{frames} ! {end} ! {elements.format(**vars(options))}fakesink")


def memory(rows, options):
    """By row, the largest resident memory of its process at START_SIZE, in MB (10^6 bytes); it has its models and all its buffers."""
    return {name: resident(command_of(name, START_SIZE, ROWS[name][2][1], options)) for name in rows}


def resident(command, environment=None):
    """The largest resident memory of a command's process, in MB."""
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=environment)
    _, status, usage = os.wait4(process.pid, 0)
    if status:
        sys.exit(f"failed: {' '.join(command)}")
    return round(usage.ru_maxrss * 1024 / 1e6)


def as_laptop(command):
    """A command on one core, without AVX-512 and AMX."""
    limit = ["env", "ONEDNN_MAX_CPU_ISA=AVX2", "taskset", "--cpu-list", str(min(os.sched_getaffinity(0)))]
    precise = [f"{word} precision=f32".split() if word == "personsegment" else [word] for word in command]
    return limit + sum(precise, [])


def results(rows, times, is_laptop):
    """By row and height (`720p`) milliseconds and frames a second; as `start` what a single frame of START_SIZE takes."""
    times = {tuple(job): found for (limited, *job), found in times.items() if limited == is_laptop}

    def frame(name, size):
        return slopes(times, (name, size), ROWS[name][2])

    def start(name, size):
        return [1000 * seconds for seconds in times[name, size, START]]

    def beyond_source(measured, name, size):
        cpu_time, wall = (own - base for own, base in zip(measured(name, size), measured(ROWS[name][0], size)))
        return {"cpu_ms": round(cpu_time, 2), "wall_ms": round(wall, 2)}

    def figures(name, size):
        return {**beyond_source(frame, name, size), "frames_per_second": round(1000 / max(frame(name, size)[1], 0.001), 1)}

    return {name: {**{f"{size[1]}p": figures(name, size) for size in SIZES}, "start": beyond_source(start, name, START_SIZE)}
            for name in rows}


def report(found, is_laptop):
    machine = f"{cpu()}, one of them with AVX2 alone" if is_laptop else cpu()
    print(f"\n{machine}; CPU and wall milliseconds a frame over the bare source; frames/s with the source\n")
    heights = [f"{height}p" for _, height in SIZES]
    print("| | " + " | ".join(heights) + " | start and first frame, 720p |")
    print("|" + " --- |" * (len(SIZES) + 2))
    for name, row in found.items():
        cells = ["{cpu_ms:.1f}, {wall_ms:.1f}; {frames_per_second:.1f}/s".format(**row[height]) for height in heights]
        print(f"| {name} | " + " | ".join([*cells, "{cpu_ms:.0f}, {wall_ms:.0f}".format(**row["start"])]) + " |")


if __name__ == "__main__":
    main()
