#!/usr/bin/python3
"""Draws the README's picture of the three levels: the astronaut portrait cut out onto a plain colour, whole
and enlarged at the hair.

Run it with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/pictures/levels.py
"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402,F401 (GstApp gives appsink its methods)

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
sys.path.insert(0, os.path.dirname(here))
from contact_sheet import draw  # noqa: E402

BACKGROUND = "0xff2e7d32"
#: Pixels of the portrait (512x512) to leave out around the enlarged part.
DETAIL = "left=118 right=194 top=0 bottom=312"


def cut_out(quality):
    """The portrait on the plain colour, whole and enlarged, as samples."""
    pipeline = Gst.parse_launch(
        f"filesrc location={root}/.gst-people/media/astronaut.png ! pngdec ! videoconvert "
        f"! personsegment quality={quality} ! blendmask background-color={BACKGROUND} ! tee name=t "
        f"t. ! queue ! appsink name=whole t. ! queue ! videocrop {DETAIL} ! appsink name=detail")
    pipeline.set_state(Gst.State.PLAYING)
    samples = [pipeline.get_by_name(name).pull_sample() for name in ("whole", "detail")]
    pipeline.set_state(Gst.State.NULL)
    return samples


Gst.init(None)
columns = [cut_out(quality) for quality in ("fast", "balanced", "accurate")]
draw(list(zip(*columns)), os.path.join(here, "levels.jpg"), tile=(256, 256))
