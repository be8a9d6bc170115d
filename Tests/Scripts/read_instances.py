"""Reads the people of a launch line's first frame as a Python program does, without a header of ours.

    read_instances.py LINE        (the line ends in an appsink called "sink")

Writes one JSON object per person: id, label and box, the share of the mask above half, and of the label map's values that
are the person's.
"""

import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401


def contents(fields: Gst.Structure, name: str) -> bytes:
    buffer = fields.get_value(name)
    return buffer.extract_dup(0, buffer.get_size())


def describe(person: Gst.Structure, labels: bytes) -> dict:
    entry = {name: person.get_value(name) for name in ("id", "label", "x", "y", "width", "height", "confidence")}
    mask = contents(person, "mask")
    entry["covered"] = sum(byte > 127 for byte in mask) / len(mask)
    return entry | {"own": labels.count(entry["label"]) / len(labels)}


def main(line: str) -> None:
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    sample = pipeline.get_by_name("sink").try_pull_sample(60 * Gst.SECOND)
    fields = sample.get_buffer().get_custom_meta("GstPeopleMask").get_structure()
    found, people = fields.get_list("instances")
    labels = contents(fields, "labels")
    for index in range(people.n_values):
        print(json.dumps(describe(people.get_nth(index), labels)))
    pipeline.set_state(Gst.State.NULL)


main(sys.argv[1])
