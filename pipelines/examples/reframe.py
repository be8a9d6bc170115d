#!/usr/bin/python3
"""Crops a video to the people in it, and follows them smoothly.

    reframe.py SOURCE SINK [W:H]

SOURCE and SINK are launch lines: `filesrc location=clip.mp4 ! decodebin`, `videoconvert ! autovideosink`. W:H is the shape of
what is shown, 9:16 unless given. The view rests while the people stay in its middle; otherwise it moves like a weight on a
damped spring, which has no sudden steps. Needs Debian's python3-gi and python3-numpy, and gst_people.py beside it.
"""
import math
import sys

try:
    import gi
    import gst_people
    gi.require_version("Gst", "1.0")
    gi.require_version("GstVideo", "1.0")
except (ImportError, ValueError) as error:
    sys.exit(f"{sys.argv[0]}: {error}. Install Debian's packages python3-gi, python3-numpy and gir1.2-gst-plugins-base-1.0.")

from gi.repository import GLib, Gst, GstVideo

#: Seconds in which most of a way is made.
SETTLING = 1.0
#: How far people may be from the middle before the view moves, as a share of its width.
REST = 0.1


class View:
    """The middle of what is shown, 0 to 1 of the frame, along one axis."""

    def __init__(self):
        self.position = self.target = None
        self.speed = 0.0

    def follow(self, middle, extent, seconds):
        """Moves towards `middle` for `seconds`; `extent` is what is shown, as a share of the frame."""
        low, high = extent / 2, 1 - extent / 2
        if self.position is None:
            self.position = self.target = min(max(middle, low), high)
        if abs(middle - self.target) > REST * extent:
            self.target = min(max(middle, low), high)
        # Critically damped: as fast as it can be without passing the target, exact for any step.
        rate = 4 / SETTLING
        distance = self.position - self.target
        slope = self.speed + rate * distance
        fade = math.exp(-rate * seconds)
        self.position = self.target + (distance + slope * seconds) * fade
        self.speed = (self.speed - rate * slope * seconds) * fade
        return self.position


class Framing:
    """Sets a `videocrop` frame by frame, from the boxes of `bodypose`."""

    def __init__(self, crop, shape):
        self.crop, self.shape = crop, shape
        self.views = View(), View()
        self.middle = 0.5, 0.5
        self.last = None

    def frame(self, pad, info):
        """A probe of frames with their people, ahead of the crop."""
        buffer, video = info.get_buffer(), GstVideo.VideoInfo.new_from_caps(pad.get_current_caps())
        seconds = 0 if self.last is None else max(0, buffer.pts - self.last) / Gst.SECOND
        self.last = buffer.pts
        # Where nobody is seen the view stays.
        self.middle = middle(people(buffer)) or self.middle
        sides = (video.width, video.height)
        for view, at, side, shown, names in zip(
                self.views, self.middle, sides, extent(*sides, self.shape), (("left", "right"), ("top", "bottom"))):
            start = round(view.follow(at, shown / side, seconds) * side - shown / 2)
            start = min(max(start, 0), side - shown)
            self.crop.set_property(names[0], start)
            self.crop.set_property(names[1], side - shown - start)
        return Gst.PadProbeReturn.OK


def middle(boxes):
    """The middle of boxes, of which larger ones, of people who are nearer, count more; none without any."""
    weights = [width * height for _, _, width, height in boxes]
    if not sum(weights):
        return None
    return [sum(weight * (box[axis] + box[axis + 2] / 2) for weight, box in zip(weights, boxes)) / sum(weights)
            for axis in (0, 1)]


def extent(width, height, shape):
    """The largest even size of a shape in a frame."""
    wide = min(width, height * shape)
    return int(wide) // 2 * 2, int(wide / shape) // 2 * 2


def people(buffer):
    """Boxes of the frame's people, 0 to 1."""
    return [body.box for body in gst_people.bodies(buffer)]


def main(source, sink, shape="9:16"):
    width, height = (int(side) for side in shape.split(":"))
    # Sizes that are even, and cuts at every pixel: chroma of I420 lies at every second one.
    pipeline = Gst.parse_launch(
        f"{source} ! videoconvert ! video/x-raw,format=Y444 ! bodypose name=people ! videocrop name=crop ! {sink}")
    framing = Framing(pipeline.get_by_name("crop"), width / height)
    pad = pipeline.get_by_name("people").get_static_pad("src")
    pad.add_probe(Gst.PadProbeType.BUFFER, framing.frame)
    bus = pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while True:
            message = bus.timed_pop(Gst.CLOCK_TIME_NONE)
            if message.type == Gst.MessageType.ERROR:
                raise message.parse_error()[0]
            if message.type == Gst.MessageType.EOS:
                return 0
            if message.type == Gst.MessageType.LATENCY:
                pipeline.recalculate_latency()
    finally:
        pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    Gst.init(None)
    if len(sys.argv) not in (3, 4):
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except GLib.Error as error:  # an element is missing, or a pipeline failed
        sys.exit(f"reframe.py: {error.message} ({error.domain}, code {error.code})")
