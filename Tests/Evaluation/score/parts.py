"""Which person the parts of people belong to over a clip, as Tests/evaluate people writes them, against label maps.

Truth: a folder of label maps named like the frames (0 background, from 1 people), in which a person keeps the value.

A part belongs to the person whose label two thirds of its places in the foreground have, if a quarter of its places are in the
foreground. Other parts, such as a body that is half of one person and half of another, are not scored. A switch is a part that
has another id than the last part of its kind and person. IDF1: for the best pairing of ids and people over the whole clip, the
harmonic mean of the shares of parts that are right (Ristani and others, 2016). Foreign: the longest run of frames in which an id
has a part of a kind that belongs to another person.
"""
import json
from collections import Counter

import numpy as np
from scipy.optimize import linear_sum_assignment

from pictures import ScoreError, grey

KINDS = ("mask", "body", "face", "hand")
#: Share of the places that must show somebody.
LEAST_SHOWN = 0.25
#: Share of those that must show the same person.
CERTAIN = 2 / 3
NOBODY = -1


def add_options(command):
    """There are none."""


def score(arguments, _):
    """Parts, switches, IDF1 and foreign frames of each kind and of all."""
    images = json.loads(arguments.pred.read_text())["images"]
    frames = sorted(arguments.truth.glob("*.png"))
    if not frames:
        raise ScoreError(f"{arguments.truth} has no label maps.")
    rows = []
    for number, path in enumerate(frames):
        truth = grey(path)
        for part in images.get(path.name, {}).get("parts", []):
            person = shown(truth, part["places"])
            if person:
                rows.append((number, part["kind"], person, part["person"]))
    owners = pairing(rows)
    scores = {kind: summary([row for row in rows if row[1] == kind], owners) for kind in KINDS}
    return {"frames": len(frames), **scores, "all": summary(rows, owners)}


def shown(truth, places):
    """The person whom most of the places show; None where that is not certain."""
    height, width = truth.shape
    inside = [(int(x), int(y)) for x, y in places if 0 <= x < width and 0 <= y < height]
    labels = Counter(int(truth[y, x]) for x, y in inside)
    background = labels.pop(0, 0)
    count = sum(labels.values())
    if not count or count < LEAST_SHOWN * (count + background):
        return None
    person, most = labels.most_common(1)[0]
    return person if most >= CERTAIN * count else None


def pairing(rows):
    """The person of each id, so that most parts are right."""
    counts = Counter((person, number) for _, _, person, number in rows if number != NOBODY)
    people, ids = (sorted({pair[n] for pair in counts}) for n in (0, 1))
    table = np.array([[counts[person, number] for number in ids] for person in people]).reshape(len(people), len(ids))
    return {ids[j]: people[i] for i, j in zip(*linear_sum_assignment(-table))}


def summary(rows, owners):
    """Of the parts in `rows`."""
    given = [row for row in rows if row[3] != NOBODY]
    right = sum(owners.get(number) == person for _, _, person, number in given)
    return {
        "parts": len(rows), "with_person": len(given), "switches": switches(given),
        "idf1": 2 * right / max(len(rows) + len(given), 1), "foreign": foreign(given, owners)}


def switches(rows):
    """How often a person's parts of one kind change their id."""
    last, count = {}, 0
    for _, kind, person, number in rows:
        count += last.setdefault((kind, person), number) != number
        last[kind, person] = number
    return count


def foreign(rows, owners):
    """The longest run of frames in which an id has a part of one kind that is not its person's."""
    wrong = {(number, kind, frame) for frame, kind, person, number in rows
             if number in owners and owners[number] != person}
    longest, runs = 0, {}
    for number, kind, frame in sorted(wrong):
        start, last = runs.get((number, kind), (frame, frame - 1))
        runs[number, kind] = (start if frame == last + 1 else frame, frame)
        longest = max(longest, frame - runs[number, kind][0] + 1)
    return longest


def report(scores):
    """Prints the table."""
    print(f'{scores["frames"]} frames' + "".join(f"{name:>13}" for name in scores["all"]))
    for name in (*KINDS, "all"):
        values = scores[name].values()
        print(f"{name:10}" + "".join(f"{v:13}" if isinstance(v, int) else f"{v:13.3f}" for v in values))
