#!/usr/bin/python3
"""Draws docs/elements.md's picture of the 76 landmarks on the astronaut portrait, region by region.

Run it with GStreamer told of the plugin:

    eval "$(pipelines/env)" && pipelines/drawing/landmarks.py
"""
import os
import sys

from gi.repository import Gst

from portrait import SOURCE, pictures, root, samples

sys.path.insert(0, os.path.join(root, "pipelines/examples"))
import gst_people

#: Of the portrait: left, top and side of the square around the face, in pixels.
FACE = (140, 35, 170)
SIDE = 720
#: Width of the part with the names.
NAMES = 240
PORTRAIT = 512
COLORS = {
    "face-contour": "#ffd400", "left-eye": "#00e5ff", "right-eye": "#00e5ff", "left-eyebrow": "#ff9100",
    "right-eyebrow": "#ff9100", "nose": "#69f0ae", "nose-crest": "#ff4081", "median-line": "#ffffff",
    "outer-lips": "#ff1744", "inner-lips": "#e040fb", "left-pupil": "#76ff03", "right-pupil": "#76ff03",
}
CLOSED = {"left-eye", "right-eye", "left-eyebrow", "right-eyebrow", "outer-lips", "inner-lips"}


def landmarks():
    """The regions of the portrait's face: names and their points in the picture that is drawn."""
    frame = samples("facepose landmarks=true ! appsink name=sink", "sink")[0].get_buffer()
    found = gst_people.faces(frame)[0].landmarks
    return {name: [place(x, y) for x, y, _ in found[name]] for name in COLORS}


def place(x, y):
    left, top, side = FACE
    return ((x * PORTRAIT - left) * SIDE / side, (y * PORTRAIT - top) * SIDE / side)


def svg(regions):
    """Outlines, numbered points and names."""
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{SIDE + NAMES}" height="{SIDE}" '
             'font-family="DejaVu Sans" font-size="11">',
             f'<rect x="{SIDE}" width="{NAMES}" height="{SIDE}" fill="#202020"/>']
    for row, (name, points) in enumerate(regions.items()):
        parts += outline(name, points)
        parts.append(
            f'<circle cx="{SIDE + 24}" cy="{40 + 36 * row}" r="6" fill="{COLORS[name]}"/>'
            f'<text x="{SIDE + 42}" y="{46 + 36 * row}" fill="white" font-size="17">{name} '
            f'({len(points)})</text>')
    for name, points in regions.items():
        if name != "median-line":
            parts += numbered(name, points)
    return "".join([*parts, "</svg>"])


def outline(name, points):
    """The line through a region's points; dashes for the one that runs through other regions' points."""
    if len(points) == 1:
        return
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    shape = "polygon" if name in CLOSED else "polyline"
    dashes = ' stroke-dasharray="4 5"' if name == "median-line" else ""
    yield f'<{shape} points="{line}" fill="none" stroke="{COLORS[name]}" stroke-width="2"{dashes}/>'


def numbered(name, points):
    for number, (x, y) in enumerate(points):
        yield f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{COLORS[name]}" stroke="black"/>'
        yield f'<text x="{x + 5:.1f}" y="{y - 4:.1f}" fill="white" stroke="black" stroke-width="2.5" ' \
              f'paint-order="stroke">{number}</text>'


def main():
    left, top, side = FACE
    regions = landmarks()
    pipeline = Gst.parse_launch(
        f"{SOURCE} ! videocrop left={left} top={top} right={PORTRAIT - left - side} bottom={PORTRAIT - top - side} "
        f"! videoscale method=lanczos ! video/x-raw,width={SIDE},height={SIDE} ! videobox right=-{NAMES} "
        "! videoconvert ! rsvgoverlay name=marks fit-to-frame=true ! videoconvert ! jpegenc quality=90 "
        f"! filesink location={pictures}/landmarks.jpg")
    pipeline.get_by_name("marks").props.data = svg(regions)
    pipeline.set_state(Gst.State.PLAYING)
    types = Gst.MessageType.EOS | Gst.MessageType.ERROR
    message = pipeline.get_bus().timed_pop_filtered(30 * Gst.SECOND, types)
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        raise SystemExit(message.parse_error()[0].message if message else "the picture was not drawn")


main()
