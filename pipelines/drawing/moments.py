"""Draws a few moments of a video before its background was replaced, as masks, and after: moments.py BEFORE AFTER PICTURE

Run it through pipelines/demo, which sets everything up.
"""
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402,F401 (GstApp gives appsink its methods)

from contact_sheet import draw, mask  # noqa: E402

MOMENTS = (0.03, 0.3, 0.55, 0.75, 0.97)  # of the video
LIMIT = 60 * Gst.SECOND  # for a model to load on a busy machine


class Video:
    """Frames of a video at chosen times."""

    def __init__(self, path, analysis="identity"):
        self.pipeline = Gst.parse_launch(
            f"filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=I420 ! {analysis} "
            "! appsink name=frames sync=false")
        self.frames = self.pipeline.get_by_name("frames")
        self.pipeline.get_by_name("file").props.location = path
        self.pipeline.set_state(Gst.State.PAUSED)
        self.frame()

    def frame(self):
        """The frame at which the video stands."""
        sample = self.frames.try_pull_preroll(LIMIT)
        if sample is None:
            failure = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
            sys.exit(f"demo: failed: {failure.parse_error()[0].message if failure else 'no frame came'}")
        return sample

    def at(self, share):
        """The frame after that share of the video."""
        length = self.pipeline.query_duration(Gst.Format.TIME)[1]
        self.pipeline.seek_simple(
            Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE, int(share * length))
        return self.frame()

    def close(self):
        self.pipeline.set_state(Gst.State.NULL)


def main(before, after, picture):
    Gst.init(None)
    videos = Video(before, "personsegment quality=balanced"), Video(after)
    try:
        pairs = [[video.at(moment) for video in videos] for moment in MOMENTS]
    finally:
        for video in videos:
            video.close()
    draw([(old, mask(old.get_buffer()), new) for old, new in pairs], picture, tile=(360, 240))


if __name__ == "__main__":
    main(*sys.argv[1:])
