"""Puts a colour behind the people that tells how the first person's head is turned.

Red for a positive angle, blue for a negative one, lighter the nearer it is to zero. Without OUT the picture is
shown in a window.
"""
import argparse

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from faces import faces  # noqa: E402
from outputs import finished, refuse_existing  # noqa: E402
from playing import Playback, program  # noqa: E402

#: Degrees at which the colour is full.
FULL = {"roll": 30, "yaw": 45, "pitch": 30}
ENCODER = "videoconvert ! x264enc pass=quant quantizer=20 speed-preset=veryfast ! h264parse ! mp4mux ! filesink name=out"


def parse():
    parser = argparse.ArgumentParser(
        prog="angle-tint", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("input", metavar="IN", nargs="?", help="a film; a camera when left out")
    parser.add_argument("output", metavar="OUT.mp4", nargs="?")
    parser.add_argument("--angle", choices=sorted(FULL), default="yaw")
    parser.add_argument("--force", action="store_true", help="write over OUT.mp4 if it is there")
    parser.add_argument("--quality", choices=("fast", "balanced"), default="fast", help="of the mask")
    return parser.parse_args()


def color(angle, full):
    """0xAARRGGBB for an angle in radians; `full` is in degrees."""
    share = min(1, abs(angle) * 180 / 3.141592653589793 / full)
    pale = round(255 * (1 - share))
    red, blue = (255, pale) if angle > 0 else (pale, 255)
    return 0xFF << 24 | red << 16 | pale << 8 | blue


class Tint(Playback):
    """The pipeline; its background follows the faces frame by frame."""

    def __init__(self, options, output):
        source = "filesrc name=in ! decodebin" if options.input else "v4l2src"
        sink = ENCODER if output else "videoconvert ! autovideosink"
        # No queue between facepose and blendmask: the colour meets the frame that it was read from.
        super().__init__(
            f"{source} ! videoconvert ! facepose name=faces ! personsegment quality={options.quality} "
            f"! blendmask name=blend background-color=0xffffffff ! queue ! {sink}")
        if options.input:
            self["in"].props.location = options.input
        if output:
            self["out"].props.location = output
        self.angle = options.angle
        self.watch("faces", "src", self.tint)

    def tint(self, pad, frame):
        """Sets the colour of a frame; white without a face."""
        found = faces(frame)
        first = min(found, key=lambda face: face["id"], default={self.angle: 0})
        self["blend"].props.background_color = color(first[self.angle], FULL[self.angle])
        self.frames += 1

    def progress(self):
        return f"{self.frames} frames"


def main():
    options = parse()
    if not options.output:
        Tint(options, None).run()
        return 0
    refuse_existing(options.output, options.force)
    with finished(options.output) as part:
        Tint(options, part).run()
    return 0


if __name__ == "__main__":
    program("angle-tint", main)
