#!/usr/bin/python3
"""Draws the README's gallery: the astronaut portrait before everything that blendmask puts behind people.

Run it after pipelines/demo, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/pictures/gallery.py
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

FOREST = f"background={root}/forest.jpg decontaminate=true light-wrap=0.3"
ROWS = (
    (
        FOREST,
        f"{FOREST} blur=25",
        "blur=40",
        "exposure=-2 desaturate=1",
    ),
    (
        "background-source=original halo-width=1.2 blur=10",
        "background-color=0xffe8d8b0 decontaminate=true shadow-opacity=0.6 shadow-x=4 shadow-y=2 shadow-radius=3",
        "background-source=transparent decontaminate=true ! compositor background=checker",
        "show=mask",
    ),
)


def shown(properties):
    """The portrait as blendmask shows it."""
    pipeline = Gst.parse_launch(
        f"filesrc location={root}/.gst-people/media/astronaut.png ! pngdec ! videoconvert ! video/x-raw,format=RGB "
        f"! personsegment quality=accurate ! blendmask {properties} ! videoconvert ! appsink name=after"
    )
    pipeline.set_state(Gst.State.PLAYING)
    sample = pipeline.get_by_name("after").try_pull_sample(60 * Gst.SECOND)
    pipeline.set_state(Gst.State.NULL)
    if not sample:
        sys.exit(f"gallery: nothing came out of blendmask {properties}; run pipelines/demo first.")
    return sample


Gst.init(None)
draw([[shown(tile) for tile in row] for row in ROWS], os.path.join(here, "gallery.jpg"), tile=(200, 200))
