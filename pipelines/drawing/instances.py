#!/usr/bin/python3
"""Draws docs/elements.md's picture of instances: three people of the packaged clip, one of them kept, and one removed.

Run it after pipelines/setup, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/drawing/instances.py
"""
import os

from gi.repository import Gst

from contact_sheet import draw
from portrait import arrival, pictures, root, setup

#: Where the man on the right stands, in shares of the frame.
POINT = "0.8,0.6"
CLIP = f"filesrc location={setup}/media/demovideo.mp4 ! decodebin ! videoconvert ! video/x-raw,format=RGB"
SEPARATED = "personsegment instance-masks=true ! blendmask decontaminate=true"


def shown(line):
    """The first frame of the clip behind `line`."""
    pipeline = Gst.parse_launch(f"{CLIP} ! {line}videoconvert ! appsink name=after sync=false")
    pipeline.set_state(Gst.State.PLAYING)
    try:
        return arrival(pipeline, pipeline.get_by_name("after"))
    finally:
        pipeline.set_state(Gst.State.NULL)


draw([[
    shown(""),
    shown(f"{SEPARATED} background={root}/forest.jpg instances-at={POINT} ! "),
    shown(f"{SEPARATED} background={root}/forest.jpg instances-except=1 ! "),
]], os.path.join(pictures, "instances.jpg"), tile=(300, 200))
