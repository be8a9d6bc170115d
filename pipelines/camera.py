"""Finding a camera and choosing one of its modes. Used by the programs beside it."""
import glob
import os
import re

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

FAST_ENOUGH = "framerate=[24/1,2147483647/1]"
USUAL = {"width": 1280, "height": 720, "rate": 30}
VIRTUAL = "/sys/devices/virtual/video4linux"


class Unavailable(RuntimeError):
    """There is no camera, or nowhere to show its pictures."""

    status = 3


def choose(offered, size=None):
    """The best mode in a camera's caps, as fixed caps; None if it has none of this size.

    Raw pictures at 24 frames per second or more, else JPEG. Many cameras have the bandwidth for raw
    pictures only when they are small or slow.
    """
    at_size = f",width={size[0]},height={size[1]}" if size else ""
    for wanted in (
        f"video/x-raw,{FAST_ENOUGH}",
        f"image/jpeg,{FAST_ENOUGH}",
        "image/jpeg,framerate=[1/1,2147483647/1]",
        "video/x-raw,framerate=[1/1,2147483647/1]",
    ):
        modes = usual_modes(offered.intersect(Gst.Caps.from_string(wanted + at_size)))
        if modes:
            return min(modes, key=distance)[0]
    return None


def usual_modes(caps):
    """For each structure of the caps its mode nearest to the usual one: (caps, width, height, rate)."""
    modes = []
    for n in range(caps.get_size()):
        structure = caps.get_structure(n).copy()
        for field in "width", "height":
            structure.fixate_field_nearest_int(field, USUAL[field])
        structure.fixate_field_nearest_fraction("framerate", USUAL["rate"], 1)
        structure.fixate()
        (_, width), (_, height) = structure.get_int("width"), structure.get_int("height")
        _, numerator, denominator = structure.get_fraction("framerate")
        # No more than this: what else a driver lists, it need not accept.
        mode = f"{structure.get_name()},width={width},height={height},framerate={numerator}/{denominator}"
        if structure.has_field("format"):
            mode += f",format={structure.get_string('format')}"
        modes.append((Gst.Caps.from_string(mode), width, height, numerator / denominator))
    return modes


def distance(mode):
    _, width, height, rate = mode
    return abs(width * height - USUAL["width"] * USUAL["height"]), abs(rate - USUAL["rate"])


def camera(path=None):
    """The elements and the caps of a camera: the one at `path`, or the first that delivers pictures."""
    found, reasons = paths(), []
    if path is not None and not os.path.exists(path):
        raise Unavailable(f"there is no {path}. Cameras here: {', '.join(found) or 'none'}.")
    for candidate in found if path is None else [path]:
        elements = f"v4l2src device={quoted(candidate)}"
        try:
            return elements, offered(elements)
        except Unavailable as reason:
            reasons.append(f"\n  {candidate}: {reason}")
    raise Unavailable(("no camera found." if path is None else "no camera there.") + "".join(reasons))


def paths():
    """Video devices of the machine, without those that programs made."""
    devices = glob.glob("/dev/video[0-9]*")
    real = [path for path in devices if not os.path.exists(f"{VIRTUAL}/{os.path.basename(path)}")]
    return sorted(real, key=number)


def number(path):
    digits = re.search(r"\d+$", path)
    return int(digits[0]) if digits else -1


def offered(elements):
    """What elements without a sink can deliver; opens the device and closes it again."""
    source = Gst.parse_bin_from_description(elements, True)
    pad = source.get_static_pad("src")
    if pad is None:
        raise Unavailable(f"{elements}: delivers no pictures")
    with Ready(source):
        return pad.query_caps(None)


class Ready:
    """Opens the device of an element; raises Unavailable if that fails."""

    def __init__(self, element):
        self.pipeline = Gst.Pipeline()
        self.pipeline.add(element)

    def __enter__(self):
        if self.pipeline.set_state(Gst.State.READY) == Gst.StateChangeReturn.FAILURE:
            message = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
            self.pipeline.set_state(Gst.State.NULL)
            raise Unavailable(message.parse_error()[0].message if message else "it cannot be opened")

    def __exit__(self, *_):
        self.pipeline.set_state(Gst.State.NULL)


def quoted(text):
    """Text as a value in a gst-launch-1.0 line."""
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
