#!/usr/bin/python3
"""Draws docs/elements.md's picture of bodies: a frame of the packaged clip as bodypose draws it.

Run it after pipelines/setup, with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/pictures/bodies.py
"""
import os

from portrait import arrival, here, setup

from gi.repository import Gst

#: Seconds into the clip.
TIME = 0.6

pipeline = Gst.parse_launch(
    f"filesrc location={setup}/media/demovideo.mp4 ! decodebin ! videoconvert ! bodypose name=body draw=all ! videoscale "
    "! video/x-raw,width=810,height=540 ! videoconvert ! jpegenc quality=85 ! appsink name=picture sync=false")
pipeline.set_state(Gst.State.PLAYING)
while True:
    sample = arrival(pipeline, pipeline.get_by_name("picture"))
    if sample.get_buffer().pts >= TIME * Gst.SECOND:
        break
pipeline.set_state(Gst.State.NULL)
with open(os.path.join(here, "bodies.jpg"), "wb") as file:
    file.write(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size()))
