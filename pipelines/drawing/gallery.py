#!/usr/bin/python3
"""Draws the gallery of docs/elements.md: the astronaut portrait before everything that blendmask puts behind people.

Run it after pipelines/demo, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/drawing/gallery.py
"""
import os

from contact_sheet import draw
from portrait import pictures, root, samples

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
    return samples(
        f"video/x-raw,format=RGB ! personsegment quality=accurate ! blendmask {properties} ! videoconvert "
        "! appsink name=after", "after")[0]


draw([[shown(tile) for tile in row] for row in ROWS], os.path.join(pictures, "gallery.jpg"), tile=(200, 200))
