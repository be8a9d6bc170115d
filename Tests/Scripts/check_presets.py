"""Stores the settings of each element as a preset, reads them back, and loads the presets that the project installs."""

import configparser
import os
import pathlib

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

INSTALLED = pathlib.Path(__file__).resolve().parents[2] / "pipelines/packaging/hosts/presets"
# A property of each element, and a value that is not its default.
CHANGES = {
    "personbackground": ("blur", "23"), "blendmask": ("blur", "23"), "personsegment": ("quality", "fast"),
    "subjectsegment": ("feather", "3"), "facepose": ("max-faces", "3"), "bodypose": ("draw", "all"), "handpose": ("max-hands", "3"),
    "poseoverlay": ("faces", "boxes"), "autoframe": ("framing", "body"),
}


def main():
    os.environ["GST_PRESET_PATH"] = str(INSTALLED)
    Gst.init(None)
    elements = [feature.get_name() for feature in Gst.Registry.get().get_feature_list_by_plugin("people")]
    assert set(elements) == set(CHANGES), elements
    for name, (key, text) in CHANGES.items():
        element, other = Gst.ElementFactory.make(name), Gst.ElementFactory.make(name)
        Gst.util_set_object_arg(element, key, text)
        assert element.save_preset("a test"), name
        assert other.get_property(key) != element.get_property(key), name
        assert other.load_preset("a test") and other.get_property(key) == element.get_property(key), name
        check_installed(other)


def check_installed(element):
    """Loads each installed preset of an element, whose values the element must have then."""
    presets = configparser.ConfigParser(default_section="_presets_")
    presets.read(INSTALLED / f"{type(element).__gtype__.name}.prs")
    assert presets.sections() and set(presets.sections()) < set(element.get_preset_names()), presets.sections()
    for preset in presets.sections():
        assert element.load_preset(preset), preset
        for key, text in presets[preset].items():
            if key in presets.defaults():
                continue
            expected = Gst.ElementFactory.make(element.get_factory().get_name())
            Gst.util_set_object_arg(expected, key, text)
            assert element.get_property(key) == expected.get_property(key), (preset, key)


main()
