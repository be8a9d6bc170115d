"""Reads the faces, people or hands of a launch line's frames as a Python program does, without a header of ours.

    read_faces.py LINE [faces|bodies|hands]        (the line ends in an appsink called "sink")

Writes one JSON object per frame with the list "faces" of GstPeopleFaces (or "bodies" of GstPeopleBodies, "hands" of
GstPeopleHands), null where
the frame carries none; and one per element message, with its name, its running time and its list.
"""

import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401

METAS = {"faces": ("GstPeopleFaces", "facepose"), "bodies": ("GstPeopleBodies", "bodypose"),
         "hands": ("GstPeopleHands", "handpose")}


def items(fields, name):
    # get_value cannot convert a list without python3-gst-1.0; get_list can.
    found, values = fields.get_list(name)
    assert found
    return [contents(values.get_nth(n)) for n in range(values.n_values)]


def contents(structure):
    return {name: value(structure, name) for name in names(structure)}


def value(structure, name):
    if structure.get_field_type(name).name == "GstValueArray":
        found, array = structure.get_array(name)
        assert found
        return [array.get_nth(n) for n in range(array.n_values)]
    content = structure.get_value(name)
    return contents(content) if isinstance(content, Gst.Structure) else content


def names(structure):
    return [structure.nth_field_name(n) for n in range(structure.n_fields())]


def main(line, name="faces"):
    kind, element = METAS[name]
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    sink = pipeline.get_by_name("sink")
    while sample := sink.try_pull_sample(60 * Gst.SECOND):
        meta = sample.get_buffer().get_custom_meta(kind)
        print(json.dumps({name: meta and items(meta.get_structure(), name)}))
    while message := pipeline.get_bus().pop_filtered(Gst.MessageType.ELEMENT):
        fields = message.get_structure()
        if fields.get_name() == element:
            running = fields.get_value("running-time")
            print(json.dumps({"message": element, "running-time": running, name: items(fields, name)}))
    pipeline.set_state(Gst.State.NULL)


main(*sys.argv[1:])
