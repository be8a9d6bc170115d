"""Masks: 8-bit grey PNGs named like the pictures, of any resolution.

Truth: a set (a folder with alpha/, masks/ or instances/, and perhaps ignore/), or a folder of sets.
Columns: IoU and BF (boundary F, tolerance 0.75 % of the diagonal) of coverage over a half; MAE (mean absolute
error of coverage, x1000); SAD (sum of absolute differences, /1000); Grad (squared difference of the gradients of
Gaussian scale 1.4, /1000). Means and medians, and what the worst tenth of the pictures does not reach: the tenth
percentile of IoU and the ninetieth of MAE. With --by-clip also the means of each clip, whose pictures are called
CLIP_NUMBER.
"""
import numpy as np
from scipy import ndimage

from outlines import boundary_f
from pictures import ScoreError, predicted_mask, sets_of, true_mask

COLUMNS = ("IoU", "MAE", "SAD", "Grad", "BF")
#: Of the Gaussian whose gradients are compared, in pixels (Rhemann et al., CVPR 2009).
GRADIENT_SCALE = 1.4
#: Pictures that a process takes at a time.
CHUNK = 4
WORST = 5


def add_options(command):
    command.add_argument("--strict", action="store_true",
                         help="count the pixels of ignore/ too (carried bags and phones as background)")
    command.add_argument("--min-area", type=float, default=0.0, metavar="SHARE",
                         help="leave out pictures of which people cover less")
    command.add_argument("--by-clip", action="store_true",
                         help="also the scores of the pictures whose names are alike up to the last underscore")


def score(arguments, pool):
    """Scores by set and their mean over the sets."""
    return score_sets(sets_of(arguments.truth, arguments.pred), pool, arguments.strict, arguments.min_area,
                      arguments.by_clip)


def score_sets(sets, pool, strict=False, min_area=0.0, by_clip=False):
    scores = {}
    for data in sets:
        jobs = [(data, stem, strict, min_area) for stem in data.stems()]
        rows = [row for row in pool.map(score_picture, jobs, CHUNK) if row]
        if rows:
            scores[data.name] = summary(rows)
            if by_clip:
                scores[data.name]["clips"] = clips(rows)
    if not scores:
        raise ScoreError("no picture with truth and people large enough was found.")
    if len(scores) > 1:
        scores["macro"] = {
            kind: {c: float(np.mean([s[kind][c] for s in scores.values()])) for c in COLUMNS}
            for kind in ("mean", "median")}
    return scores


def score_picture(job):
    """Base name, whether the prediction is missing, and the scores of a picture; None when it is left out."""
    data, stem, strict, min_area = job
    truth, counts = true_mask(data.folder, data.kind, stem)
    if truth.mean() < min_area:
        return None
    if strict and data.kind != "instances":
        counts = np.ones(truth.shape, bool)
    prediction, missing = predicted_mask(data.predictions, stem, truth.shape)
    return stem, missing, compare(truth, prediction, counts)


def compare(truth, prediction, counts):
    """The scores of one mask; `counts` says which pixels do."""
    prediction = np.where(counts, prediction, truth)
    true_people, people = (truth > 0.5) & counts, (prediction > 0.5) & counts
    union = (true_people | people).sum()
    error = np.abs(truth - prediction)[counts]
    true_slope, slope = (ndimage.gaussian_gradient_magnitude(m, GRADIENT_SCALE) for m in (truth, prediction))
    return {
        "IoU": float((true_people & people).sum() / union) if union else 1.0,
        "MAE": 1000 * float(error.mean()),
        "SAD": float(error.sum()) / 1000,
        "Grad": float(((true_slope - slope)[counts] ** 2).sum()) / 1000,
        "BF": boundary_f(true_people, people, counts),
    }


def summary(rows):
    """What is said about a set."""
    scores = [s for *_, s in rows]
    worst = sorted(rows, key=lambda row: row[2]["IoU"])[:WORST]
    return {
        "n": len(rows),
        "missing": sum(missing for _, missing, _ in rows),
        "mean": {c: float(np.mean([s[c] for s in scores])) for c in COLUMNS},
        "median": {c: float(np.median([s[c] for s in scores])) for c in COLUMNS},
        "p10_IoU": float(np.percentile([s["IoU"] for s in scores], 10)),
        "p90_MAE": float(np.percentile([s["MAE"] for s in scores], 90)),
        "worst": [(stem, round(s["IoU"], 3)) for stem, _, s in worst],
    }


def clips(rows):
    """The means of each clip, by its name."""
    names = sorted({stem.rpartition("_")[0] for stem, *_ in rows})
    own = {name: [s for stem, _, s in rows if stem.rpartition("_")[0] == name] for name in names}
    return {name: {c: float(np.mean([s[c] for s in scores])) for c in COLUMNS} for name, scores in own.items()}


def report(scores):
    """Prints the table."""
    names = "".join(f"{c:>8}" for c in COLUMNS)
    print(f'{"set":20}{"n":>5}{"miss":>5} | mean {names}  | median {names} | p10 IoU, p90 MAE')
    for name, s in scores.items():
        counts = f'{s["n"]:5}{s["missing"]:5}' if "n" in s else " " * 10
        tenth = f' |  {s["p10_IoU"]:.3f} {s["p90_MAE"]:8.2f}' if "n" in s else ""
        print(f'{name:20}{counts} |      {figures(s["mean"])}  |        {figures(s["median"])}{tenth}')
    for s in scores.values():
        for clip, means in s.get("clips", {}).items():
            print(f"{clip:30} |      {figures(means)}")
    for name, s in scores.items():
        if "worst" in s:
            print(f"worst {name}: " + ", ".join(f"{stem} {iou:.3f}" for stem, iou in s["worst"]))


def figures(scores):
    return "".join(f"{scores[c]:8.3f}" if c in ("IoU", "BF") else f"{scores[c]:8.2f}" for c in COLUMNS)
