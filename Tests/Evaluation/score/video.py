"""Video mattes: like masks, for the frames of one clip in name order, and how they change over time.

dtSSD: root mean square error of the change of coverage from frame to frame, x100. flicker: mean change of the
predicted coverage, x1000, where the true one stands still (changes by 2/255 at most); edge_flicker: the same
within 3 % of the diagonal of the true outline; flicker_p95: the 95th percentile of the frames' flicker. A set with
frames/ also gets its pops (see `pops`).
"""
import numpy as np

import masks
import pops
from outlines import distance_to, outline
from pictures import predicted_mask, sets_of, true_mask

#: Coverage that changes less stands still; between two steps of 8 bits, so that rounding does not decide.
STILL = 2.01 / 255
#: How far from the outline its surroundings reach, as a share of the diagonal.
EDGE_BAND = 0.03


def add_options(command):
    """There are none."""


def score(arguments, pool):
    """The scores of `masks`, with the temporal ones and the pops of each set."""
    sets = sets_of(arguments.truth, arguments.pred)
    scores = masks.score_sets(sets, pool)
    for data in sets:
        changes = [compare(*pair) for pair in pairs(frames(data))]
        if changes:
            scores[data.name]["temporal"] = summary(np.array(changes))
        if pops.has_frames(data.folder):
            scores[data.name]["pops"] = pops.score_clip(data.folder / "frames", data.predictions, pool)
    return scores


def frames(data):
    """True and predicted coverage of each frame."""
    for stem in data.stems():
        truth, _ = true_mask(data.folder, data.kind, stem)
        yield truth, predicted_mask(data.predictions, stem, truth.shape)[0]


def pairs(items):
    """Each item with the one before it."""
    items = iter(items)
    before = next(items, None)
    for item in items:
        yield before, item
        before = item


def compare(before, frame):
    """dtSSD, flicker and edge flicker from one frame to the next."""
    truth, prediction = frame
    true_change, change = truth - before[0], prediction - before[1]
    still = np.abs(true_change) <= STILL
    edges = outline(truth > 0.5)
    band = np.zeros(truth.shape, bool)
    if edges.any():
        band = still & (distance_to(edges) <= EDGE_BAND * np.hypot(*truth.shape))
    error = 100 * np.sqrt(((change - true_change) ** 2).mean())
    return [error, *(1000 * np.abs(change[area]).mean() if area.any() else 0.0 for area in (still, band))]


def summary(changes):
    scores = dict(zip(("dtSSD", "flicker", "edge_flicker"), map(float, changes.mean(0))))
    return {**scores, "flicker_p95": float(np.percentile(changes[:, 1], 95))}


def report(scores):
    """Prints the table of masks, and for each set a line of temporal scores and one of pops."""
    masks.report(scores)
    for name, s in scores.items():
        if "temporal" in s:
            print(f"{name}: " + "  ".join(f"{key} {value:.3f}" for key, value in s["temporal"].items()))
        if "pops" in s:
            print(pops.line(name, s["pops"]))
