"""Measures what the documents show, in one run, and writes it to figures.json, from which docs/update-figures takes the numbers.

usage: report.py PEOPLE_BENCH CLIP PORTRAIT PICTURE MODELS OPTIONAL_MODELS --sets FOLDER --before CHECKOUT [--only SECTION] [--rounds N]

A run has all sections, measured on one machine between two of its starts, at one commit. Each section is kept in
bench-output/report.json as soon as it is measured, and figures.json is written when all are there. --only measures sections of the
last run, which another machine or commit cannot continue: those that are missing after an interruption, or again those that other
work has disturbed. Each section has the command that measured it, the run, the machine, its load before the measurement (processes
that were running, mean of a minute), the date and the commit. `tradeoff` and `masks` need sets with truth (docs/quality.md),
`versions` the checkout of an earlier version (versions.py).
"""
import argparse
import datetime
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import peers
import people_bench
import tradeoff
import versions

import levels

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
FIGURES = HERE / "figures.json"
#: The last run, which may lack sections.
RUN = ROOT / "bench-output/report.json"
PICTURE = ROOT / "docs/pictures/tradeoff.png"
#: Rows of `people-bench live` by a part of their elements.
LIVE_ROWS = {"fast": "quality=fast", "balanced": "quality=balanced !", "waiting": "lookahead=4", "facepose": "facepose"}
#: Scores of `Tests/evaluate table` that documents show.
SCORES = ("IoU", "MAE", "BF")


def main():
    options = arguments()
    run = continued(RUN, identity()) if options.only else begun(identity())
    for name in options.only or SECTIONS:
        command, measure = SECTIONS[name]
        load = round(os.getloadavg()[0], 1)
        print(f"{name}: {command}", flush=True)
        run["sections"][name] = {"command": command, "load": load, "figures": measure(options)}
        write(RUN, run)
    if missing := [name for name in SECTIONS if name not in run["sections"]]:
        sys.exit(f"bench --report: {RUN.relative_to(ROOT)} lacks {', '.join(missing)}: go on with --only, on this machine")
    write(FIGURES, figures(run))
    tradeoff.draw({"cpu": run["machine"], "rows": named(run["sections"]["tradeoff"]["figures"])}, PICTURE)
    subprocess.run([ROOT / "docs/update-figures"], check=True)


# Runs


def identity():
    """What makes figures comparable: the machine, its start, and the commit that is measured."""
    boot = pathlib.Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    return {"machine": peers.cpu(), "boot": boot, "commit": commit()}


def begun(here):
    now = datetime.datetime.now(datetime.UTC)
    return {**here, "run": f"{now:%Y-%m-%d %H:%M} UTC", "sections": {}}


def continued(path, here):
    """The last run, if it was measured here."""
    try:
        run = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        sys.exit("bench --report: --only belongs to a run that has begun, and there is none: leave --only out")
    if others := [f"{name} was {run[name]} and is {here[name]}" for name in here if run[name] != here[name]]:
        sys.exit(f"bench --report: the run of {run['run']} cannot be continued, since figures of two runs are not mixed: "
                 f"{', '.join(others)}. Leave --only out")
    return run


def figures(run):
    """The sections of a run as figures.json has them, each with its origin."""
    origin = {"run": run["run"], "machine": run["machine"], "date": run["run"].split()[0], "commit": run["commit"]}
    return {name: {**origin, **run["sections"][name]} for name in SECTIONS}


def named(rows):
    return [{"name": name, **row} for name, row in rows.items()]


def write(path, found):
    path.parent.mkdir(exist_ok=True)
    whole = path.with_suffix(".part")
    whole.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")
    whole.replace(path)


def commit():
    """The commit that is measured, of which the figures are to be those."""
    def git(*words):
        return subprocess.run(["git", "-C", ROOT, *words], capture_output=True, text=True).stdout.strip()

    if git("status", "--porcelain", "--untracked-files=no", "--", "Sources", "pipelines", ":!pipelines/benchmarks/figures.json"):
        sys.exit("bench --report: Sources or pipelines are changed: commit first, so that the figures name what was measured")
    return git("rev-parse", "--short=8", "HEAD")


def arguments():
    parser = argparse.ArgumentParser(prog="bench --report")
    for name in ("people_bench", "clip", "portrait", "picture", "models", "optional_models"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--only", action="append", choices=SECTIONS, help="this section and no other; may be given again")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--sets", type=pathlib.Path, action="append", default=[], metavar="FOLDER", help="sets with truth")
    parser.add_argument("--before", type=pathlib.Path, metavar="REVISION", help="an earlier version, for the section `versions`")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    for name in options.only or SECTIONS:
        if option := lacking(name, options):
            parser.error(f"{option} is missing, which {name} needs; figures of a run are all of it")
        if name in WITH_RVM and not (options.optional_models / "rvm.xml").exists():
            parser.error(f"{name} needs RVM: run pipelines/setup --with-rvm")
    return options


