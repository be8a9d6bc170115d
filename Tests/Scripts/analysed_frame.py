"""A frame of a pipeline, with the results that elements have attached to it."""
import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def frame(line, number=30):
    """The buffer of a frame, counted from 1, that comes out of a pipeline whose sink is the appsink `sink`."""
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    sink = pipeline.get_by_name("sink")
    for _ in range(number):
        sample = sink.emit("pull-sample")
    buffer = sample.get_buffer()
    pipeline.set_state(Gst.State.NULL)
    return buffer
