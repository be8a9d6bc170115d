"""Results of gst-people as NumPy arrays and dataclasses.

    import gst_people

    mask = gst_people.mask(buffer)          # a Gst.Buffer of an appsink or a pad probe
    mask.coverage                           # height x width, 0 to 255
    for face in gst_people.faces(buffer):
        print(face.id, face.yaw)            # radians

    for frame in gst_people.frames("clip.mp4"):
        frame.picture[frame.coverage < 128] = 0     # black behind the people

Results that a buffer does not carry are None or empty. Boxes and points are fractions of the frame, 0 to 1, with the origin
at the top left; docs/metadata.md of gst-people describes each field. Needs Debian's python3-numpy and python3-gi.
"""
import ctypes
from dataclasses import dataclass, field
from typing import NamedTuple

import gi
import numpy

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

__all__ = ["Body", "Box", "Face", "Frame", "Hand", "Instance", "Mask", "bodies", "faces", "fields", "frames", "hands", "mask"]


class Box(NamedTuple):
    """A box in the frame; boxes of faces and hands may reach outside of it."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True, eq=False)
class Instance:
    """One person, or one subject, of a mask."""

    id: int
    label: int
    box: Box
    confidence: float
    #: Soft coverage by this person, of the size of the whole mask.
    coverage: numpy.ndarray | None = field(repr=False)
    #: Ids of what belongs to the person; -1 or empty where nothing is known.
    person: int = -1
    body: int = -1
    faces: tuple = ()
    hands: tuple = ()


@dataclass(frozen=True, eq=False)
class Mask:
    """Coverage of a frame by people, or by subjects."""

    #: Height x width: 0 to 255 (uint8), or 0 to 1 (float16, float32), as the element's `mask-format` says.
    coverage: numpy.ndarray = field(repr=False)
    quality: str
    #: Seconds from the frame that the mask was made of to this one.
    age: float
    #: The same for a mask that has been moved along with the image; 0 for others.
    motion_age: float
    #: Width and height in pixels of the frame that was analysed.
    frame_size: tuple
    #: Height x width: 0 is background, 1 to n are people; None without instances.
    labels: numpy.ndarray | None = field(repr=False)
    instances: tuple = ()
    #: Number of subjects of `subjectsegment`; None for people.
    subjects: int | None = None

    def scaled(self, width, height):
        """The coverage at another size; each pixel is that of the nearest place."""
        return _scaled(self.coverage, width, height)


@dataclass(frozen=True, eq=False)
class Face:
    """A face. Angles are in radians."""

    id: int
    box: Box
    confidence: float
    roll: float
    yaw: float
    pitch: float
    angles_reliable: bool
    #: 0 to 1; None without `capture-quality`.
    quality: float | None = None
    #: Points by region: n x 3 (x, y, confidence); empty without `landmarks`.
    landmarks: dict = field(default_factory=dict, repr=False)
    #: 478 x 3 (x, y, depth); None without `mesh`.
    mesh: numpy.ndarray | None = field(default=None, repr=False)
    person: int = -1


@dataclass(frozen=True, eq=False)
class Body:
    """A person's joints. Positions in space are in metres from the root: x to the right, y up, z towards the camera."""

    id: int
    box: Box
    confidence: float
    upper_body_only: bool
    #: By joint: x, y, confidence.
    joints: dict = field(repr=False)
    #: By joint: x, y, z; empty without `pose-3d`.
    joints_3d: dict = field(default_factory=dict, repr=False)
    camera_position: numpy.ndarray | None = None
    body_height: float | None = None
    height_estimation: str | None = None
    person: int = -1
    faces: tuple = ()
    hands: tuple = ()


@dataclass(frozen=True, eq=False)
class Hand:
    """A hand's joints. Positions in space are in metres from the middle of the hand."""

    id: int
    box: Box
    confidence: float
    #: `left` or `right`.
    chirality: str
    chirality_confidence: float
    #: By joint: x, y, confidence.
    joints: dict = field(repr=False)
    #: By joint: x, y, z; empty without `pose-3d`.
    joints_3d: dict = field(default_factory=dict, repr=False)
    person: int = -1


