"""Finding a virtual camera to write to (v4l2loopback). Used by virtual_camera.py."""
import glob
import os

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from camera import VIRTUAL, Ready, Unavailable, number, quoted  # noqa: E402


def sink(path=None):
    """The element that writes to the virtual camera at `path`, or to the first one."""
    device = path or first()
    if device is None or not os.path.exists(device):
        raise Unavailable(missing(device))
    # Elements before it must not write into its few buffers: drivers fail when all are in use.
    elements = f"identity drop-allocation=true ! v4l2sink device={quoted(device)} sync=false"
    try:
        with Ready(Gst.parse_bin_from_description(elements, True)):
            return elements
    except Unavailable as reason:
        raise Unavailable(f"{device} cannot be written to: {reason}") from None


def first():
    """What the drivers of virtual cameras made comes without hardware."""
    made = sorted((os.path.basename(path) for path in glob.glob(f"{VIRTUAL}/video*")), key=number)
    return f"/dev/{made[0]}" if made else None


def missing(device):
    """What to do about it. Programs such as browsers list it as a camera only with exclusive_caps."""
    wanted = number(device or "")
    load = f"modprobe v4l2loopback video_nr={wanted if wanted >= 0 else 10}"
    return (
        f"there is no {device or 'virtual camera'}. As root, install v4l2loopback and load it:\n"
        "  apt-get install v4l2loopback-dkms\n"
        f'  {load} card_label="gst-people" exclusive_caps=1'
    )
