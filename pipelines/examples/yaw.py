#!/usr/bin/python3
"""Plots which way the first person of a clip looks, over time, as a PNG.

    yaw.py CLIP PLOT.png

The nose points to the right of the image above the middle line, to the left below it; the grey lines are 30
degrees apart, a tick on the middle line is a second. Frames without a reliable angle leave a gap.
Needs Debian's python3-gi, python3-numpy and gir1.2-gst-plugins-base-1.0, and gst_people.py beside it.
"""
import math
import sys

try:
    import gi
    import gst_people
    gi.require_version("Gst", "1.0")
    gi.require_version("GstApp", "1.0")
except (ImportError, ValueError) as error:
    sys.exit(f"{sys.argv[0]}: {error}. Install Debian's packages python3-gi, python3-numpy and gir1.2-gst-plugins-base-1.0.")

from gi.repository import GLib, Gst, GstApp  # noqa: F401 (GstApp gives appsink its methods)

WIDTH, HEIGHT = 800, 400
DEGREES = 90  # at the upper and lower edge


def samples(pipeline, name):
    """The samples of an appsink, to the end; a plain pull would wait for ever after an error."""
    sink = pipeline.get_by_name(name)
    while not sink.is_eos():
        sample = sink.try_pull_sample(50 * Gst.MSECOND)
        if sample is not None:
            yield sample
        message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if message is not None:
            raise message.parse_error()[0]


def yaws(clip):
    """Time in seconds and yaw in degrees of each frame in which the first person is seen."""
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! facepose ! appsink name=sink sync=false max-buffers=4")
    pipeline.get_by_name("file").props.location = clip
    pipeline.set_state(Gst.State.PLAYING)
    try:
        for sample in samples(pipeline, "sink"):
            frame = sample.get_buffer()
            first = min(gst_people.faces(frame), key=lambda face: face.id, default=None)
            if first is not None and first.angles_reliable:
                yield frame.pts / Gst.SECOND, math.degrees(first.yaw)
    finally:
        pipeline.set_state(Gst.State.NULL)


class Plot:
    """A picture of bytes, white at first."""

    def __init__(self):
        self.pixels = bytearray(b"\xff" * (3 * WIDTH * HEIGHT))

    def point(self, x, y, color):
        if 0 <= x < WIDTH and 0 <= y < HEIGHT:
            offset = 3 * (y * WIDTH + x)
            self.pixels[offset:offset + 3] = bytes(color)

    def line(self, start, end, color):
        steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
        for step in range(steps + 1):
            x, y = (round(a + (b - a) * step / steps) for a, b in zip(start, end))
            self.point(x, y, color)
            self.point(x, y + 1, color)

    def write(self, path):
        pipeline = Gst.parse_launch("appsrc name=in format=time ! pngenc snapshot=true ! filesink name=file")
        pipeline.get_by_name("file").props.location = path
        pipeline.set_state(Gst.State.PLAYING)
        caps = Gst.Caps.from_string(f"video/x-raw,format=RGB,width={WIDTH},height={HEIGHT},framerate=0/1")
        source = pipeline.get_by_name("in")
        source.push_sample(Gst.Sample.new(Gst.Buffer.new_wrapped(bytes(self.pixels)), caps, None, None))
        source.end_of_stream()
        types = Gst.MessageType.EOS | Gst.MessageType.ERROR
        message = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, types)
        pipeline.set_state(Gst.State.NULL)
        if message.type == Gst.MessageType.ERROR:
            raise message.parse_error()[0]


def height(degrees):
    return round(HEIGHT / 2 * (1 - degrees / DEGREES))


def draw(found):
    plot = Plot()
    end = max(found[-1][0], 1)
    column = lambda time: round(time / end * (WIDTH - 1))  # noqa: E731
    for degrees in -60, -30, 0, 30, 60:
        plot.line((0, height(degrees)), (WIDTH - 1, height(degrees)), (210, 210, 210) if degrees else (90, 90, 90))
    for second in range(int(end) + 1):
        plot.line((column(second), height(3)), (column(second), height(-3)), (90, 90, 90))
    for (before, one), (time, other) in zip(found, found[1:]):
        if time - before < 0.25:
            plot.line((column(before), height(one)), (column(time), height(other)), (200, 30, 30))
    return plot


def main(clip, path):
    found = list(yaws(clip))
    if not found:
        sys.exit(f"yaw.py: no face has reliable angles in {clip}")
    draw(found).write(path)
    print(f"{path}: {len(found)} frames, {found[-1][0]:.1f} s")


if __name__ == "__main__":
    Gst.init(None)
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except GLib.Error as error:  # an element is missing, or a pipeline failed
        sys.exit(f"yaw.py: {error.message} ({error.domain}, code {error.code})")
