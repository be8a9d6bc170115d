"""The public-domain portrait of the documents' pictures, sent through a pipeline. Used by the scripts beside it."""
import os

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402,F401 (GstApp gives appsink its methods)

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
pictures = os.path.join(root, "docs/pictures")
setup = os.environ.get("GST_PEOPLE_SETUP_DIR") or os.path.join(root, ".gst-people")

SOURCE = f"filesrc location={setup}/media/astronaut.png ! pngdec ! videoconvert"

Gst.init(None)


def samples(line, *sinks):
    """What arrives at the appsinks of these names when the portrait goes through `line`."""
    pipeline = Gst.parse_launch(f"{SOURCE} ! {line}")
    pipeline.set_state(Gst.State.PLAYING)
    try:
        return [arrival(pipeline, pipeline.get_by_name(sink)) for sink in sinks]
    finally:
        pipeline.set_state(Gst.State.NULL)


def arrival(pipeline, sink):
    """The first sample, for up to a minute."""
    for _ in range(600):
        sample = sink.try_pull_sample(Gst.SECOND // 10)
        if sample:
            return sample
        failure = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if failure:
            raise SystemExit(f"{failure.parse_error()[0].message} Has pipelines/demo been run?")
    raise SystemExit("Nothing came out of the pipeline within a minute.")
