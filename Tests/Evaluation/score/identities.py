"""Ids of people over a clip: label maps (0 background, from 1 people) and people.json, as Tests/evaluate instances writes.

Truth: a folder of label maps named like the frames, in which a person keeps the value. A person is seen under the id whose
label overlaps theirs most, by at least an IoU of .3, each id and person once in a frame; a switch is a person who is seen
under another id than the last time.
"""
import json

import numpy as np

from pictures import ScoreError, grey

SEEN = 0.3
#: Smallest part of a person that counts, as a share of the frame.
VISIBLE = 0.01


def add_options(command):
    """There are none."""


def score(arguments, _):
    """Switches, and the share of the people in all frames who were seen."""
    frames = sorted(arguments.truth.glob("*.png"))
    if not frames:
        raise ScoreError(f"{arguments.truth} has no label maps.")
    people = json.loads((arguments.pred / "people.json").read_text())
    ids = {name.rsplit(".", 1)[0]: {p["label"]: p["id"] for p in found} for name, found in people.items()}
    last, switches, seen, count = {}, [], 0, 0
    for path in frames:
        truth = grey(path)
        persons = [v for v in np.unique(truth) if v and (truth == v).mean() >= VISIBLE]
        count += len(persons)
        for person, number in seen_as(truth, grey(arguments.pred / path.name), persons, ids.get(path.stem, {})):
            seen += 1
            if last.setdefault(person, number) != number:
                switches.append((path.stem, int(person), last[person], number))
            last[person] = number
    return {"frames": len(frames), "switches": switches, "seen": seen / max(count, 1)}


def seen_as(truth, labels, persons, ids):
    """Pairs of person and id, the best overlap first."""
    overlaps = sorted(
        ((iou(truth == person, labels == label), person, number)
         for person in persons for label, number in ids.items()), reverse=True)
    pairs = []
    for overlap, person, number in overlaps:
        if overlap >= SEEN and all(person != p and number != n for p, n in pairs):
            pairs.append((person, number))
    return pairs


def iou(a, b):
    return (a & b).sum() / max((a | b).sum(), 1)


def report(scores):
    """Prints what was found."""
    print(f'{scores["frames"]} frames: {len(scores["switches"])} switches, {scores["seen"]:.2f} of the people seen')
    for frame, person, before, after in scores["switches"]:
        print(f"  frame {frame}: person {person} from id {before} to {after}")
