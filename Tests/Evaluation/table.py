"""Scores of every quality on every set of folders of sets with truth."""
import json
import sys
import tempfile
from argparse import Namespace
from pathlib import Path

import faces
import masks
import peer
import scorer
from gstreamer import EvaluationError

QUALITIES = ("fast", "balanced", "accurate")
#: Another program beside the levels: RVM alone.
PEER = "rvm"
TRUTHS = ("alpha", "masks", "instances")
#: Sets of everyday photos are scored a second time where people cover at least this share of a picture.
LARGE = 0.1
#: Means but where they say otherwise; what is bad is counted (`score masks` says when it is); the last two are differences to
#: masks of mirror images, x1000. Of pops the worst frame's, in per cent of the person, and the share of frames above 3 %.
COLUMNS = ("IoU", "median", "10 %", "MAE x1000", "median", "90 %", "boundary F", "median", "flicker", "dtSSD", "worst pop %",
           "pops", "bad pictures", "bad people", "bad faces", "mirror median", "mirror 90 %")
DIGITS = (3, 3, 3, 1, 1, 1, 3, 3, 2, 2, 1, 3, 0, 0, 0, 2, 2)


def evaluate(arguments):
    """Runs `Tests/evaluate table`."""
    sets = chosen_sets(arguments.root, arguments.only)
    results = Results(arguments.json, arguments.resume)
    print_row("quality", "set", *COLUMNS)
    print_row(*["---"] * (2 + len(COLUMNS)))
    with tempfile.TemporaryDirectory() as scratch:
        scratch = Path(scratch)
        keep = arguments.keep or scratch
        measurement = Measurement(scratch, arguments.mirrored)
        for quality in arguments.quality or QUALITIES:
            what = " ".join([quality, *arguments.properties])
            entries = {}
            for data in sets:
                if not results.has(what, data.name):
                    output = keep / what.replace("/", "_") / data.name
                    results.add(what, measurement.scores(data, quality, arguments.properties, output))
                for name, scores in results.of(what, data.name).items():
                    print_row(what, name, *cells(scores))
                    entries[name] = scores
            if len(sets) > 1:
                print_row(what, f"mean of {len(sets)} sets", *mean_cells([entries[s.name] for s in sets]))


def chosen_sets(roots, names):
    """The sets of all roots, or those of these names."""
    sets = [s for root in roots for s in sets_in(root) if not names or s.name in names]
    if not sets:
        raise EvaluationError("there is no such set: a folder with images/ or frames/ and truth.")
    twice = next((s.name for s in sets if sum(t.name == s.name for t in sets) > 1), None)
    if twice:
        raise EvaluationError(f"several sets are called {twice}.")
    return sets


def sets_in(root):
    """Folders with pictures and one kind of truth."""
    if not root.is_dir():
        raise EvaluationError(f"{root} is not a folder.")
    return [s for s in sorted(root.iterdir()) if any((s / t).is_dir() for t in TRUTHS)
            and any((s / p).is_dir() for p in ("images", "frames"))]


class Measurement:
    """Makes masks of sets and scores them; faces and mirror images are made once for each set."""

    def __init__(self, scratch, is_mirrored):
        self.scratch, self.is_mirrored = scratch, is_mirrored

    def scores(self, data, quality, properties, output):
        """Scores by the name of the row."""
        is_video = (data / "frames").is_dir()
        self.make_masks(data, quality, properties, output)
        options = [] if is_video else ["--faces", self.faces(data)]
        scores = {data.name: scorer.scores("video" if is_video else "masks", data, output, *options)}
        if (data / "instances").is_dir():
            large = scorer.scores("masks", data, output, "--min-area", str(LARGE), *options)
            scores[f"{data.name}, people >= {LARGE:.0%}"] = large
        if self.is_mirrored:
            scores[f"{data.name}, mirrored"] = self.mirrored_scores(data, quality, properties, output)
        return scores

    def mirrored_scores(self, data, quality, properties, output):
        """Scores of the mirror image of a set, and its masks' difference to those of the set."""
        other = Measurement(self.scratch / "mirrored", False)
        mirrored = scorer.mirror_image(data, other.scratch / data.name)
        masks_of_it = output.parent / f"{output.name}-mirrored"
        scores = other.scores(mirrored, quality, properties, masks_of_it)[data.name]
        return {**scores, "mirror": scorer.scores("mirror", output, masks_of_it)}

    def make_masks(self, data, quality, properties, output):
        is_video = (data / "frames").is_dir()
        pictures = data / ("frames" if is_video else "images")
        with PrintToStandardError():
            if quality == PEER:
                if peer.rvm(pictures, output, is_video):
                    raise EvaluationError(f"RVM gave no masks of {data.name}.")
                return
            masks.evaluate(Namespace(
                element="personsegment", input=pictures, output=output, quality=quality, properties=properties, video=is_video,
                sheet=None))

    def faces(self, data):
        """The file with the faces of a set's pictures."""
        path = self.scratch / "faces" / f"{data.name}.json"
        if not path.exists():
            with PrintToStandardError():
                faces.evaluate(Namespace(
                    input=data / "images", output=path, video=False, rate=25, field_of_view=0, properties=[]))
        return path


class Results:
    """Scores by quality and row, kept in a file if there is one, so that a run can be taken up again."""

    def __init__(self, path, resume):
        self.path = path
        self.scores = json.loads(path.read_text()) if resume and path and path.exists() else {}

    def has(self, quality, name):
        return name in self.scores.get(quality, {})

    def of(self, quality, name):
        """The rows of a set."""
        rows = self.scores[quality]
        return {row: rows[row] for row in rows if row == name or row.startswith(f"{name}, ")}

    def add(self, quality, rows):
        self.scores.setdefault(quality, {}).update(rows)
        if self.path:
            whole = self.path.with_suffix(".part")
            whole.write_text(json.dumps(self.scores, indent=1) + "\n")
            whole.replace(self.path)


def values(scores):
    """The table's columns of a set; None where a set has no such score."""
    mean, median = scores["mean"], scores["median"]
    temporal, pops, mirror = scores.get("temporal", {}), scores.get("pops", {}), scores.get("mirror", {})
    bad = [scores.get("catastrophes", {}).get(kind, {}).get("bad") for kind in ("pictures", "people", "faces")]
    return [mean["IoU"], median["IoU"], scores.get("p10_IoU"), mean["MAE"], median["MAE"], scores.get("p90_MAE"), mean["BF"],
            median["BF"], temporal.get("flicker"), temporal.get("dtSSD"), pops.get("worst"), pops.get("share"), *bad,
            mirror.get("median"), mirror.get("p90")]


def mean_cells(sets):
    """The mean of each column over the sets that have it."""
    columns = zip(*map(values, sets))
    known = [[value for value in column if value is not None] for column in columns]
    return formatted([sum(column) / len(column) if column else None for column in known])


def cells(scores):
    return formatted(values(scores))


def formatted(row):
    return ["" if value is None else f"{value:.{d}f}" for value, d in zip(row, DIGITS)]


def print_row(*words):
    print("| " + " | ".join(words) + " |", flush=True)


class PrintToStandardError:
    """Sends what is printed within to the standard error."""

    def __enter__(self):
        self.saved, sys.stdout = sys.stdout, sys.stderr

    def __exit__(self, *_):
        sys.stdout = self.saved
