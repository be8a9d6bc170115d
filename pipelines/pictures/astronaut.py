#!/usr/bin/python3
"""Draws the README's picture: the astronaut portrait, her mask, and the forest behind her.

Run it after pipelines/demo, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/pictures/astronaut.py
"""
import os

from portrait import here, root, samples

from contact_sheet import draw, mask

before, after = samples(
    "tee name=t ! queue ! appsink name=before t. ! queue ! personsegment quality=accurate "
    f"! blendmask background={root}/forest.jpg keep-mask=true ! appsink name=after", "before", "after")
draw([[before, mask(after.get_buffer()), after]], os.path.join(here, "astronaut.jpg"), tile=(320, 320))
