"""Object keypoint similarity (OKS) of bodies, as COCO defines it: AP, and recall by size.

A joint that is off by d counts exp(-d^2 / (2 area k^2)), where `area` is the person's in square pixels and k the joint's
tolerance; the OKS is the mean over the joints that the truth has.
"""
import json
from pathlib import Path

import numpy as np

#: COCO's tolerances, twice the standard deviations of people's own clicks, of the joints in the order of `bodies.JOINTS`.
TOLERANCES = 2 * np.repeat([0.079, 0.072, 0.062, 0.107, 0.087, 0.089], 2)
#: Shoulder and opposite hip in that order.
DIAGONALS = ((0, 7), (1, 6))
#: The thresholds over which COCO averages.
THRESHOLDS = np.arange(0.5, 0.96, 0.05)
#: A person covers so much of their box where the area is unknown: the mean of COCO's people.
COVERED = 0.53
#: Longer sides of boxes, in pixels, at which size classes begin.
SIZES = {"128": 128, "64_to_128": 64, "below_64": 0}


def score(truth, prediction):
    """AP over the thresholds and at .5, and recall at .5 of all and by size.

    `truth` and `prediction` hold `Person`s by picture. People who do not count are left aside, with the predictions in
    their boxes.
    """
    people = [person for image in truth.values() for person in image if person.counts]
    if not people:
        return {}
    precisions = [average_precision(truth, prediction, threshold, len(people)) for threshold in THRESHOLDS]
    found = {id(person) for name, image in truth.items()
             for person, _ in pairs(image, prediction.get(name, []), THRESHOLDS[0]) if person}
    scores = {"AP": float(np.mean(precisions)), "AP50": precisions[0],
              "recall50": float(np.mean([id(person) in found for person in people]))}
    for name, members in by_size(people).items():
        scores[f"n_{name}"] = len(members)
        if members:
            scores[f"recall50_{name}"] = float(np.mean([id(person) in found for person in members]))
    return scores


class Person:
    """Joints, NaN where unknown, the box (x, y, width, height), the area, and a prediction's confidence.

    A person counts when a shoulder and the opposite hip are known, as in `bodies`.
    """

    def __init__(self, joints, box=None, area=None, confidence=1):
        self.joints, self.known = joints, ~np.isnan(joints[:, 0])
        self.counts = any(self.known[list(diagonal)].all() for diagonal in DIAGONALS)
        if box is None and self.known.any():
            low, high = joints[self.known].min(0), joints[self.known].max(0)
            box = [*low, *(high - low)]
        self.box = np.array(box if box is not None else [0] * 4, float)
        self.area = area or COVERED * self.box[2] * self.box[3]
        self.confidence = confidence

    def similarity(self, guess):
        """The OKS of a prediction."""
        squares = ((self.joints - guess.joints)[self.known] ** 2).sum(1)
        return np.exp(-squares / (2 * max(self.area, 1) * TOLERANCES[self.known] ** 2)).mean()

    def covers(self, guess):
        """Whether most joints of a prediction lie in the box."""
        places = guess.joints[guess.known] - self.box[:2]
        return ((places >= 0) & (places <= self.box[2:])).all(1).mean() > 0.5 if len(places) else False


def people_of(path, chosen):
    """The people of each picture of a file; `chosen(item)` gives the joints of MMPose's and of other files."""
    content = json.loads(path.read_text())
    if isinstance(content, list):
        return {Path(entry["image"]).name: [Person(chosen(item, entry["set"]), item.get("box"))
                                            for item in entry["items"]] for entry in content}
    return {name: [Person(chosen(person, None), person.get("bbox") or person.get("box"), person.get("area"),
                          person.get("confidence", 1)) for person in image["people"]]
            for name, image in content["images"].items()}


def pairs(people, guesses, threshold):
    """Each prediction, the most confident first, with the person it shows: the most similar one who is left, or none.

    Predictions of people who do not count are left out.
    """
    left, found = [person for person in people if person.counts], []
    others = [person for person in people if not person.counts]
    for guess in sorted(guesses, key=lambda guess: -guess.confidence):
        person = max(left, key=lambda one: one.similarity(guess), default=None)
        if person and person.similarity(guess) >= threshold:
            left.remove(person)
            found.append((person, guess))
        elif not any(person.covers(guess) for person in others):
            found.append((None, guess))
    return found


def average_precision(truth, prediction, threshold, count):
    """The mean precision at 101 steps of recall, each the best that is reached with as much recall or more (COCO)."""
    found = [(guess.confidence, person is not None) for name, image in truth.items()
             for person, guess in pairs(image, prediction.get(name, []), threshold)]
    right = np.cumsum([is_right for _, is_right in sorted(found, key=lambda one: -one[0])])
    precision = right / np.arange(1, len(right) + 1)
    best = np.maximum.accumulate(precision[::-1])[::-1]
    steps = np.searchsorted(right / count, np.linspace(0, 1, 101))
    return float(np.append(best, 0)[np.minimum(steps, len(best))].mean())


def by_size(people):
    """The people of each size class."""
    classes = {name: [] for name in SIZES}
    for person in people:
        side = person.box[2:].max()
        classes[next(name for name, least in SIZES.items() if side >= least)].append(person)
    return classes
