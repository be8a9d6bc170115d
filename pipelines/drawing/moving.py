#!/usr/bin/python3
"""Draws README's moving picture: the packaged clip, and beside it its people in the forest.

Run it after pipelines/setup, with GStreamer told of the plugin and Debian's python3-pil:

    eval "$(pipelines/env)" && pipelines/drawing/moving.py
"""
import os

from gi.repository import Gst
from PIL import Image

from portrait import pictures, root, setup

#: Pixels of one of the two, frames per second, and how many frames.
WIDTH, HEIGHT, RATE, COUNT = 330, 220, 8, 32
#: Bytes from one row to the next: GStreamer pads those of RGB to multiples of four.
STRIDE = (WIDTH * 3 + 3) // 4 * 4
SIZED = f"videorate ! videoscale method=lanczos ! video/x-raw,format=RGB,width={WIDTH},height={HEIGHT},framerate={RATE}/1"


def frames():
    """The frames of both, one beside the other."""
    pipeline = Gst.parse_launch(
        f"filesrc location={setup}/media/demovideo.mp4 ! decodebin ! videoconvert ! tee name=clip "
        f"clip. ! queue max-size-bytes=0 max-size-buffers=0 max-size-time=0 ! videoconvert ! {SIZED} ! appsink name=before sync=false "
        f"clip. ! queue ! personsegment ! blendmask background={root}/forest.jpg ! videoconvert ! {SIZED} ! appsink name=after sync=false")
    sinks = [pipeline.get_by_name(name) for name in ("before", "after")]
    pipeline.set_state(Gst.State.PLAYING)
    for _ in range(COUNT):
        pair = Image.new("RGB", (2 * WIDTH + 4, HEIGHT), "white")
        for column, sink in enumerate(sinks):
            data = sink.pull_sample().get_buffer().extract_dup(0, STRIDE * HEIGHT)
            picture = Image.frombytes("RGB", (WIDTH, HEIGHT), data, "raw", "RGB", STRIDE)
            pair.paste(picture, (column * (WIDTH + 4), 0))
        yield pair
    pipeline.set_state(Gst.State.NULL)


first, *others = frames()
first.save(
    os.path.join(pictures, "moving.webp"), save_all=True, append_images=others, duration=1000 // RATE, loop=0, quality=60,
    method=6)
