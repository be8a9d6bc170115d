"""Person instances: label maps as PNGs (0 background, from 1 persons) named like the pictures.

Truth: a set with instances/ and persons.json. Up to the four largest persons of a picture count; mean_IoU counts a
missed person as 0. A label that mostly shows a smaller person or a crowd is neither right nor wrong.
"""
import json

import numpy as np
from PIL import Image
from scipy.optimize import linear_sum_assignment

from pictures import UNKNOWN, ScoreError, grey

MOST_PERSONS = 4
FOUND = 0.5
CHUNK = 4
WORST = 5
GROUPS = {"all": range(1, 5), "1 person": (1,), "2 persons": (2,), "3-4 persons": (3, 4)}


def add_options(command):
    command.add_argument("--min-area", type=float, default=0.005, metavar="SHARE",
                         help="smallest person that counts, as a share of the picture (default 0.005)")


def score(arguments, pool):
    """Scores by the number of persons of a picture."""
    pictures = json.loads((arguments.truth / "persons.json").read_text())
    jobs = [(arguments.truth, arguments.pred, p["image"].rsplit(".", 1)[0], arguments.min_area) for p in pictures]
    rows = [row for row in pool.map(score_picture, jobs, CHUNK) if row]
    if not rows:
        raise ScoreError(f"{arguments.truth} has no person that is large enough.")
    scores = {}
    for name, counts in GROUPS.items():
        group = [row for row in rows if len(row[1]) in counts]
        if group:
            scores[name] = summary(group)
    worst = sorted(rows, key=lambda row: np.mean(row[1]))[:WORST]
    return {**scores, "worst": [(stem, round(float(np.mean(best)), 3)) for stem, best, _ in worst]}


def score_picture(job):
    """Base name, the IoU of each person and the number of wrong labels; None without a person that counts."""
    folder, predictions, stem, min_area = job
    truth = grey(folder / "instances" / f"{stem}.png")
    path = predictions / f"{stem}.png"
    if path.exists():
        prediction = grey(path, truth.shape[::-1], Image.Resampling.NEAREST)
    else:
        prediction = np.zeros(truth.shape, np.uint8)
    people = largest(truth, min_area)
    return (stem, *compare(truth, prediction, people)) if people else None


def largest(truth, min_area):
    """The numbers of the persons that count, the largest first."""
    areas = sorted(((int((truth == v).sum()), int(v)) for v in np.unique(truth) if 0 < v < UNKNOWN), reverse=True)
    return [v for area, v in areas if area >= min_area * truth.size][:MOST_PERSONS]


def compare(truth, prediction, people):
    """The IoU of each person's best label, and how many labels are wrong."""
    labels = [label for label in np.unique(prediction) if label]
    overlaps = np.array([[iou(truth == v, (prediction == label) & (truth < UNKNOWN)) for label in labels] for v in people])
    overlaps = overlaps.reshape(len(people), len(labels))
    best, used = np.zeros(len(people)), set()
    for i, j in zip(*linear_sum_assignment(-overlaps)):
        best[i] = overlaps[i, j]
        if overlaps[i, j] >= FOUND:
            used.add(j)
    other = (truth > 0) & ~np.isin(truth, people)
    wrong = [
        label for j, label in enumerate(labels)
        if j not in used and (other & (prediction == label)).sum() <= 0.5 * (prediction == label).sum()]
    return best.tolist(), len(wrong)


def iou(a, b):
    both = (a & b).sum()
    return both / max(a.sum() + b.sum() - both, 1)


def summary(rows):
    values = np.array([value for _, best, _ in rows for value in best])
    found, wrong = (values >= FOUND).sum(), sum(wrong for *_, wrong in rows)
    return {
        "images": len(rows),
        "persons": len(values),
        "mean_IoU": float(values.mean()),
        "matched_IoU": float(values[values >= FOUND].mean()) if found else 0.0,
        "recall_0.5": float(found / len(values)),
        "precision_0.5": float(found / max(found + wrong, 1)),
        "recall_0.75": float((values >= 0.75).mean()),
    }


def report(scores):
    """Prints the table."""
    groups = {name: s for name, s in scores.items() if name != "worst"}
    print(f'{"images with":14}' + "".join(f"{column:>14}" for column in groups["all"]))
    for name, s in groups.items():
        print(f"{name:14}" + "".join(f"{v:14}" if isinstance(v, int) else f"{v:14.3f}" for v in s.values()))
    print("worst: " + ", ".join(f"{stem} {iou:.3f}" for stem, iou in scores["worst"]))
