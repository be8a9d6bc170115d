"""Hand joints: JSON files {"images": {NAME: {"hands": [{"points": [[x, y, ...]], "chirality": "left"}]}}}, pixels.

21 points: the wrist, then four of thumb, index, middle, ring and little finger, from the palm to the tip. The truth may
also be a list as MMPose's samples have it: [{"image", "set", "items": [{"points": [[x, y, visible]], "box", "hand"}]}].
A point is right within .2 of the longer side of the hand's box (PCK@.2). Each hand of the truth is compared with the
prediction of most right points; a hand without one has all its points wrong. `chirality` is the share of the found
hands whose side the truth knows that are called left or right as they are.
"""
import json
from pathlib import Path

import numpy as np

#: Places of the points in sets that have them from the tip to the palm.
FROM_THE_TIP = [0] + [4 * finger + place for finger in range(5) for place in (4, 3, 2, 1)]
#: The largest error of a right point, as a share of the hand.
TOLERANCE = 0.2


def add_options(command):
    """There are none."""


def score(arguments, _pool):
    """PCK over all hands, and how many are called right."""
    truth, prediction = hands_of(arguments.truth), hands_of(arguments.pred)
    rows, sides, found = [], [], 0
    for name, hands in truth.items():
        for points, side in hands:
            guesses = [(right(points, guess), called) for guess, called in prediction.get(name, [])]
            row, called = max(guesses, key=lambda guess: np.nansum(guess[0]), default=(right(points, None), None))
            rows.append(row)
            if np.nansum(row):
                found += 1
                if side in ("left", "right"):
                    sides.append(called == side)
    return {"pictures": len(truth), "hands": len(rows), "found": found,
            "PCK": float(np.nanmean(rows)) if rows else None, "chirality": float(np.mean(sides)) if sides else None}


def hands_of(path):
    """Points and side of the hands of each picture; points that are not visible are NaN."""
    content = json.loads(path.read_text())
    if isinstance(content, list):
        return {Path(entry["image"]).name: [
            (ordered(item["points"], entry["set"]), item.get("hand")) for item in entry["items"] if "points" in item]
            for entry in content}
    return {name: [(np.array([point[:2] for point in hand["points"]], float), hand.get("chirality"))
                   for hand in image["hands"]] for name, image in content["images"].items()}


def ordered(points, name):
    """The points of a set in the order that is compared."""
    places = FROM_THE_TIP if name == "rhd" else range(len(points))
    return np.array([points[i][:2] if points[i][2] > 0 else [np.nan, np.nan] for i in places], float)


def right(points, guess):
    """1 where a point is within the tolerance, 0 where not, NaN where the truth has none."""
    known = points[~np.isnan(points[:, 0])]
    if guess is None or not len(known):
        return np.where(np.isnan(points[:, 0]), np.nan, 0.0)
    near = np.linalg.norm(points - guess, axis=1) <= TOLERANCE * np.ptp(known, 0).max()
    return np.where(np.isnan(points[:, 0]), np.nan, near.astype(float))


def report(scores):
    """Prints the figures."""
    for key, value in scores.items():
        print(f"{key:16}", f"{value:.3f}" if isinstance(value, float) else value)
