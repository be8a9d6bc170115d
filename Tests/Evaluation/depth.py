"""Depth maps of pictures, for the bodypose element."""
import ctypes

from gi.repository import GObject

from gstreamer import Gst, contents, decode, size

LIBRARY = ctypes.CDLL("libgstreamer-1.0.so.0")
for function in (LIBRARY.gst_buffer_add_custom_meta, LIBRARY.gst_custom_meta_get_structure):
    function.restype = ctypes.c_void_p


def attach(buffer, path):
    """Attaches a picture of 16-bit millimetres as `GstPeopleDepth`."""
    sample = decode(path, "videoconvert ! video/x-raw,format=GRAY16_LE")
    width, height = size(sample.get_caps())
    # PyGObject gives copies of a metadata's fields, which may be read and not written.
    meta = LIBRARY.gst_buffer_add_custom_meta(ctypes.c_void_p(hash(buffer)), b"GstPeopleDepth")
    fields = ctypes.c_void_p(LIBRARY.gst_custom_meta_get_structure(ctypes.c_void_p(meta)))
    data = contents(sample.get_buffer())
    values = {"depth": (Gst.Buffer, Gst.Buffer.new_wrapped(data)), "width": (int, width), "height": (int, height),
              "stride": (int, len(data) // height)}
    for name, (kind, value) in values.items():
        held = GObject.Value(kind, value)
        LIBRARY.gst_structure_set_value(fields, name.encode(), ctypes.c_void_p(hash(held)))
