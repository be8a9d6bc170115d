"""Shows a camera's pictures with something else behind the people. Run it through pipelines/webcam."""
from live_options import add_background, parser

# First of all: help and wrong options need no GStreamer.
offer = parser(
    "webcam", "Shows a camera's pictures with something else behind the people.", camera="--device"
)
options = add_background(offer).parse_args()

from live import Live, screen  # noqa: E402
from playing import program  # noqa: E402


def main():
    Live(options, "videoconvert", screen(options)).run()


program("webcam", main)
