"""Faces that facepose attached to a frame, as Python values. Used by the programs beside it."""
import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

#: What the numbers of a face are measured in.
UNITS = {
    "timestamp": "s", "x": "frame width", "y": "frame height", "width": "frame width", "height": "frame height",
    "roll": "rad", "yaw": "rad", "pitch": "rad",
}


def faces(frame):
    """The faces of a frame, a dictionary each; landmarks are {region: [[x, y, confidence], ...]}."""
    meta = frame.get_custom_meta("GstPeopleFaces")
    if meta is None:
        raise RuntimeError("a frame carries no GstPeopleFaces")
    _, values = meta.get_structure().get_list("faces")
    return [face(values.get_nth(n)) for n in range(values.n_values)]


def face(fields):
    return {name: value(fields, name) for name in names(fields)}


def value(fields, name):
    if name == "landmarks":
        regions = fields.get_value(name)
        return {region: triples(regions, region) for region in names(regions)}
    return triples(fields, name) if name == "mesh" else fields.get_value(name)


def triples(fields, name):
    # get_value cannot convert an array without python3-gst-1.0; get_array can.
    _, array = fields.get_array(name)
    numbers = [array.get_nth(n) for n in range(array.n_values)]
    return [numbers[n:n + 3] for n in range(0, len(numbers), 3)]


def names(structure):
    return [structure.nth_field_name(n) for n in range(structure.n_fields())]


def frames(pipeline, name):
    """The samples of the appsink `name`, until the stream ends; raises RuntimeError when it fails."""
    sink, bus = pipeline.get_by_name(name), pipeline.get_bus()
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while not sink.get_property("eos"):
            sample = sink.emit("try-pull-sample", Gst.SECOND // 10)
            message = bus.pop_filtered(Gst.MessageType.ERROR)
            if message is not None:
                error, details = message.parse_error()
                # GStreamer's own elements name the file in the last line of the details only.
                raise RuntimeError(" ".join([error.message, *(details or "").splitlines()[-1:]]))
            if sample is not None:
                yield sample
    finally:
        pipeline.set_state(Gst.State.NULL)
