"""The frames of a video, a picture or a camera with their people and faces, as numpy arrays.

    import people
    for picture, mask, faces in people.frames("clip.mp4"):
        picture[mask < 128] = 0                     # black behind the people
        print([face["yaw"] for face in faces])      # radians

Needs Debian's python3-numpy and python3-gi, and the plugin where GStreamer finds it.
"""
import warnings

import gi
import numpy

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

# Python has no other way to read GStreamer's arrays.
warnings.filterwarnings("ignore", "GObject.ValueArray.get_nth is deprecated")

FACE = ("x", "y", "width", "height", "confidence", "roll", "yaw", "pitch")


def frames(source, quality="balanced"):
    """Yields of each frame: its RGB samples, height x width x 3; the people's coverage, height x width, 0 to 255; and a
    dictionary per face with the fields of docs/metadata.md. `source` is a file, a URI or v4l2src. Raises RuntimeError."""
    Gst.init(None)
    uri = source if Gst.uri_is_valid(source) else Gst.filename_to_uri(source)
    reader = source if source == "v4l2src" else f'uridecodebin uri="{uri}"'
    pipeline = Gst.parse_launch(
        f"{reader} ! videoconvert ! video/x-raw,format=RGB ! personsegment quality={quality} ! facepose "
        "! appsink name=sink sync=false max-buffers=2")
    sink = pipeline.get_by_name("sink")
    pipeline.set_state(Gst.State.PLAYING)
    try:
        for sample in pulled(sink, pipeline.get_bus()):
            caps = sample.get_caps().get_structure(0)
            picture = samples(sample.get_buffer(), caps.get_value("height"), caps.get_value("width") * 3)
            picture = picture.reshape(len(picture), -1, 3)
            yield picture, stretched(mask(sample.get_buffer()), picture), faces(sample.get_buffer())
    finally:
        pipeline.set_state(Gst.State.NULL)


def pulled(sink, bus):
    """What arrives at the sink until the stream ends. An error elsewhere in the pipeline does not end it."""
    while not sink.get_property("eos"):
        if sample := sink.emit("try-pull-sample", Gst.SECOND // 10):
            yield sample
        elif error := bus.pop_filtered(Gst.MessageType.ERROR):
            raise RuntimeError(error.parse_error()[0].message)


def samples(buffer, height, width, stride=None):
    """A copy of a buffer's bytes, height x width. GStreamer pads the rows of RGB to multiples of four bytes."""
    stride = stride or (width + 3) // 4 * 4
    rows = numpy.frombuffer(buffer.extract_dup(0, stride * height), numpy.uint8)
    return rows.reshape(height, stride)[:, :width].copy()


def mask(buffer):
    """The mask that a buffer carries, in its own size."""
    fields = buffer.get_custom_meta("GstPeopleMask").get_structure()
    return samples(fields.get_value("mask"), *(fields.get_value(name) for name in ("height", "width", "stride")))


def stretched(mask, picture):
    """The samples of a mask that are nearest to those of a picture."""
    rows, columns = (numpy.arange(n) * m // n for n, m in zip(picture.shape, mask.shape))
    return mask[rows][:, columns]


def faces(buffer):
    """The faces that a buffer carries."""
    _, found = buffer.get_custom_meta("GstPeopleFaces").get_structure().get_list("faces")
    return [{name: found.get_nth(n).get_value(name) for name in FACE} for n in range(found.n_values)]