def lacking(name, options):
    """The option that a section needs and that was not given."""
    option = NEEDS.get(name)
    return None if option is None or getattr(options, option) else f"--{option}"


# Sections


def measured_levels(options):
    rows = [name for name in levels.ROWS if name not in levels.SOURCES]
    return levels.results(rows, levels.measure(rows, namespace(options, laptop=False)), is_laptop=False)


def measured_memory(options):
    return levels.memory([name for name in levels.ROWS if name not in levels.SOURCES], options)


def measured_limits(options):
    return people_bench.limits(options.people_bench)


def measured_laptop(options):
    rows = ["`personsegment quality=balanced`"]
    times = levels.measure(rows, namespace(options, laptop=True))
    return {name: levels.results(rows, times, is_laptop)[rows[0]] for name, is_laptop in (("all", False), ("laptop", True))}


def measured_peers(options):
    return {row["name"]: {name: row[name] for name in ("cpu_ms", "wall_ms", "frames_per_second")}
            for row in peers.measured(namespace(options, frames=(100, 300)))}


def measured_live(options):
    """Of 60 frames: how many are shown, and the latency in ms; beside no other work, and beside a busy thread for each core."""
    rows = [line.split(maxsplit=8) for line in people_bench.printed(options.people_bench, "live")]
    rows = [row for row in rows if len(row) == 9 and row[0].isdigit()]
    work = {"idle": "0", "busy": str(os.cpu_count())}
    return {name: {state: {"shown": int(row[3]), "latency_ms": int(row[7])}
                   for state, threads in work.items() for row in rows if row[0] == threads and text in row[8]}
            for name, text in LIVE_ROWS.items()}


def measured_streams(options):
    """By number of streams: frames a second of all together, milliseconds within which 99 % of the frames are done, and MB in all."""
    rows = [line.split() for line in people_bench.printed(options.people_bench, "streams")]
    return {row[0]: {"frames_per_second": int(row[1]), "slow_ms": float(row[2]), "megabytes": int(row[3])}
            for row in rows if row and row[0].isdigit()}


def measured_tradeoff(options):
    places = [options.clip, options.models, options.optional_models, *options.sets]
    return {row["name"]: {name: row[name] for name in ("kind", "cpu_ms", "rounds_ms", "errors")}
            for row in tradeoff.rows(namespace(options, places=places, only=["headshot_mattes"]))}


def measured_masks(options):
    """By level and set: means, medians and the tenth percentile of IoU; flicker and dtSSD of videos."""
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder) / "scores.json"
        subprocess.run([ROOT / "Tests/evaluate", "table", *options.sets, "--json", path], check=True)
        found = json.loads(path.read_text(encoding="utf-8"))
    return {level: {name: scores_of(scores) for name, scores in sets.items()} for level, sets in found.items()}


def measured_versions(options):
    return versions.measured(namespace(options, only=""))


def scores_of(scores):
    kept = {kind: {name: scores[kind][name] for name in SCORES if name in scores[kind]} for kind in ("mean", "median")}
    kept["p10_IoU"] = scores.get("p10_IoU")
    return {**kept, **{name: value for name, value in scores.get("temporal", {}).items() if name in ("flicker", "dtSSD")}}


def namespace(options, **more):
    return argparse.Namespace(**{**vars(options), **more})


#: By the name of the section: the command that measures it by itself, and the function.
SECTIONS = {
    "levels": ("pipelines/bench --levels", measured_levels),
    "memory": ("pipelines/bench --levels", measured_memory),
    "limits": ("pipelines/bench limits", measured_limits),
    "laptop": ("pipelines/bench --levels --laptop --only balanced", measured_laptop),
    "peers": ("pipelines/bench --peers", measured_peers),
    "live": ("pipelines/bench live", measured_live),
    "streams": ("pipelines/bench streams", measured_streams),
    "versions": ("pipelines/bench --versions REVISION", measured_versions),
    "tradeoff": ("pipelines/bench --tradeoff FOLDER", measured_tradeoff),
    "masks": ("Tests/evaluate table FOLDER", measured_masks),
}
#: The options without which a section is not measured.
NEEDS = {"tradeoff": "sets", "masks": "sets", "versions": "before"}
#: The sections that have RVM beside the levels.
WITH_RVM = ("tradeoff", "versions")

if __name__ == "__main__":
    sys.exit(main())
