"""Scores of every quality on every set of a folder of sets with truth."""
import json
import shlex
import subprocess
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

import masks
from gstreamer import EvaluationError

QUALITIES = ("fast", "balanced", "accurate")
TRUTHS = ("alpha", "masks", "instances")
#: Sets of everyday photos are scored a second time where people are large enough to matter.
LARGE = 0.1
HEADER = ("quality", "set", "IoU", "MAE x1000", "boundary F", "flicker", "dtSSD")


def evaluate(arguments):
    """Runs `Tests/evaluate table`."""
    sets = [s for s in scored_sets(arguments.root) if not arguments.only or s.name in arguments.only]
    if not sets:
        raise EvaluationError(f"{arguments.root} holds no set: a folder with images/ or frames/ and truth.")
    print("| " + " | ".join(HEADER) + " |\n|" + " --- |" * len(HEADER))
    with tempfile.TemporaryDirectory() as scratch:
        keep = arguments.keep or Path(scratch)
        for quality in arguments.quality or QUALITIES:
            for data in sets:
                for row in rows(data, quality, keep / quality / data.name, arguments.scorer):
                    print("| " + " | ".join(row) + " |", flush=True)


def scored_sets(root):
    """Folders with pictures and one kind of truth."""
    if not root.is_dir():
        raise EvaluationError(f"{root} is not a folder.")
    return [s for s in sorted(root.iterdir()) if any((s / t).is_dir() for t in TRUTHS)
            and any((s / p).is_dir() for p in ("images", "frames"))]


def rows(data, quality, output, scorer):
    is_video = (data / "frames").is_dir()
    pictures = data / ("frames" if is_video else "images")
    with Quiet():
        masks.evaluate(Namespace(
            input=pictures, output=output, quality=quality, properties=[], video=is_video, sheet=None))
    yield row(quality, data.name, score(scorer, "video" if is_video else "masks", data, output))
    if (data / "instances").is_dir():
        scores = score(scorer, "masks", data, output, "--min-area", str(LARGE))
        yield row(quality, f"{data.name}, people >= {LARGE:.0%}", scores)


def score(scorer, command, data, output, *more):
    """What the scorer writes about one set."""
    words = shlex.split(scorer)
    if words[0].endswith(".py"):
        words.insert(0, sys.executable)
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        run = subprocess.run(
            [*words, command, "--truth", data, "--pred", output, "--json", report.name, *more],
            capture_output=True, text=True)
        if run.returncode:
            raise EvaluationError(f"{scorer} failed: {run.stderr.strip()[-400:]}")
        return json.load(report)[data.name]


def row(quality, name, scores):
    mean, temporal = scores["mean"], scores.get("temporal", {})
    return [quality, name, f"{mean['IoU']:.3f}", f"{mean['MAE']:.1f}", f"{mean['BF']:.3f}",
            *(f"{temporal[k]:.2f}" if k in temporal else "" for k in ("flicker", "dtSSD"))]


class Quiet:
    """Sends what is printed within to the standard error."""

    def __enter__(self):
        self.saved, sys.stdout = sys.stdout, sys.stderr

    def __exit__(self, *_):
        sys.stdout = self.saved
