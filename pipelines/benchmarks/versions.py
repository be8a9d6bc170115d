"""Measures an earlier version of the project beside this one and other programs, in one run in shuffled order.

usage: versions.py PEOPLE_BENCH CLIP PORTRAIT PICTURE MODELS OPTIONAL_MODELS --before CHECKOUT [--rounds N] [--only TEXT]

CHECKOUT is a folder with the earlier version, built, whose name is the commit. Each version runs with the environment that its own
`pipelines/env` prints, and with a cache of models and a registry of its own, which are new and filled before anything is measured.

Frames have 1280x720. CPU time a frame is what many frames take beyond few, by their number, less that of the bare source. The start
is the wall time of a single frame, less that of the source. The least of the rounds counts, since other work on the machine only slows.
"""
import argparse
import contextlib
import os
import pathlib
import subprocess
import sys
import tempfile
import typing

import people_bench
import tradeoff
from peers import cpu, least, show, slopes, table

from levels import CLIP, PORTRAIT, SOURCES, START, command, resident

SIZE = (1280, 720)
HERE = pathlib.Path(__file__).resolve().parent
#: The two versions, and the other programs.
BEFORE, NOW, PEER = "before", "now", "another program"
#: The clip as fast as a camera gives it, so that elements take it for one.
CAMERA = "the clip, as of a camera"
SOURCES = SOURCES | {CAMERA: SOURCES[CLIP] + " ! identity sync=true"}
#: Number of starts in a round; they are short.
STARTS = 3


class Row(typing.NamedTuple):
    """Elements behind a source, the numbers of frames that are compared, and what is shown beside them: bare inferences of an
    element of `people-bench limits`, and a program of peers.py or tradeoff.py."""

    source: str
    elements: str
    frames: tuple
    inferences: str = ""
    peer: str = ""


#: Few and many frames. `people-bench limits` has the same ones, but for those of `fast`, which all cost the same.
LIGHT, MEDIUM, HEAVY, HEAVIEST = (60, 300), (20, 140), (20, 80), (4, 20)
FAST, BALANCED, ACCURATE = (f"personsegment quality={level}" for level in ("fast", "balanced", "accurate"))
ROWS = {
    f"`{FAST}`": Row(CLIP, f"{FAST} ! ", LIGHT, FAST, "MediaPipe selfie landscape"),
    f"`{FAST} ! blendmask background=PICTURE`": Row(
        CLIP, FAST + " ! blendmask background={picture} ! ", LIGHT, FAST, "MediaPipe selfie landscape, NumPy blend"),
    f"`{FAST} ! blendmask blur=50`": Row(CLIP, f"{FAST} ! blendmask blur=50 ! ", LIGHT, FAST),
    f"`{BALANCED}`": Row(CLIP, f"{BALANCED} ! ", HEAVY, BALANCED, "RVM, longer side 288"),
    "the same, one person who stands still": Row(PORTRAIT, f"{BALANCED} ! ", HEAVY),
    f"`{ACCURATE}`": Row(CLIP, f"{ACCURATE} ! ", HEAVIEST, ACCURATE, "RVM, longer side 512"),
    "`subjectsegment quality=fast`": Row(CLIP, "subjectsegment quality=fast ! ", HEAVY, "subjectsegment quality=fast"),
    "`facepose`, three faces": Row(CLIP, "facepose ! ", MEDIUM, "facepose", "MediaPipe FaceMesh, 4 faces"),
    "`bodypose`, three people": Row(CLIP, "bodypose ! ", HEAVY, "bodypose"),
    "`bodypose`, three people before a camera": Row(CAMERA, "bodypose ! ", HEAVY),
    "`bodypose max-people=1`": Row(CLIP, "bodypose max-people=1 ! ", HEAVY, peer="MediaPipe Pose, 1 person"),
    "`handpose`, two hands": Row(CLIP, "handpose ! ", HEAVY, "handpose", "MediaPipe Hands, 2 hands"),
    "`handpose`, two hands before a camera": Row(CAMERA, "handpose ! ", HEAVY),
}
#: The rows whose memory and start are measured, too.
WHOLE = [f"`{level}`" for level in (FAST, BALANCED, ACCURATE)]


