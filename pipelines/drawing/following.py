#!/usr/bin/python3
"""Draws README's picture of a face that is followed: the packaged clip with the part that autoframe shows, and that part.

Run it after pipelines/setup, with GStreamer told of the plugin and Debian's python3-pil:

    eval "$(pipelines/env)" && pipelines/drawing/following.py
"""
import os

from gi.repository import Gst
from PIL import Image, ImageDraw

from portrait import pictures, setup

#: Pixels of one of the two, frames of the clip for one of the picture, and how many of these.
WIDTH, HEIGHT, STEP, COUNT = 330, 220, 3, 32
#: Bytes from one row to the next: GStreamer pads those of RGB to multiples of four.
STRIDE = (WIDTH * 3 + 3) // 4 * 4
SIZED = f"videoconvert ! videoscale method=lanczos ! video/x-raw,format=RGB,width={WIDTH},height={HEIGHT}"
YELLOW = (255, 220, 0)


def picture(sample):
    data = sample.get_buffer().extract_dup(0, STRIDE * HEIGHT)
    return Image.frombytes("RGB", (WIDTH, HEIGHT), data, "raw", "RGB", STRIDE)


def part(sample):
    """The corners of the part that is shown, in pixels of the whole."""
    fields = sample.get_buffer().get_custom_meta("GstPeopleFraming").get_structure()
    x, y, width, height = (fields.get_double(name)[1] for name in ("x", "y", "width", "height"))
    return [x * WIDTH, y * HEIGHT, (x + width) * WIDTH - 1, (y + height) * HEIGHT - 1]


def frames():
    """The frames of both, one beside the other."""
    pipeline = Gst.parse_launch(
        f"filesrc location={setup}/media/demovideo.mp4 ! decodebin ! videoconvert ! facepose max-faces=8 ! tee name=clip "
        f"clip. ! queue max-size-bytes=0 max-size-buffers=0 max-size-time=0 ! {SIZED} ! appsink name=whole sync=false "
        f"clip. ! queue ! autoframe framing=face describe=true ! tee name=framed framed. ! queue ! appsink name=part sync=false "
        f"framed. ! queue ! {SIZED} ! appsink name=shown sync=false")
    sinks = [pipeline.get_by_name(name) for name in ("whole", "part", "shown")]
    pipeline.set_state(Gst.State.PLAYING)
    for number in range(STEP * COUNT):
        whole, framed, shown = (sink.pull_sample() for sink in sinks)
        if number % STEP:
            continue
        pair = Image.new("RGB", (2 * WIDTH + 4, HEIGHT), "white")
        pair.paste(picture(whole), (0, 0))
        ImageDraw.Draw(pair).rectangle(part(framed), outline=YELLOW, width=2)
        pair.paste(picture(shown), (WIDTH + 4, 0))
        yield pair
    pipeline.set_state(Gst.State.NULL)


first, *others = frames()
first.save(
    os.path.join(pictures, "following.webp"), save_all=True, append_images=others, duration=1000 * STEP // 25, loop=0,
    quality=50, method=4)
