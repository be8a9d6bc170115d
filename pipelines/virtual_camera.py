"""Makes a camera for other programs, in which something else is behind the people.

Run it through pipelines/virtual-camera.
"""
from live_options import add_background, parser

# First of all: help and wrong options need no GStreamer.
offer = parser(
    "virtual-camera",
    "Gives other programs (Zoom, Meet, OBS, browsers) a camera in which something else is behind the people.",
    camera="--camera",
)
offer.add_argument(
    "--device", metavar="/dev/videoN", help="the virtual camera to write to; the first one unless given"
)
offer.add_argument("--format", choices=["YUY2", "I420"], default="YUY2", help="what other programs get")
options = add_background(offer).parse_args()

from live import Live  # noqa: E402
from loopback import sink  # noqa: E402
from playing import program  # noqa: E402


def main():
    to = options.sink or sink(options.device)
    # Other programs expect one plain format, square pixels, whole frames and no change of size.
    fixed = f"video/x-raw,format={options.format},pixel-aspect-ratio=1/1,interlace-mode=progressive"
    Live(options, f"videoconvert ! videoscale ! capsfilter caps={fixed}", to).run()


program("virtual-camera", main)
