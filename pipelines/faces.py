"""Faces that facepose attached to a frame, as Python values. Used by the programs beside it."""
import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


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
