"""Masks: 8-bit grey PNGs named like the pictures, of any resolution.

Truth: a set (a folder with alpha/, masks/ or instances/, and perhaps ignore/), or a folder of sets.
Columns: IoU and BF (boundary F, tolerance 0.75 % of the diagonal) of coverage over a half; MAE (mean absolute
error of coverage, x1000); SAD (sum of absolute differences, /1000); Grad (squared difference of the gradients of
Gaussian scale 1.4, /1000). Means and medians, and what the worst tenth of the pictures does not reach: the tenth
percentile of IoU and the ninetieth of MAE.
What people do not forgive is counted: pictures whose MAE is above 40; people (of label maps each, of other truth all in
a picture) of whom less than 0.7 is kept; with --faces, as `Tests/evaluate faces` writes them, faces on people of which
less than 0.95 is covered. With --by-clip also the means of each clip, whose pictures are called
CLIP_NUMBER.
"""
import json
from pathlib import Path

import numpy as np
from scipy import ndimage

from outlines import boundary_f
from pictures import UNKNOWN, ScoreError, grey, predicted_mask, sets_of, true_mask

COLUMNS = ("IoU", "MAE", "SAD", "Grad", "BF")
#: Of the Gaussian whose gradients are compared, in pixels (Rhemann et al., CVPR 2009).
GRADIENT_SCALE = 1.4
#: Pictures that a process takes at a time.
CHUNK = 4
WORST = 5
#: Limits below or above which a mask is a catastrophe: MAE x1000, and shares of coverage.
BAD_ERROR = 40
KEPT_PERSON = 0.7
KEPT_FACE = 0.95
#: A face counts where the truth has at least this share of it: others are turned away, or painted.
TRUE_FACE = 0.9
#: Share of the face's extent around its middle that counts: hair and hats are no faces.
INNER_FACE = 0.8


def add_options(command):
    command.add_argument("--strict", action="store_true",
                         help="count the pixels of ignore/ too (carried bags and phones as background)")
    command.add_argument("--min-area", type=float, default=0.0, metavar="SHARE",
                         help="leave out pictures of which people cover less")
    command.add_argument("--faces", type=Path, metavar="FILE.json", help="faces of the pictures")
    command.add_argument("--by-clip", action="store_true",
                         help="also the scores of the pictures whose names are alike up to the last underscore")


def score(arguments, pool):
    """Scores by set and their mean over the sets."""
    return score_sets(sets_of(arguments.truth, arguments.pred), pool, arguments.strict, arguments.min_area,
                      arguments.by_clip, faces_in(arguments.faces))


def score_sets(sets, pool, strict=False, min_area=0.0, by_clip=False, faces=None):
    scores = {}
    for data in sets:
        jobs = [(data, stem, strict, min_area, (faces or {}).get(stem, [])) for stem in data.stems()]
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
    data, stem, strict, min_area, faces = job
    truth, counts = true_mask(data.folder, data.kind, stem)
    if truth.mean() < min_area:
        return None
    if strict and data.kind != "instances":
        counts = np.ones(truth.shape, bool)
    prediction, missing = predicted_mask(data.predictions, stem, truth.shape)
    scores = compare(truth, prediction, counts)
    scores["kept"] = [float(prediction[person].mean()) for person in people_of(data, stem, truth, counts)]
    scores["faces"] = kept_faces(faces, truth, prediction)
    return stem, missing, scores


def faces_in(path):
    """The 68 points of the faces of each picture, by base name."""
    if path is None:
        return None
    images = json.loads(path.read_text())["images"]
    return {Path(name).stem: [np.array(face["points"]) for face in image["faces"]] for name, image in images.items()}


def people_of(data, stem, truth, counts):
    """Where each person is; of truth without numbers, where anybody is."""
    if data.kind != "instances":
        people = (truth > 0.5) & counts
        return [people] if people.any() else []
    labels = grey(data.folder / data.kind / f"{stem}.png")
    return [labels == label for label in np.unique(labels) if 0 < label < UNKNOWN]


def kept_faces(faces, truth, prediction):
    """The covered share of each face that belongs to a person by the truth."""
    kept = []
    rows, columns = np.mgrid[:truth.shape[0], :truth.shape[1]]
    for points in faces:
        low, high = points.min(axis=0), points.max(axis=0)
        middle, radius = (low + high) / 2, INNER_FACE * (high - low) / 2
        inside = ((columns - middle[0]) / radius[0]) ** 2 + ((rows - middle[1]) / radius[1]) ** 2 < 1
        if inside.any() and truth[inside].mean() >= TRUE_FACE:
            kept.append(float(prediction[inside].mean()))
    return kept


def compare(truth, prediction, counts):
    """The scores of one mask; `counts` says which pixels do."""
    prediction = np.where(counts, prediction, truth)
    true_people, people = (truth > 0.5) & counts, (prediction > 0.5) & counts
    error = np.abs(truth - prediction)[counts]
    true_slope, slope = (ndimage.gaussian_gradient_magnitude(m, GRADIENT_SCALE) for m in (truth, prediction))
    return {
        **accuracy(truth, prediction, counts),
        "SAD": float(error.sum()) / 1000,
        "Grad": float(((true_slope - slope)[counts] ** 2).sum()) / 1000,
        "BF": boundary_f(true_people, people, counts),
    }


def accuracy(truth, prediction, counts):
    """The scores that regard each pixel by itself."""
    true_people, people = (truth > 0.5) & counts, (prediction > 0.5) & counts
    union = (true_people | people).sum()
    return {
        "IoU": float((true_people & people).sum() / union) if union else 1.0,
        "MAE": 1000 * float(np.abs(truth - prediction)[counts].mean()),
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
        "catastrophes": catastrophes(rows),
        "worst": [(stem, round(s["IoU"], 3)) for stem, _, s in worst],
    }


def catastrophes(rows):
    """Pictures, people and faces whose mask nobody forgives: how many, of how many, and in which pictures."""
    bad = {
        "pictures": [(stem, [s["MAE"] > BAD_ERROR]) for stem, _, s in rows],
        "people": [(stem, [share < KEPT_PERSON for share in s["kept"]]) for stem, _, s in rows],
        "faces": [(stem, [share < KEPT_FACE for share in s["faces"]]) for stem, _, s in rows],
    }
    return {
        kind: {"bad": sum(map(sum, (found for _, found in each))), "of": sum(len(found) for _, found in each),
               "in": [stem for stem, found in each if any(found)]}
        for kind, each in bad.items()}


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
        for kind, count in s.get("catastrophes", {}).items():
            if count["of"]:
                print(f'bad {kind} of {name}: {count["bad"]} of {count["of"]} ' + " ".join(count["in"]))
    for name, s in scores.items():
        if "worst" in s:
            print(f"worst {name}: " + ", ".join(f"{stem} {iou:.3f}" for stem, iou in s["worst"]))


def figures(scores):
    return "".join(f"{scores[c]:8.3f}" if c in ("IoU", "BF") else f"{scores[c]:8.2f}" for c in COLUMNS)
