"""Sets of pictures with truth: where they lie and how their masks are read.

A set is a folder with one of `alpha/` (8-bit coverage), `masks/` (8-bit, person 255) or `instances/` (person
numbers from 1, 0 background, 255 unknown), and perhaps `ignore/`, whose non-zero pixels do not count.
"""
from typing import NamedTuple

import numpy as np
from PIL import Image

KINDS = ("alpha", "masks", "instances")
#: Of label maps: a pixel of which nothing is known.
UNKNOWN = 255


class ScoreError(Exception):
    """What is wrong with the input."""


class TruthSet(NamedTuple):
    """One set and the folder with its predictions."""

    name: str
    folder: object
    kind: str
    predictions: object

    def stems(self):
        """The base names of its pictures, in name order."""
        return sorted(path.stem for path in (self.folder / self.kind).glob("*.png"))


def sets_of(truth, predictions):
    """The set `truth`, or the sets in the folder `truth` that have predictions of the same name."""
    truth = truth.absolute()
    if kind_of(truth):
        inner = predictions / truth.name
        return [TruthSet(truth.name, truth, kind_of(truth), inner if inner.is_dir() else predictions)]
    sets = [
        TruthSet(folder.name, folder, kind_of(folder), predictions / folder.name)
        for folder in sorted(truth.iterdir())
        if kind_of(folder) and (predictions / folder.name).is_dir()]
    if not sets:
        raise ScoreError(f"{truth} has no set with predictions in {predictions}.")
    return sets


def kind_of(folder):
    """Which kind of truth a folder has; None when it is no set."""
    return next((kind for kind in KINDS if (folder / kind).is_dir()), None)


def grey(path, size=None, resampling=Image.Resampling.BILINEAR):
    """The samples of an 8-bit picture, at another (width, height) if need be. Palette numbers stay numbers."""
    with Image.open(path) as image:
        image = image if image.mode in ("L", "P") else image.convert("L")
        return np.asarray(image if size in (None, image.size) else image.resize(size, resampling))


def true_mask(folder, kind, stem):
    """Coverage from 0 to 1, and which pixels count."""
    samples = grey(folder / kind / f"{stem}.png")
    if kind == "instances":
        people = (samples > 0) & (samples < UNKNOWN)
        return people.astype(np.float32), samples < UNKNOWN
    ignored = folder / "ignore" / f"{stem}.png"
    counts = grey(ignored) == 0 if ignored.exists() else np.ones(samples.shape, bool)
    return samples.astype(np.float32) / 255, counts


def predicted_mask(folder, stem, shape):
    """Coverage from 0 to 1 at the truth's size, and whether the prediction is missing and taken for empty."""
    path = folder / f"{stem}.png"
    if not path.exists():
        return np.zeros(shape, np.float32), True
    return grey(path, shape[::-1]).astype(np.float32) / 255, False
