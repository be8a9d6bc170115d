"""Provides a PipeWire camera called `front` until it is killed: provide_camera.py CAPS

Like gst-people, and unlike gst-launch-1.0, it goes on when a program leaves it, which pipewiresink of PipeWire 1.4 calls an
error.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

Gst.init(None)
pipeline = Gst.parse_launch(
    f"videotestsrc is-live=true ! video/x-raw,format=YUY2,{sys.argv[1]} ! identity drop-allocation=true "
    "! pipewiresink mode=provide client-name=front "
    'stream-properties="p,media.class=Video/Source,node.name=front,node.description=front"'
)
# The sink's own jumps when a program opens the camera.
pipeline.use_clock(Gst.SystemClock.obtain())
pipeline.set_state(Gst.State.PLAYING)
while True:
    message = pipeline.get_bus().timed_pop_filtered(Gst.CLOCK_TIME_NONE, Gst.MessageType.ERROR)
    error, _ = message.parse_error()
    if not error.matches(Gst.ResourceError.quark(), Gst.ResourceError.NOT_FOUND):
        sys.exit(error.message)
