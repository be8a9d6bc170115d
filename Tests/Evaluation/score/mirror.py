"""Masks of pictures and of their mirror images, which should be mirror images of each other.

Truth: a folder of masks; predictions: a folder with the masks of the mirror images, of the same names. Of each
picture the mean absolute difference (x1000); of these the median, the ninetieth percentile and the mean.
"""
import numpy as np

from pictures import ScoreError, grey

CHUNK = 4


def add_options(command):
    pass


def score(arguments, pool):
    """Scores under the name of the folder of masks."""
    stems = sorted(path.stem for path in arguments.truth.glob("*.png"))
    if not stems:
        raise ScoreError(f"{arguments.truth} has no masks.")
    found = pool.map(difference, [(arguments.truth, arguments.pred, stem) for stem in stems], CHUNK)
    percentiles = {"median": 50, "p90": 90}
    scores = {name: float(np.percentile(found, percentile)) for name, percentile in percentiles.items()}
    worst = sorted(zip(found, stems), reverse=True)[:5]
    return {arguments.truth.name: {
        "n": len(found), **scores, "mean": float(np.mean(found)), "worst": [(stem, round(value, 1)) for value, stem in worst]}}


def difference(job):
    masks, mirrored, stem = job
    mask = grey(masks / f"{stem}.png").astype(np.float32)
    other = grey(mirrored / f"{stem}.png", mask.shape[::-1]).astype(np.float32)
    return 1000 * float(np.abs(mask - other[:, ::-1]).mean()) / 255


def report(scores):
    """Prints the table."""
    for name, s in scores.items():
        print(f'{name:20}{s["n"]:5} pictures, difference to the mirror image x1000: '
              f'median {s["median"]:.2f}, 90 % {s["p90"]:.2f}, mean {s["mean"]:.2f}')
        print(f"worst {name}: " + ", ".join(f"{stem} {value}" for stem, value in s["worst"]))
