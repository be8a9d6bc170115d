#!/usr/bin/python3
"""Feeds messages of a person who squats to pipelines/examples/squats.py, and prints how many it counts.

    count_squats.py LOWEST TREMBLE CONFIDENCE

LOWEST is how far above the knees the hips come, in lengths of the trunk; they tremble by TREMBLE. There are three squats,
and another person farther away who stands.
"""
import json
import math
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "pipelines" / "examples"))
import squats
from gi.repository import Gst


def body(x, scale, height, confidence):
    """A structure as in the message; `height` is that of the hips above the knees, in trunks."""
    knee = 0.8
    hip = knee - height * scale
    places = {"shoulder": hip - scale, "hip": hip, "knee": knee}
    joints = ", ".join(
        f"{side}-{name}=(double)< {x}, {y:f}, {confidence} >" for name, y in places.items() for side in ("left", "right"))
    joints = joints.replace('"', "")
    return Gst.Structure.from_string(
        f"body, id=0, confidence=1.0, upper-body-only=false, x=(double){x}, y=0.0, width=(double){scale}, "
        f"height=(double){2 * scale}, joints=(structure)[joints, {joints}]")[0]


def main(lowest, tremble, confidence):
    Gst.init(None)
    counter = squats.Squats()
    for frame in range(300):
        way = (1 - math.cos(frame / 100 * 2 * math.pi)) / 2
        height = 0.8 + (lowest - 0.8) * way + tremble * (-1) ** frame
        people = [body(0.2, 0.1, 0.8, 1), body(0.6, 0.25, height, confidence)]
        texts = ", ".join(f"(structure)[{person.to_string().rstrip(';')}]" for person in people)
        counter.follow(Gst.Structure.from_string(f"bodypose, bodies={{ {texts} }}")[0])
    print(json.dumps({"count": counter.count}))


main(*(float(word) for word in sys.argv[1:]))
