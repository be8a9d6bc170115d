"""Measures the elements and their peers on the packaged clip, in one run, in shuffled order.

usage: peers.py CLIP PICTURE [--rounds N] [--frames FEW MANY] [--out DIR]

Every row is a pipeline that is run for FEW and for MANY frames of 1280x720; the difference divided by MANY - FEW is
what one frame takes, without start-up. The row of the bare source is taken off. CPU time is that of all processes of
the pipeline. The least of the rounds counts, since other work on the machine only slows.
"""

import argparse
import json
import pathlib
import random
import resource
import shutil
import subprocess
import sys
import time

SIZE = "width=1280,height=720"
HERE = pathlib.Path(__file__).resolve().parent


def main():
    options = arguments()
    results = measured(options)
    report(results)
    options.out.mkdir(parents=True, exist_ok=True)
    (options.out / "peers.json").write_text(json.dumps({"cpu": cpu(), "rows": results}, indent=1) + "\n")
    draw(results, options.out / "peers.png")
    print(f"{options.out / 'peers.json'}, {options.out / 'peers.png'}")


def measured(options):
    """The results of all rows that can run here."""
    rows = {row.name: row for row in table(options) if row.runnable()}
    times = measure(rows, options)
    return [result(row, times, options.frames) for row in rows.values() if row.baseline]


