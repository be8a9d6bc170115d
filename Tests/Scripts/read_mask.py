"""Reads the masks of a launch line's frames as a Python program does, without a header of ours.

    read_mask.py LINE        (the line ends in an appsink called "sink")

Writes one JSON object per frame: the fields of GstPeopleMask, the mask itself as its number of bytes
and the share of them above half.
"""

import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401

FIELDS = ["width", "height", "stride", "format", "frame-width", "frame-height", "orientation"]
FIELDS += ["quality", "revision", "age", "interval"]


def describe(buffer: Gst.Buffer) -> dict:
    fields = buffer.get_custom_meta("GstPeopleMask").get_structure()
    entry = {name: fields.get_value(name) for name in FIELDS}
    _, *entry["pixel-aspect-ratio"] = fields.get_fraction("pixel-aspect-ratio")
    mask = fields.get_value("mask")
    data = mask.extract_dup(0, mask.get_size())
    return entry | {"bytes": len(data), "covered": sum(byte > 127 for byte in data) / len(data)}


def main(line: str) -> None:
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    sink = pipeline.get_by_name("sink")
    while sample := sink.try_pull_sample(60 * Gst.SECOND):
        print(json.dumps(describe(sample.get_buffer())))
    pipeline.set_state(Gst.State.NULL)


main(sys.argv[1])
