"""Reaches the elements of personbackground by GstChildProxy, and looks for them as an editor does."""

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def main():
    Gst.init(None)
    element = Gst.ElementFactory.make("personbackground")
    element.set_property("blur", 23.0)
    element.set_property("instance-masks", True)
    segment, blend = (Gst.ChildProxy.get_child_by_name(element, name) for name in ("segment", "blend"))
    assert blend.get_property("blur") == 23 and segment.get_property("instance-masks")
    segment.set_property("feather", 3.0)
    assert element.get_property("feather") == 3
    assert Gst.ChildProxy.get_children_count(element) == 2
    assert Gst.ChildProxy.get_child_by_index(element, 1) == blend
    assert Gst.ChildProxy.get_child_by_index(element, 2) is None and Gst.ChildProxy.get_child_by_name(element, "other") is None
    # GES lists the properties of all elements that it finds here.
    found = element.iterate_recurse().next()
    assert found[0] == Gst.IteratorResult.DONE, found


main()
