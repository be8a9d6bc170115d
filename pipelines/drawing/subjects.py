#!/usr/bin/python3
"""Draws docs/elements.md's picture of subjects: three public pictures and what is lifted out of them.

Run it after pipelines/setup, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/drawing/subjects.py
"""
import os
import pathlib
import sys
import tempfile

from gi.repository import Gst

from contact_sheet import draw
from portrait import arrival, pictures, root

sys.path.insert(0, os.path.join(root, "Tests", "Evaluation"))
from subjects import fetched

#: Dedicated to the public; THIRD-PARTY.md has their authors.
PICTURES = ("chelsea.png", "coffee.png", "rocket.jpg")
CUT = "subjectsegment quality=accurate ! blendmask decontaminate=true background-color=0xffffffff ! videoconvert ! "


def shown(path, line):
    """The picture behind `line`."""
    pipeline = Gst.parse_launch(
        f"filesrc location={path} ! decodebin ! videoconvert ! video/x-raw,format=RGB ! {line}appsink name=after sync=false")
    pipeline.set_state(Gst.State.PLAYING)
    try:
        return arrival(pipeline, pipeline.get_by_name("after"))
    finally:
        pipeline.set_state(Gst.State.NULL)


with tempfile.TemporaryDirectory() as folder:
    paths = [path for path in fetched(pathlib.Path(folder)) if path.name in PICTURES]
    draw([[shown(path, line) for path in paths] for line in ("", CUT)], os.path.join(pictures, "subjects.jpg"),
         tile=(300, 200))
