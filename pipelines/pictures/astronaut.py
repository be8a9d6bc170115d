#!/usr/bin/python3
"""Draws the README's picture: the astronaut portrait, her mask, and the forest behind her.

Run it after pipelines/demo, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/pictures/astronaut.py
"""
import os
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402,F401 (GstApp gives appsink its methods)

here = os.path.dirname(os.path.abspath(__file__))
root = os.path.dirname(os.path.dirname(here))
setup = os.environ.get("GST_PEOPLE_SETUP_DIR") or os.path.join(root, ".gst-people")
sys.path.insert(0, os.path.dirname(here))
from contact_sheet import draw, mask  # noqa: E402


def replaced(quality):
    """The portrait before and after as samples; the one after carries its mask."""
    pipeline = Gst.parse_launch(
        f"filesrc location={setup}/media/astronaut.png ! pngdec ! videoconvert "
        f"! tee name=t ! queue ! appsink name=before t. ! queue ! personsegment quality={quality} "
        f"! blendmask background={root}/forest.jpg keep-mask=true ! appsink name=after"
    )
    pipeline.set_state(Gst.State.PLAYING)
    samples = [pipeline.get_by_name(name).try_pull_sample(60 * Gst.SECOND) for name in ("before", "after")]
    pipeline.set_state(Gst.State.NULL)
    if not all(samples):
        sys.exit("astronaut: nothing came out of the pipeline; run pipelines/demo first.")
    return samples


Gst.init(None)
before, after = replaced("accurate")
draw([[before, mask(after.get_buffer()), after]], os.path.join(here, "astronaut.jpg"), tile=(320, 320))
