#!/usr/bin/python3
"""Draws docs/elements.md's pictures of bodies, hands and stick figures: a frame of the packaged clip as the elements draw it.

Run it after pipelines/setup, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/drawing/joints.py
"""
import os

from gi.repository import Gst

from portrait import arrival, pictures, setup

#: By the name of the picture: the elements, and seconds into the clip.
PICTURES = {
    "bodies": ("bodypose draw=all", 0.6),
    "hands": ("handpose max-hands=4 draw=skeleton", 3),
    "stick-figures": ("personsegment ! bodypose ! blendmask background-source=color background-color=0xff202020 "
                      "invert=true ! poseoverlay", 0.6),
}

for name, (elements, time) in PICTURES.items():
    pipeline = Gst.parse_launch(
        f"filesrc location={setup}/media/demovideo.mp4 ! decodebin ! videoconvert ! {elements} ! videoscale "
        "! video/x-raw,width=810,height=540 ! videoconvert ! jpegenc quality=85 ! appsink name=picture sync=false")
    pipeline.set_state(Gst.State.PLAYING)
    while True:
        sample = arrival(pipeline, pipeline.get_by_name("picture"))
        if sample.get_buffer().pts >= time * Gst.SECOND:
            break
    pipeline.set_state(Gst.State.NULL)
    with open(os.path.join(pictures, f"{name}.jpg"), "wb") as file:
        file.write(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size()))