@dataclass(frozen=True, eq=False)
class Frame:
    """A decoded frame with what was found in it."""

    #: Height x width x 3, RGB; it may be written to.
    picture: numpy.ndarray = field(repr=False)
    #: Seconds from the beginning.
    time: float
    #: Height x width, 0 to 255, of the picture's size.
    coverage: numpy.ndarray = field(repr=False)
    mask: Mask
    faces: list


def mask(buffer):
    """The `Mask` that `personsegment` or `subjectsegment` has attached; None without one."""
    found = _metadata(buffer, "GstPeopleMask")
    if found is None or "mask" not in found:
        return None
    width, height, kind = found["width"], found["height"], _KINDS[found["format"]]

    def samples(name, stride, kind):
        return _rows(found[name], width, height, found[stride], kind) if name in found else None

    instances = tuple(
        Instance(each["id"], each["label"], _box(each), each["confidence"],
                 _rows(each["mask"], width, height, found["stride"], kind) if "mask" in each else None, **_relations(each))
        for each in found.get("instances", ()))
    return Mask(samples("mask", "stride", kind), found.get("quality", ""), found.get("age", 0) / Gst.SECOND,
                found.get("motion-age", 0) / Gst.SECOND, (found["frame-width"], found["frame-height"]),
                samples("labels", "labels-stride", numpy.uint8), instances, found.get("subjects"))


def faces(source):
    """A list of `Face`, of a buffer or of the Gst.Structure of a message of `facepose`."""
    return [
        Face(each["id"], _box(each), each["confidence"], each["roll"], each["yaw"], each["pitch"], each["angles-reliable"],
             each.get("quality"), {name: _points(values) for name, values in each.get("landmarks", {}).items()},
             _points(each["mesh"]) if "mesh" in each else None, each.get("person", -1))
        for each in _entries(source, "GstPeopleFaces", "faces")]


def bodies(source):
    """A list of `Body`, of a buffer or of the Gst.Structure of a message of `bodypose`."""
    return [
        Body(each["id"], _box(each), each["confidence"], each["upper-body-only"], _joints(each, "joints"),
             _joints(each, "joints-3d"), each.get("camera-position"), each.get("body-height"), each.get("height-estimation"),
             **_relations(each, but="body"))
        for each in _entries(source, "GstPeopleBodies", "bodies")]


def hands(source):
    """A list of `Hand`, of a buffer or of the Gst.Structure of a message of `handpose`."""
    return [
        Hand(each["id"], _box(each), each["confidence"], each["chirality"], each["chirality-confidence"],
             _joints(each, "joints"), _joints(each, "joints-3d"), each.get("person", -1))
        for each in _entries(source, "GstPeopleHands", "hands")]


def frames(source, quality="balanced"):
    """Yields a `Frame` for each frame of a file, a URI or `v4l2src`. Raises RuntimeError."""
    Gst.init(None)
    uri = source if Gst.uri_is_valid(source) else Gst.filename_to_uri(source)
    reader = source if source == "v4l2src" else f'uridecodebin uri="{uri}"'
    pipeline = Gst.parse_launch(
        f"{reader} ! videoconvert ! video/x-raw,format=RGB ! personsegment quality={quality} ! facepose "
        "! appsink name=sink sync=false max-buffers=2")
    pipeline.set_state(Gst.State.PLAYING)
    try:
        for sample in _pulled(pipeline.get_by_name("sink"), pipeline.get_bus()):
            buffer, caps = sample.get_buffer(), fields(sample.get_caps().get_structure(0))
            width, height = caps["width"], caps["height"]
            # GStreamer pads rows to multiples of four bytes.
            rows = numpy.frombuffer(buffer.extract_dup(0, buffer.get_size()), numpy.uint8).reshape(height, -1)
            picture = rows[:, :3 * width].reshape(height, width, 3).copy()
            found = mask(buffer)
            yield Frame(picture, buffer.pts / Gst.SECOND, found.scaled(width, height), found, faces(buffer))
    finally:
        pipeline.set_state(Gst.State.NULL)


