"""Shows a camera's pictures with something else behind the people. Run it through pipelines/webcam."""
import os

from live_options import parser

# First of all: help and wrong options need no GStreamer.
options = parser(
    "webcam", "Shows a camera's pictures with something else behind the people.", camera="--device"
).parse_args()

from camera import Unavailable  # noqa: E402
from live import Live  # noqa: E402
from playing import program  # noqa: E402


def main():
    if not (options.sink or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise Unavailable("no screen: neither DISPLAY nor WAYLAND_DISPLAY is set")
    Live(options, "videoconvert", options.sink or "autovideosink sync=false").run()


program("webcam", main)
