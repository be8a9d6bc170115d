"""Describes the plugin `people` as programs in other languages see it, in one JSON object.

It has the file, version, license, package and origin of the plugin; rank, class, author, icon, documentation, interfaces and
properties of its elements; and the files that GStreamer could not load.
"""

import json

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GObject, Gst  # noqa: E402


def describe(plugin: Gst.Plugin, registry: Gst.Registry) -> dict:
    factories = registry.get_feature_list_by_plugin(plugin.get_name())
    return {
        "file": plugin.get_filename(), "version": plugin.get_version(), "license": plugin.get_license(), "package": plugin.get_package(),
        "origin": plugin.get_origin(),
        "elements": {factory.get_name(): describe_element(factory) for factory in factories},
    }


def describe_element(factory: Gst.ElementFactory) -> dict:
    # Only a loaded factory knows the type of its elements.
    factory = factory.load()
    return {
        "rank": factory.get_rank(), "class": factory.get_metadata("klass"),
        "author": factory.get_metadata("author"), "icon": factory.get_metadata("icon-name"),
        "documentation": factory.get_metadata("doc-uri"),
        "interfaces": [kind.name for kind in factory.get_element_type().interfaces],
        "properties": {
            spec.name: describe_property(spec) for spec in factory.create(None).list_properties()
            if spec.owner_type == factory.get_element_type()
        },
    }


def describe_property(spec) -> dict:
    flags = int(spec.flags)
    return {
        "blurb": spec.blurb, "isReadable": bool(flags & 1), "isWritable": bool(flags & 2),
        "isDeprecated": bool(flags & GObject.ParamFlags.DEPRECATED), "type": spec.value_type.name,
        "isControllable": bool(flags & Gst.PARAM_CONTROLLABLE),
        "changesWhilePlaying": bool(flags & Gst.PARAM_MUTABLE_PLAYING),
        "saysWhenItChanges": bool(
            flags & (Gst.PARAM_MUTABLE_PLAYING | Gst.PARAM_MUTABLE_PAUSED | Gst.PARAM_MUTABLE_READY)),
    }


def main() -> None:
    Gst.init(None)
    registry = Gst.Registry.get()
    blocked = [
        plugin.get_filename() for plugin in registry.get_plugin_list() if plugin.flags & Gst.PluginFlags.BLACKLISTED
    ]
    print(json.dumps({**describe(registry.find_plugin("people"), registry), "unloadable": blocked}))


main()
