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
LEAD = Gst.SECOND // 2  # of video before each moment: masks of a video build on those before


class Video:
    """Frames of a video at chosen times."""

    def __init__(self, path, analysis="identity"):
        self.pipeline = Gst.parse_launch(
            f"filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=I420 ! {analysis} "
            "! appsink name=frames sync=false max-buffers=1")
        self.frames = self.pipeline.get_by_name("frames")
        self.pipeline.get_by_name("file").props.location = path
        self.pipeline.set_state(Gst.State.PLAYING)
        self.frame()

    def frame(self):
        """The next frame; none at the end."""
        sample = self.frames.try_pull_sample(LIMIT)
        failure = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if failure or not (sample or self.frames.is_eos()):
            sys.exit(f"demo: failed: {failure.parse_error()[0].message if failure else 'no frame came'}")
        # One of our own: appsink goes on to use the sample that it has given.
        return sample and Gst.Sample.new(sample.get_buffer(), sample.get_caps(), sample.get_segment(), None)

    def at(self, share):
        """The frame at that share of the video."""
        moment = int(share * self.pipeline.query_duration(Gst.Format.TIME)[1])
        self.pipeline.seek_simple(
            Gst.Format.TIME, Gst.SeekFlags.FLUSH | Gst.SeekFlags.ACCURATE, max(0, moment - LEAD))
        found = self.frame()
        while found.get_buffer().pts < moment and (following := self.frame()):
            found = following
        return found

    def close(self):
        self.pipeline.set_state(Gst.State.NULL)


def main(before, after, picture):
    Gst.init(None)
    videos = Video(before, "personsegment quality=balanced lookahead=1"), Video(after)
    try:
        pairs = [[video.at(moment) for video in videos] for moment in MOMENTS]
    finally:
        for video in videos:
            video.close()
    draw([(old, mask(old.get_buffer()), new) for old, new in pairs], picture, tile=(360, 240))


if __name__ == "__main__":
    main(*sys.argv[1:])