def arguments():
    parser = argparse.ArgumentParser(prog="bench --peers")
    parser.add_argument("clip", type=pathlib.Path)
    parser.add_argument("picture", type=pathlib.Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--frames", type=int, nargs=2, default=(100, 300), metavar=("FEW", "MANY"))
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-output"))
    options = parser.parse_args()
    if not 0 < options.frames[0] < options.frames[1] or options.rounds < 1:
        parser.error("--frames must rise, and --rounds be at least 1")
    return options


class Row:
    """A pipeline: `command(frames)` is an argument list, or two that are joined by a pipe."""

    def __init__(self, name, kind, command, baseline=None, needs=()):
        self.name, self.kind, self.command, self.baseline, self.needs = name, kind, command, baseline, needs

    def runnable(self):
        missing = [e for e in self.needs if subprocess.run(["gst-inspect-1.0", "--exists", e]).returncode]
        if missing:
            print(f"left out: {self.name} (no element {', '.join(missing)}; Debian: gstreamer1.0-opencv, opencv-data)")
        return not missing


def table(options):
    def source(frames, caps):
        return (f"filesrc location={options.clip} ! decodebin ! videoconvert ! videoscale ! "
                f"video/x-raw,format={caps},{SIZE} ! identity eos-after={frames + 1}")

    def element(line, caps="I420"):
        return lambda frames: [gst(f"{source(frames, caps)} ! {line}fakesink")]

    def python(task):
        return lambda frames: [
            gst(f"{source(frames, 'RGB')} ! fdsink fd=1"),
            [sys.executable, "-B", str(HERE / "peer_mediapipe.py"), task, str(options.picture)]]

    def composed(picture_end, subject_end):
        return lambda frames: [gst(
            f"filesrc location={options.picture} ! decodebin ! videoconvert ! videoscale ! "
            f"video/x-raw,format=I420,{SIZE} ! imagefreeze num-buffers={frames} ! "
            f"video/x-raw,framerate=25/1 ! {picture_end} "
            f"videotestsrc num-buffers={frames} pattern=ball background-color=0 ! "
            f"video/x-raw,format=A420,{SIZE},framerate=25/1 ! {subject_end}")]

    picture = f"blendmask background={options.picture} ! "
    mine = "personsegment quality={} ! "
    return [
        Row("source", "", element("")),
        Row("source for Python", "", python("none")),
        Row("picture and alpha", "", composed("queue ! fakesink", "queue ! fakesink")),
        Row("personsegment quality=fast", "here", element(mine.format("fast")), "source"),
        Row("personsegment quality=fast ! blendmask, picture", "here", element(mine.format("fast") + picture), "source"),
        Row("personsegment quality=fast ! blendmask, blur", "here",
            element(mine.format("fast") + "blendmask blur=50 ! "), "source"),
        Row("personsegment quality=balanced", "here", element(mine.format("balanced")), "source"),
        Row("blendmask, picture", "here", element(mine.format("fast") + picture), "personsegment quality=fast"),
        Row("facepose", "here", element("facepose ! "), "source"),
        Row("bodypose", "here", element("bodypose ! "), "source"),
        Row("bodypose max-people=1", "here", element("bodypose max-people=1 ! "), "source"),
        Row("handpose", "here", element("handpose ! "), "source"),
        Row("MediaPipe selfie landscape", "peer", python("selfie"), "source for Python"),
        Row("MediaPipe selfie landscape, NumPy blend", "peer", python("blend"), "source for Python"),
        Row("MediaPipe FaceMesh, 4 faces", "peer", python("faces"), "source for Python"),
        Row("MediaPipe Pose, 1 person", "peer", python("pose"), "source for Python"),
        Row("MediaPipe Hands, 2 hands", "peer", python("hands"), "source for Python"),
        Row("compositor, frames with alpha", "peer", composed(
            "queue ! compositor name=c ! fakesink", "queue ! c."), "picture and alpha", ("compositor",)),
        Row("facedetect (OpenCV)", "peer", element("facedetect display=false ! ", "RGB"), "source", ("facedetect",)),
    ]


def gst(line):
    return ["gst-launch-1.0", "-q", *line.split()]


def measure(rows, options):
    """Seconds (CPU, wall) by name and number of frames."""
    jobs = [(name, count) for name in rows for count in options.frames]
    return least(jobs, options.rounds, lambda job: "{}, {} frames".format(*job), lambda job: rows[job[0]].command(job[1]))


def least(jobs, rounds, label, commands, environment=lambda job: None):
    """Seconds (CPU, wall) by job: the least of all rounds, since other work on the machine only slows."""
    return least_of(measured_rounds(jobs, rounds, label, commands, environment))


def least_of(rounds):
    return {job: tuple(map(min, zip(*(times[job] for times in rounds)))) for job in rounds[0]}


def measured_rounds(jobs, rounds, label, commands, environment=lambda job: None):
    """By round, seconds (CPU, wall) by job. Each round has the jobs in another order; of a job that it has several times, the least
    counts."""
    jobs, found = [*jobs], []
    for number in range(rounds):
        random.Random(number).shuffle(jobs)
        times = {}
        for place, job in enumerate(jobs):
            show(f"round {number + 1} of {rounds}, {place + 1} of {len(jobs)}: {label(job)}")
            seconds = run(commands(job), environment(job))
            times[job] = tuple(map(min, times.get(job, seconds), seconds))
        found.append(times)
    show("")
    return found


def run(commands, environment=None):
    """Seconds (CPU, wall) of a command, or of two that are joined by a pipe."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    first = subprocess.Popen(commands[0], stdout=subprocess.PIPE if len(commands) > 1 else subprocess.DEVNULL, env=environment)
    processes = [first]
    if len(commands) > 1:
        processes.append(subprocess.Popen(commands[1], stdin=first.stdout, stderr=subprocess.DEVNULL, env=environment))
        first.stdout.close()
    codes = [process.wait() for process in processes]
    if any(codes):
        sys.exit(f"\nfailed: {' '.join(commands[-1])}")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_time = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return cpu_time, time.perf_counter() - start


def slopes(times, key, frames):
    """Milliseconds (CPU, wall) of one frame: what many frames take beyond few, by their number. `times` is by (*key, frames)."""
    few, many = frames
    return [1000 * (b - a) / (many - few) for a, b in zip(times[*key, few], times[*key, many])]


def result(row, times, frames):
    cpu_time, wall = (mine - base for mine, base in zip(slopes(times, [row.name], frames), slopes(times, [row.baseline], frames)))
    whole = slopes(times, [row.name], frames)[1]
    return {"name": row.name, "kind": row.kind, "cpu_ms": round(cpu_time, 2), "wall_ms": round(wall, 2),
            "frames_per_second": round(1000 / max(whole, 0.001), 1)}


def report(results):
    print(f"\n{cpu()}; 1280x720, milliseconds a frame over the bare source; frames/s with the source\n")
    print("| | CPU ms | wall ms | frames/s |\n| --- | --- | --- | --- |")
    for row in results:
        print(f"| {row['name']} | {row['cpu_ms']:.1f} | {row['wall_ms']:.1f} | {row['frames_per_second']:.0f} |")
    print()


def draw(results, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(9, 0.45 * len(results) + 1.2))
    names = [row["name"] for row in results]
    colors = ["tab:green" if row["kind"] == "here" else "tab:gray" for row in results]
    bars = axes.barh(names, [row["cpu_ms"] for row in results], color=colors)
    axes.bar_label(bars, fmt="%.1f", padding=3)
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.set_xlabel("CPU milliseconds a frame over the bare source, 1280x720")
    figure.text(0.01, 0.01, cpu(), fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)


def cpu():
    """The processor, its cores, and its instructions for 8-bit integers, with which models take about half the time."""
    lines = pathlib.Path("/proc/cpuinfo").read_text().splitlines()
    models = [line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")]
    if not models:
        return "unknown CPU"
    flags = {flag for line in lines if line.startswith("flags") for flag in line.split()}
    known = {"amx_int8": "AMX", "avx512_vnni": "AVX-512 VNNI", "avx_vnni": "AVX VNNI"}
    names = [name for flag, name in known.items() if flag in flags] or ["no instructions for 8-bit integers"]
    return f"{models[0]}, {len(models)} cores, {names[0]}"


def show(text):
    width = shutil.get_terminal_size().columns - 1
    if sys.stdout.isatty():
        print("\r" + text[:width].ljust(width), end="", flush=True)
    elif text:
        print(text, flush=True)


if __name__ == "__main__":
    main()