def main():
    options = arguments()
    report(measured(options))


def arguments():
    parser = argparse.ArgumentParser(prog="bench --versions")
    for name in ("people_bench", "clip", "portrait", "picture", "models", "optional_models"):
        parser.add_argument(name, type=pathlib.Path)
    parser.add_argument("--before", type=pathlib.Path, required=True, metavar="REVISION")
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--only", default="", metavar="TEXT", help="rows whose names hold TEXT")
    options = parser.parse_args()
    if options.rounds < 1:
        parser.error("--rounds must be at least 1")
    if not any(options.only in name for name in ROWS):
        parser.error(f"no row's name holds {options.only}")
    return options


def measured(options):
    """The revision and its date; by row, costs, memory and start of both versions, as far as the earlier one has the elements."""
    with environments(options.before) as known:
        bench = Bench(options, known)
        bench.warm_up()
        times = least(bench.jobs(), options.rounds, lambda job: "{}: {}, {} frames".format(*job), bench.commands, bench.environment)
        memory = bench.memory()
    wants_inferences = any(row.inferences for row in bench.rows.values())
    inferences = people_bench.limits(options.people_bench) if wants_inferences else {}
    return {**revision(options.before), "costs": bench.costs(times, inferences), "memory": memory, "start": bench.starts(times)}


class Bench:
    """The pipelines of a run. A job is a side (a version, or another program), a name (of a row, a source or a program), and a
    number of frames."""

    def __init__(self, options, environments):
        self.options, self.environments = options, environments
        self.rows = {name: row for name, row in ROWS.items() if options.only in name}
        self.programs = programs(self.rows, options)
        self.sides = {(side, name) for side in environments for name in self.rows}

    def warm_up(self):
        """Compiles what models the rows need, so that all later starts are second ones; leaves out what an earlier version lacks."""
        for side, name in sorted(self.sides):
            show(f"first run: {side}: {name}")
            job = (side, name, self.rows[name].frames[1])
            failed = subprocess.run(self.commands(job)[0], stdout=subprocess.DEVNULL, env=self.environment(job)).returncode
            if failed and side == NOW:
                sys.exit(f"failed: {name}")
            if failed:
                print(f"\nleft out: {name} ({side})")
                self.sides.remove((side, name))
        show("")

    def jobs(self):
        counts = {(side, name): {*self.rows[name].frames} for side, name in self.sides}
        for row in self.rows.values():
            counts.setdefault((NOW, row.source), set()).update(row.frames)
            for program in {row.peer, self.programs[row.peer].baseline} if row.peer in self.programs else ():
                counts.setdefault((PEER, program), set()).update(row.frames)
        starts = [(side, name, START) for side, name in self.sides if name in WHOLE]
        starts += [(NOW, CLIP, START)] if starts else []
        return [(*key, count) for key, several in counts.items() for count in several] + STARTS * starts

    def commands(self, job):
        side, name, count = job
        if side == PEER:
            return self.programs[name].command(count)
        row = self.rows.get(name) or Row(name, "", ())
        return [command(SOURCES[row.source], row.elements, SIZE, count, self.options)]

    def environment(self, job):
        return self.environments.get(job[0])

    def costs(self, times, inferences):
        """CPU ms a frame: by row, of each version that has it, of its bare inferences now, and of the program beside it."""
        def cost(key, source, row):
            own, base = (slopes(times, place, row.frames)[0] for place in (key, source))
            return round(own - base, 2)

        found = {}
        for name, row in self.rows.items():
            found[name] = {side: cost((side, name), (NOW, row.source), row) for side in self.having(name)}
            if row.inferences in inferences:
                found[name]["inferences"] = inferences[row.inferences]["inferences_ms"]
            if row.peer in self.programs:
                baseline = (PEER, self.programs[row.peer].baseline)
                found[name] |= {"peer": row.peer, "peer_ms": cost((PEER, row.peer), baseline, row)}
        return found

    def starts(self, times):
        """Wall time of the first frame in ms."""
        return {name: {side: round(1000 * (times[side, name, START][1] - times[NOW, CLIP, START][1])) for side in self.having(name)}
                for name in self.whole()}

    def memory(self):
        """Largest resident memory in MB."""
        def megabytes(side, name):
            job = (side, name, self.rows[name].frames[1])
            return resident(self.commands(job)[0], self.environment(job))

        return {name: {side: megabytes(side, name) for side in self.having(name)} for name in self.whole()}

    def whole(self):
        return [name for name in self.rows if name in WHOLE]

    def having(self, name):
        return [side for side in (BEFORE, NOW) if (side, name) in self.sides]


