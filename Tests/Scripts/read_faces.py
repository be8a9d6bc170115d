"""Reads the faces of a launch line's frames as a Python program does, without a header of ours.

    read_faces.py LINE        (the line ends in an appsink called "sink")

Writes one JSON object per frame with the list "faces" of GstPeopleFaces, null where the frame carries
none; and one per element message, with its name, its running time and its faces.
"""

import json
import sys

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
from gi.repository import Gst, GstApp  # noqa: E402, F401


def faces(fields):
    # get_value cannot convert a list without python3-gst-1.0; get_list can.
    found, values = fields.get_list("faces")
    assert found
    items = [values.get_nth(n) for n in range(values.n_values)]
    return [{name: value(item, name) for name in names(item)} for item in items]


def value(item, name):
    if name == "landmarks":
        regions = item.get_value(name)
        return {region: numbers(regions, region) for region in names(regions)}
    return numbers(item, name) if name == "mesh" else item.get_value(name)


def numbers(structure, name):
    found, array = structure.get_array(name)
    assert found
    return [array.get_nth(n) for n in range(array.n_values)]


def names(structure):
    return [structure.nth_field_name(n) for n in range(structure.n_fields())]


def main(line):
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    sink = pipeline.get_by_name("sink")
    while sample := sink.try_pull_sample(60 * Gst.SECOND):
        meta = sample.get_buffer().get_custom_meta("GstPeopleFaces")
        print(json.dumps({"faces": meta and faces(meta.get_structure())}))
    while message := pipeline.get_bus().pop_filtered(Gst.MessageType.ELEMENT):
        fields = message.get_structure()
        if fields.get_name() == "facepose":
            running = fields.get_value("running-time")
            print(json.dumps({"message": "facepose", "running-time": running, "faces": faces(fields)}))
    pipeline.set_state(Gst.State.NULL)


main(sys.argv[1])
