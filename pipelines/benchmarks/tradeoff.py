"""Draws what the levels and other programs cost against how wrong their masks are.

usage: tradeoff.py CLIP MODELS OPTIONAL_MODELS FOLDER... [--only SET] [--rounds N] [--out DIR]
       tradeoff.py --draw FILE.json [--out DIR]

CPU time a frame is that of all processes on the packaged clip at 1280x720, as by peers.py: what many frames take beyond few,
divided by their number, less that of the bare source. The error is the mean absolute difference of
coverage, x 10^-3, on average over the sets in all FOLDERs (as of `Tests/evaluate table`: images/ or frames/, with truth).
DIR (bench-output) gets tradeoff.json and tradeoff.png. --draw draws such a file again.
"""
import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import peers

HERE = pathlib.Path(__file__).resolve().parent
EVALUATE = str(HERE.parent.parent / "Tests/evaluate")
TRUTHS = ("alpha", "masks", "instances")
SOURCE, PIPE = "source", "source for Python"
#: Few and many frames: the more a frame takes, the fewer tell.
LIGHT, HEAVY, HEAVIEST = (60, 180), (10, 40), (4, 12)


def main():
    options = arguments()
    options.out.mkdir(parents=True, exist_ok=True)
    if options.draw:
        found = json.loads(options.draw.read_text())
    else:
        found = {"cpu": peers.cpu(), "rows": rows(options)}
        (options.out / "tradeoff.json").write_text(json.dumps(found, indent=1) + "\n")
    report(found)
    draw(found, options.out / "tradeoff.png")


def arguments():
    parser = argparse.ArgumentParser(prog="bench --tradeoff")
    parser.add_argument("places", type=pathlib.Path, nargs="*", metavar="CLIP MODELS OPTIONAL_MODELS FOLDER")
    parser.add_argument("--only", action="append", metavar="SET", help="this set and no other")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--out", type=pathlib.Path, default=pathlib.Path("bench-output"))
    parser.add_argument("--draw", type=pathlib.Path, metavar="FILE.json", help="draw this again, and measure nothing")
    options = parser.parse_args()
    if not options.draw and len(options.places) < 4:
        parser.error("a folder of sets is missing")
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    return options


class Program:
    """A pipeline, its baseline's name, the numbers of frames that are compared, and the command for a folder's masks."""

    def __init__(self, name, kind, command, baseline, frames, masks=None):
        self.name, self.kind, self.command, self.baseline, self.frames, self.masks = (
            name, kind, command, baseline, frames, masks)


def programs(options):
    clip, models, optional = map(str, options.places[:3])

    def source(frames, caps):
        return (f"filesrc location={clip} ! decodebin ! videoconvert ! videoscale ! "
                f"video/x-raw,format={caps},{peers.SIZE} ! identity eos-after={frames + 1}")

    def level(quality, frames):
        return Program(
            f"personsegment quality={quality}", "here",
            lambda count: [peers.gst(f"{source(count, 'I420')} ! personsegment quality={quality} ! fakesink")], SOURCE, frames,
            lambda pictures, masks: [EVALUATE, "masks", pictures, masks, "--quality", quality])

    def peer(name, task, folder, frames):
        script = [sys.executable, "-B", str(HERE / "peer_segmenters.py"), task, folder]
        return Program(
            name, "peer", lambda count: [peers.gst(f"{source(count, 'RGB')} ! fdsink fd=1"), script], PIPE, frames,
            lambda pictures, masks: [*script, pictures, masks])

    bare = Program(SOURCE, "", lambda count: [peers.gst(f"{source(count, 'I420')} ! fakesink")], None, LIGHT)
    known = [bare, peer(PIPE, "none", models, LIGHT), level("fast", LIGHT), level("balanced", HEAVY), level("accurate", HEAVIEST),
             peer("MediaPipe selfie landscape", "selfie", models, LIGHT),
             peer("MediaPipe selfie general", "selfie-general", models, LIGHT),
             peer("MODNet, short side 512", "modnet", models, HEAVIEST)]
    if (options.places[2] / "rvm.xml").exists():
        known += [peer("RVM, longer side 288", "rvm288", optional, HEAVY), peer("RVM, longer side 512", "rvm512", optional, HEAVY)]
    else:
        print("left out: RVM (pipelines/setup --with-rvm prepares it)")
    return known