def programs(rows, options):
    """The other programs that are beside the rows, and their sources, by name; without those that are not installed."""
    places = [options.clip, options.models, options.optional_models]
    known = {program.name: program for program in (*table(options), *tradeoff.programs(argparse.Namespace(places=places)))}
    chosen = {row.peer: known[row.peer] for row in rows.values() if row.peer in known}
    return chosen | {program.baseline: known[program.baseline] for program in chosen.values()}


@contextlib.contextmanager
def environments(checkout):
    """The environment of each version, with a cache of models and a registry of its own; they are removed in the end."""
    with tempfile.TemporaryDirectory() as folder:
        yield {side: {**variables, "XDG_CACHE_HOME": tempfile.mkdtemp(dir=folder), "GST_REGISTRY": f"{folder}/{side}.registry"}
               for side, variables in ((BEFORE, variables_of(checkout)), (NOW, os.environ))}


def variables_of(checkout):
    """The environment with what the checkout's `pipelines/env` exports, and without what is set for this version."""
    mine = {name: value for name, value in os.environ.items() if name != "GST_PLUGIN_PATH" and not name.startswith("GST_PEOPLE_")}
    line = 'exports=$(pipelines/env) && eval "$exports" && env -0'
    found = subprocess.run(["bash", "-c", line], cwd=checkout, env=mine, check=True, stdout=subprocess.PIPE, text=True).stdout
    return dict(pair.split("=", 1) for pair in found.split("\0") if pair)


def revision(checkout):
    date = subprocess.run(["git", "-C", HERE, "show", "-s", "--format=%cs", checkout.name], check=True, stdout=subprocess.PIPE, text=True)
    return {"revision": checkout.name, "revision_date": date.stdout.strip()}


def report(found):
    print(f"\n{cpu()}; before: {found['revision']} of {found['revision_date']}; 1280x720\n")
    print("| CPU ms a frame | before | now | now : before | bare inferences now | another program |\n|" + " --- |" * 6)
    for name, row in found["costs"].items():
        bare = f"{row['inferences']:.1f}" if "inferences" in row else ""
        peer = f"{row['peer_ms']:.1f} ({row['peer']})" if "peer" in row else ""
        print_row(name, [*sides(row, "{:.1f}"), bare, peer])
    print("\n| | before | now | now : before |\n|" + " --- |" * 4)
    for title, unit in (("memory", "MB"), ("start", "ms")):
        for name, row in found[title].items():
            print_row(f"{title}, {name}", sides(row, f"{{}} {unit}"))


def sides(row, form):
    """Cells of both versions, and of their ratio; empty ones without an earlier version that has the row."""
    if row.get(BEFORE, 0) <= 0:
        return ["", form.format(row[NOW]), ""]
    return [form.format(row[BEFORE]), form.format(row[NOW]), f"{row[NOW] / row[BEFORE]:.2f}"]


def print_row(name, cells):
    print(f"| {' | '.join([name, *cells])} |")


if __name__ == "__main__":
    main()
