"""Draws boxes and axes of the faces that facepose finds, for eyes to check.

    draw_faces.py FILE SECONDS OUTPUT.png

Plays FILE up to SECONDS, so that faces are followed, and writes that frame. Red points to where the
head's right-hand side of the image is, green to its chin, blue to where the nose points.
"""

import math
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstApp, GstVideo  # noqa: E402, F401


class Canvas:
    """An RGB frame of bytes."""

    def __init__(self, data, width, height, stride):
        self.data, self.width, self.height, self.stride = bytearray(data), width, height, stride

    def line(self, start, end, color):
        steps = int(max(abs(end[0] - start[0]), abs(end[1] - start[1]))) + 1
        for step in range(steps + 1):
            x = start[0] + (end[0] - start[0]) * step / steps
            y = start[1] + (end[1] - start[1]) * step / steps
            for dx, dy in (0, 0), (1, 0), (0, 1), (1, 1):
                self.point(int(x) + dx, int(y) + dy, color)

    def point(self, x, y, color):
        if 0 <= x < self.width and 0 <= y < self.height:
            offset = y * self.stride + 3 * x
            self.data[offset : offset + 3] = bytes(color)


def axes(roll, yaw, pitch):
    """Where the head's x (image right), y (down) and z (out of the face) point in the image."""
    (sr, cr), (sy, cy), (sp, cp) = ((math.sin(a), math.cos(a)) for a in (roll, yaw, pitch))
    # Before the roll: turned by yaw around the vertical, then nodded by pitch.
    right = (cy, 0)
    down = (-sy * sp, cp)
    nose = (sy * cp, sp)
    # A positive roll turns counter-clockwise, and rows run downwards.
    return [(x * cr + y * sr, -x * sr + y * cr) for x, y in (right, down, nose)]


def draw(canvas, face):
    x, y, w, h = (face.get_value(n) for n in ("x", "y", "width", "height"))
    left, top = x * canvas.width, y * canvas.height
    right, bottom = (x + w) * canvas.width, (y + h) * canvas.height
    corners = [(left, top), (right, top), (right, bottom), (left, bottom)]
    for start, end in zip(corners, corners[1:] + corners[:1]):
        canvas.line(start, end, (255, 255, 0))
    center, length = ((left + right) / 2, (top + bottom) / 2), (right - left) * 0.7
    colors = (255, 0, 0), (0, 255, 0), (0, 128, 255)
    angles = (face.get_value(n) for n in ("roll", "yaw", "pitch"))
    for (dx, dy), color in zip(axes(*angles), colors):
        canvas.line(center, (center[0] + dx * length, center[1] + dy * length), color)


def main(path, seconds, output):
    Gst.init(None)
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=RGB ! facepose ! appsink name=sink"
    )
    pipeline.get_by_name("file").props.location = path
    sink = pipeline.get_by_name("sink")
    sink.props.sync = False
    pipeline.set_state(Gst.State.PLAYING)
    shown = None
    while sample := sink.try_pull_sample(60 * Gst.SECOND):
        shown = sample
        if sample.get_buffer().pts >= float(seconds) * Gst.SECOND:
            break
    pipeline.set_state(Gst.State.NULL)
    info = GstVideo.VideoInfo.new_from_caps(shown.get_caps())
    width, height = info.width, info.height
    frame = shown.get_buffer()
    canvas = Canvas(frame.extract_dup(0, frame.get_size()), width, height, (3 * width + 3) // 4 * 4)
    _, faces = frame.get_custom_meta("GstPeopleFaces").get_structure().get_list("faces")
    for n in range(faces.n_values):
        face = faces.get_nth(n)
        print(*(f"{name} {face.get_value(name):.2f}" for name in ("roll", "yaw", "pitch", "confidence")))
        draw(canvas, face)
    writer = Gst.parse_launch("appsrc name=in ! pngenc snapshot=true ! filesink name=out")
    writer.get_by_name("out").props.location = output
    writer.set_state(Gst.State.PLAYING)
    source = writer.get_by_name("in")
    caps = Gst.Caps.from_string(f"video/x-raw,format=RGB,width={width},height={height},framerate=0/1")
    source.push_sample(Gst.Sample.new(Gst.Buffer.new_wrapped(bytes(canvas.data)), caps, None, None))
    source.end_of_stream()
    writer.get_bus().timed_pop_filtered(30 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    writer.set_state(Gst.State.NULL)


main(*sys.argv[1:4])