def _pulled(sink, bus):
    """Samples of the sink until the stream ends. An error elsewhere in the pipeline does not end it."""
    while not sink.get_property("eos"):
        if sample := sink.emit("try-pull-sample", Gst.SECOND // 10):
            yield sample
        elif error := bus.pop_filtered(Gst.MessageType.ERROR):
            raise RuntimeError(error.parse_error()[0].message)


# Parts of results


_KINDS = {"gray8": numpy.uint8, "f16": numpy.float16, "f32": numpy.float32}


def _entries(source, metadata, name):
    found = fields(source) if isinstance(source, Gst.Structure) else _metadata(source, metadata)
    return (found or {}).get(name, ())


def _box(entry):
    return Box(entry["x"], entry["y"], entry["width"], entry["height"])


def _relations(entry, but=""):
    """The fields that say whose a part is."""
    names = {"person", "body", "faces", "hands"} - {but}
    return {name: tuple(entry[name]) if name in ("faces", "hands") else entry[name] for name in names if name in entry}


def _points(values):
    return values.reshape(-1, 3)


def _joints(entry, name):
    return dict(entry.get(name, {}))


def _rows(samples, width, height, stride, kind):
    size = width * numpy.dtype(kind).itemsize
    rows = numpy.frombuffer(samples.ljust(stride * height, b"\0"), numpy.uint8, stride * height).reshape(height, stride)
    return numpy.ascontiguousarray(rows[:, :size]).view(kind)


def _scaled(samples, width, height):
    rows, columns = (numpy.arange(n) * m // n for n, m in zip((height, width), samples.shape))
    return samples[rows][:, columns]


# GStreamer's structures, whose lists and arrays PyGObject reads only by functions that GLib deprecates


def fields(structure):
    """A dictionary of the fields of a Gst.Structure, as of an element message.

    Structures become dictionaries, arrays of doubles NumPy arrays, other arrays and lists lists, buffers bytes.
    """
    # GStreamer's overrides of 1.24 and later give the structures of caps, events and queries as context managers.
    if not isinstance(structure, Gst.Structure):
        with structure as structure:
            return _fields(hash(structure))
    return _fields(hash(structure))


def _metadata(buffer, name):
    """The fields of a buffer's metadata; None where it carries none of this name."""
    found = _gst.gst_buffer_get_custom_meta(hash(buffer), name.encode())
    return _fields(_gst.gst_custom_meta_get_structure(found)) if found else None


def _fields(structure):
    names = (_gst.gst_structure_nth_field_name(structure, place) for place in range(_gst.gst_structure_n_fields(structure)))
    return {name.decode(): _value(_gst.gst_structure_get_value(structure, name)) for name in names}


def _value(value):
    kind = _gobject.g_type_name(ctypes.cast(value, ctypes.POINTER(ctypes.c_size_t))[0]).decode()
    if kind in _LISTS:
        count, item = _LISTS[kind]
        items = [item(value, place) for place in range(count(value))]
        doubles = _doubles(items)
        return [_value(each) for each in items] if doubles is None else doubles
    return _READERS[kind](value) if kind in _READERS else None


def _doubles(items):
    """The numbers of GValues that lie one behind the other; None where they do not, or are no doubles."""
    if not items or items[-1] - items[0] != _GVALUE * (len(items) - 1):
        return None
    table = numpy.frombuffer((ctypes.c_char * (_GVALUE * len(items))).from_address(items[0]), numpy.uint64).reshape(-1, 3)
    # A GValue is a type and two words of data; the number of the type gdouble is a constant of GObject's.
    return table[:, 1].copy().view(numpy.float64) if (table[:, 0] == _GDOUBLE).all() else None


def _bytes(value):
    buffer = _gobject.g_value_get_boxed(value)
    size = _gst.gst_buffer_get_size(buffer)
    data = ctypes.create_string_buffer(size)
    _gst.gst_buffer_extract(buffer, 0, data, size)
    return data.raw


def _text(value):
    text = _gobject.g_value_get_string(value)
    return None if text is None else text.decode()


def _library(name, functions):
    """A C library with the types of the functions that are called; the first is that of the result."""
    library = ctypes.CDLL(name)
    for function, (result, *arguments) in functions.items():
        getattr(library, function).restype = result
        getattr(library, function).argtypes = arguments
    return library


#: Bytes of a GValue, and the type of doubles (G_TYPE_DOUBLE: the 15th fundamental type).
_GVALUE, _GDOUBLE = 24, 15 << 2
_POINTER, _INT, _TEXT, _SIZE = ctypes.c_void_p, ctypes.c_int, ctypes.c_char_p, ctypes.c_size_t
_gst = _library("libgstreamer-1.0.so.0", {
    "gst_buffer_get_custom_meta": (_POINTER, _POINTER, _TEXT),
    "gst_custom_meta_get_structure": (_POINTER, _POINTER),
    "gst_structure_n_fields": (_INT, _POINTER),
    "gst_structure_nth_field_name": (_TEXT, _POINTER, ctypes.c_uint),
    "gst_structure_get_value": (_POINTER, _POINTER, _TEXT),
    "gst_value_list_get_size": (ctypes.c_uint, _POINTER),
    "gst_value_list_get_value": (_POINTER, _POINTER, ctypes.c_uint),
    "gst_value_array_get_size": (ctypes.c_uint, _POINTER),
    "gst_value_array_get_value": (_POINTER, _POINTER, ctypes.c_uint),
    "gst_value_get_fraction_numerator": (_INT, _POINTER),
    "gst_value_get_fraction_denominator": (_INT, _POINTER),
    "gst_buffer_get_size": (_SIZE, _POINTER),
    "gst_buffer_extract": (_SIZE, _POINTER, _SIZE, _POINTER, _SIZE),
})
_gobject = _library("libgobject-2.0.so.0", {
    "g_type_name": (_TEXT, _SIZE),
    "g_value_get_int": (_INT, _POINTER),
    "g_value_get_uint": (ctypes.c_uint, _POINTER),
    "g_value_get_int64": (ctypes.c_int64, _POINTER),
    "g_value_get_uint64": (ctypes.c_uint64, _POINTER),
    "g_value_get_double": (ctypes.c_double, _POINTER),
    "g_value_get_float": (ctypes.c_float, _POINTER),
    "g_value_get_boolean": (_INT, _POINTER),
    "g_value_get_string": (_TEXT, _POINTER),
    "g_value_get_boxed": (_POINTER, _POINTER),
})
_LISTS = {
    "GstValueList": (_gst.gst_value_list_get_size, _gst.gst_value_list_get_value),
    "GstValueArray": (_gst.gst_value_array_get_size, _gst.gst_value_array_get_value),
}
_READERS = {
    "gint": _gobject.g_value_get_int,
    "guint": _gobject.g_value_get_uint,
    "gint64": _gobject.g_value_get_int64,
    "guint64": _gobject.g_value_get_uint64,
    "gdouble": _gobject.g_value_get_double,
    "gfloat": _gobject.g_value_get_float,
    "gboolean": lambda value: bool(_gobject.g_value_get_boolean(value)),
    "gchararray": _text,
    "GstFraction": lambda value: (_gst.gst_value_get_fraction_numerator(value), _gst.gst_value_get_fraction_denominator(value)),
    "GstStructure": lambda value: _fields(_gobject.g_value_get_boxed(value)),
    "GstBuffer": _bytes,
}
