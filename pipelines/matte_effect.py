"""Shows people before a colour that follows where they look. Run it through pipelines/matte-effect."""
from live_options import parser

# First of all: help and wrong options need no GStreamer.
options = parser(
    "matte-effect",
    "Shows people before a colour that follows where the largest face looks: tilting the head changes its "
    "red, nodding its green, turning to the side its blue.",
    camera="--device",
).parse_args()

from live import Live, screen  # noqa: E402
from playing import program  # noqa: E402


class MatteEffect(Live):
    """Live pictures whose background is coloured by a face."""

    analysis = "facepose ! personsegment"

    def set_background(self, options):
        self["blend"].props.background_source = "pose"


def main():
    MatteEffect(options, "videoconvert", screen(options)).run()


program("matte-effect", main)
