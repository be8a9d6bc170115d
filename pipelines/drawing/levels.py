#!/usr/bin/python3
"""Draws docs/elements.md's picture of the three levels: the astronaut portrait cut out onto a plain colour, whole
and enlarged at the hair.

Run it with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/drawing/levels.py
"""
import os

from contact_sheet import draw
from portrait import pictures, samples

BACKGROUND = "0xff2e7d32"
#: Pixels of the portrait (512x512) to leave out around the enlarged part.
DETAIL = "left=118 right=194 top=0 bottom=312"


def cut_out(quality):
    """The portrait on the plain colour, whole and enlarged, as samples."""
    return samples(
        f"personsegment quality={quality} ! blendmask background-color={BACKGROUND} ! tee name=t "
        f"t. ! queue ! appsink name=whole t. ! queue ! videocrop {DETAIL} ! appsink name=detail",
        "whole", "detail")


columns = [cut_out(quality) for quality in ("fast", "balanced", "accurate")]
draw(list(zip(*columns)), os.path.join(pictures, "levels.jpg"), tile=(256, 256))