def rows(options):
    known = programs(options)
    drawn = [program for program in known if program.name not in (SOURCE, PIPE)]
    # The error first: what is missing or wrong then shows early.
    errors = {program.name: error(program, options) for program in drawn}
    costs = measure(known, options.rounds)
    return [{"name": program.name, "kind": program.kind, "errors": errors[program.name],
             "cpu_ms": beyond(program, costs[0]), "rounds_ms": [beyond(program, each) for each in costs[1:]]}
            for program in drawn]


def beyond(program, costs):
    """Milliseconds beyond those of the bare source."""
    return round(costs[program.name] - costs[program.baseline], 2)


def measure(known, rounds):
    """CPU milliseconds a frame by name: of the least of all rounds, since other work on the machine only slows, and then of each."""
    programs = {program.name: program for program in known}
    jobs = [(name, count) for name, program in programs.items() for count in program.frames]
    times = peers.measured_rounds(
        jobs, rounds, lambda job: "{}, {} frames".format(*job), lambda job: programs[job[0]].command(job[1]))
    return [{name: peers.slopes(each, [name], program.frames)[0] for name, program in programs.items()}
            for each in (peers.least_of(times), *times)]


def error(program, options):
    """The mean absolute difference x 10^-3 by set."""
    found = {}
    sets = [s for root in options.places[3:] for s in sorted(root.iterdir()) if any((s / t).is_dir() for t in TRUTHS)]
    for data in sets:
        pictures = next((data / p for p in ("frames", "images") if (data / p).is_dir()), None)
        if pictures is None or (options.only and data.name not in options.only):
            continue
        peers.show(f"{program.name}: {data.name}")
        with tempfile.TemporaryDirectory() as scratch:
            video = ["--video"] * (pictures.name == "frames")
            quiet = {"stdout": subprocess.DEVNULL, "check": True}
            subprocess.run([*program.masks(str(pictures), f"{scratch}/masks"), *video], **quiet)
            scores = pathlib.Path(scratch) / "scores.json"
            subprocess.run([EVALUATE, "score", "masks", "--truth", str(data), "--pred", f"{scratch}/masks",
                            "--json", str(scores)], **quiet)
            found[data.name] = round(json.loads(scores.read_text())[data.name]["mean"]["MAE"], 2)
    if not found:
        sys.exit("tradeoff: there is no such set: a folder with images/ or frames/ and truth.")
    return found


def mean(row):
    return sum(row["errors"].values()) / len(row["errors"])


def report(found):
    print(f"\n{found['cpu']}; CPU milliseconds a frame of 1280x720 over the bare source; MAE x 10^-3\n")
    print("| | CPU ms | " + " | ".join(found["rows"][0]["errors"]) + " | mean |")
    print("|" + " --- |" * (3 + len(found["rows"][0]["errors"])))
    for row in found["rows"]:
        errors = " | ".join(f"{value:.1f}" for value in row["errors"].values())
        print(f"| {row['name']} | {row['cpu_ms']:.1f} | {errors} | {mean(row):.1f} |")


def draw(found, path):
    import matplotlib

    matplotlib.use("Agg")
    from matplotlib import pyplot

    figure, axes = pyplot.subplots(figsize=(7, 4.2))
    # Names of neighbouring peers would run into each other.
    for kind, color, line, turn in (("here", "tab:green", "-", 0), ("peer", "tab:gray", "", 20)):
        points = [(row["cpu_ms"], mean(row), row["name"]) for row in found["rows"] if row["kind"] == kind]
        axes.plot([x for x, _, _ in points], [y for _, y, _ in points], "o" + line, color=color)
        for x, y, name in points:
            axes.annotate(
                name.removeprefix("personsegment "), (x, y), xytext=(6, 5), textcoords="offset points", fontsize=8,
                rotation=turn, rotation_mode="anchor")
    axes.set_xscale("log")
    # With room for names.
    axes.set_ylim(0, 1.3 * max(mean(row) for row in found["rows"]))
    costs = [row["cpu_ms"] for row in found["rows"]]
    axes.set_xlim(0.6 * min(costs), 8 * max(costs))
    axes.set_xlabel("CPU milliseconds a frame, 1280x720")
    axes.set_ylabel("MAE x 10$^{-3}$, mean of " + ", ".join(found["rows"][0]["errors"]), fontsize=8)
    figure.text(0.01, 0.01, found["cpu"], fontsize=7)
    figure.tight_layout()
    figure.savefig(path, dpi=110)
    print(f"\n{path}")


if __name__ == "__main__":
    main()
