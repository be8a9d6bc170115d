"""Replaces the background of a clip: demo.py CLIP BACKGROUND DIR

Writes DIR/demo.mp4, and DIR/demo.png with a few moments before, as a mask, and after.
Run it through pipelines/demo, which sets everything up.
"""
import os
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from contact_sheet import draw, mask, sample  # noqa: E402
from outputs import finished  # noqa: E402
from playing import Playback, program  # noqa: E402

MOMENTS = (0.03, 0.3, 0.55, 0.75, 0.97)  # of the clip, for the picture


class Demo(Playback):
    """The pipeline, its progress, and the frames that are kept for the picture."""

    def __init__(self, clip, background, video):
        super().__init__(
            "filesrc name=clip ! decodebin ! videoconvert ! video/x-raw,format=I420 ! queue max-size-buffers=4 "
            "! personsegment name=people quality=balanced ! blendmask name=blend keep-mask=true ! queue "
            "max-size-buffers=4 ! x264enc pass=quant quantizer=20 speed-preset=veryfast ! h264parse "
            "! mp4mux faststart=true ! filesink name=video"
        )
        self["clip"].props.location = clip
        self["blend"].props.background = background
        self["video"].props.location = video
        self.kept = {}
        self.before = None
        self.watch("people", "src", self.remember)
        self.watch("blend", "src", self.count)

    def remember(self, pad, frame):
        """Keeps a copy of each frame as it was, until it comes out of blendmask."""
        self.before = sample(pad, frame)

    def count(self, pad, frame):
        """Counts frames, and keeps those that the picture shows."""
        duration = self.duration()
        due = [m for m in MOMENTS if duration and m not in self.kept and frame.pts >= m * duration]
        if due:
            self.kept[due[0]] = (self.before, mask(frame), sample(pad, frame))
        self.frames += 1

    def duration(self):
        found, nanoseconds = self["clip"].query_duration(Gst.Format.TIME)
        if not found:
            found, nanoseconds = self.pipeline.query_duration(Gst.Format.TIME)
        return nanoseconds if found else 0

    def progress(self):
        elapsed = time.monotonic() - self.started
        found, position = self["video"].query_position(Gst.Format.TIME)
        share = min(1, position / self.duration()) if found and self.duration() else 0
        left = elapsed / share - elapsed if share else 0
        return f"{100 * share:3.0f} %  {self.frames / elapsed:5.1f} frames/s  {left:3.0f} s left"


def main(clip, background, folder):
    video, picture = os.path.join(folder, "demo.mp4"), os.path.join(folder, "demo.png")
    with finished(video) as unfinished:
        demo = Demo(clip, background, unfinished)
        demo.run()
    draw([demo.kept[moment] for moment in sorted(demo.kept)], picture, tile=(360, 240))
    elapsed = time.monotonic() - demo.started
    print(f"      {demo.frames} frames in {elapsed:.0f} s, {demo.frames / elapsed:.1f} frames/s")
    print(f"Look at {video} and {picture} (before, mask, after).")


if __name__ == "__main__":
    program("demo", lambda: main(*sys.argv[1:4]))
