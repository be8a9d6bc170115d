"""Body joints: JSON files {"images": {NAME: {"people": [{"joints": {JOINT: [x, y, ...]}}]}}}, pixels of the image.

Joints compared: left and right shoulder, elbow, wrist, hip, knee and ankle (`left-shoulder`, ...), left and right
the person's own. The truth may also be a list as MMPose's samples have it: [{"image", "set", "items": [{"points":
[[x, y, visible]]}]}] with the points of COCO, OCHuman, CrowdPose, AIC, JHMDB or Human3.6M. A joint is right within
.2 of the torso (PCK@.2): the longer of its diagonals from a shoulder to the opposite hip. People are paired so that
most joints are right (Hungarian method); joints of people without a pair are wrong, and people whose torso the
truth lacks are left aside, with the prediction next to them. A second figure counts each picture's best person only, a third
is the median of the people.

The same people by their object keypoint similarity (oks.py): AP, and recall at .5 of all and by the longer side of the box in
pixels. `bbox` ([x, y, width, height]) and `area` of the truth's people are used, and `confidence` of the predictions.
"""
import numpy as np
from scipy.optimize import linear_sum_assignment

import oks

LIMBS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
JOINTS = tuple(f"{side}-{limb}" for limb in LIMBS for side in ("left", "right"))
#: Places of `JOINTS` in the points of each set.
SETS = {
    "coco": range(5, 17),
    "ochuman": range(5, 17),
    "crowdpose": range(12),
    "aic": (3, 0, 4, 1, 5, 2, 9, 6, 10, 7, 11, 8),
    "jhmdb": (4, 3, 8, 7, 12, 11, 6, 5, 10, 9, 14, 13),
    "h36m": (11, 14, 12, 15, 13, 16, 4, 1, 5, 2, 6, 3),
}
#: The largest error of a right joint, as a share of the torso.
TOLERANCE = 0.2


def add_options(command):
    """There are none."""


def score(arguments, _pool):
    """PCK by joint, over all people and over the best person of each picture."""
    described = [oks.people_of(path, joints_of) for path in (arguments.truth, arguments.pred)]
    truth, prediction = ({name: [person.joints for person in people] for name, people in images.items()}
                         for images in described)
    rows, best, extra = [], [], 0
    for name, people in truth.items():
        pairs, others = compared(people, prediction.get(name, []))
        rows += pairs
        extra += others
        if pairs:
            best.append(max(pairs, key=lambda right: np.nanmean(right)))
    return {"pictures": len(truth), "people": len(rows), "found": sum(bool(np.nansum(r)) for r in rows),
            "others": extra, "PCK": summary(rows), "PCK_best_person": summary(best),
            "PCK_median": float(np.median([np.nanmean(row) for row in rows])) if rows else None,
            "OKS": oks.score(*described)}


def joints_of(person, name):
    """x and y of `JOINTS`, NaN where unknown, of a person of MMPose's set `name` or of another file."""
    if name:
        return chosen(person["points"], SETS[name])
    return np.array([(person["joints"].get(joint) or [np.nan] * 2)[:2] for joint in JOINTS], float)


def chosen(points, places):
    """The joints among the points of a set; those marked as invisible are unknown."""
    return np.array([points[i][:2] if points[i][2] > 0 else [np.nan, np.nan] for i in places], float)


def compared(people, guesses):
    """Whether each joint of each person is right, NaN where unknown; and how many guesses are of nobody."""
    sizes = [torso(person) for person in people]
    rights = np.array([[right(person, guess, size) for guess in guesses] for person, size in zip(people, sizes)])
    pairs, used = {}, set()
    if guesses and people:
        for i, j in zip(*linear_sum_assignment(-np.nansum(rights, axis=2))):
            if np.nansum(rights[i, j]):
                pairs[i] = rights[i, j]
                used.add(j)
    rows = [pairs.get(i, np.where(np.isnan(person[:, 0]), np.nan, 0.0))
            for i, person in enumerate(people) if np.isfinite(sizes[i])]
    return rows, len(guesses) - len(used)


def right(person, guess, size):
    """1 where a joint is within the tolerance, 0 where not, NaN where the truth has none."""
    # Without a torso, half of the extent: the person only keeps a prediction from counting as one of nobody.
    known = person[~np.isnan(person[:, 0])]
    if not np.isfinite(size) and len(known):
        size = np.ptp(known, 0).max() / 2
    near = np.linalg.norm(person - guess, axis=1) <= TOLERANCE * size
    return np.where(np.isnan(person[:, 0]), np.nan, near.astype(float))


def torso(person):
    """The longer diagonal; NaN when the truth has neither."""
    index = {joint: i for i, joint in enumerate(JOINTS)}
    diagonals = [np.linalg.norm(person[index["left-shoulder"]] - person[index["right-hip"]]),
                 np.linalg.norm(person[index["right-shoulder"]] - person[index["left-hip"]])]
    return np.nan if np.isnan(diagonals).all() else np.nanmax(diagonals)


def summary(rows):
    """Mean over all joints, and by limb."""
    if not rows:
        return None
    values = np.array(rows)
    by_limb = {limb: float(np.nanmean(values[:, 2 * i:2 * i + 2])) for i, limb in enumerate(LIMBS)
               if not np.isnan(values[:, 2 * i:2 * i + 2]).all()}
    return {"mean": float(np.nanmean(values)), **by_limb}


def report(scores):
    """Prints the figures."""
    for key, value in scores.items():
        if isinstance(value, dict):
            value = "  ".join(f"{name} {number:.3f}" if isinstance(number, float) else f"{name} {number}"
                              for name, number in value.items())
        print(f"{key:16}", value)
