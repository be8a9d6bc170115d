"""Provides the PipeWire camera gst-people by a program, first of one size, then of another, and reads it with one client.

    read_camera.py PROGRAM [ARGUMENT]... -- ARGUMENTS OF THE FIRST -- ARGUMENTS OF THE SECOND

Another client comes and goes meanwhile. Prints size and format each time, and the first bytes of a frame.
"""

import signal
import subprocess
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

NAME, PATIENCE, FRAMES = "gst-people", 60, 5
# Seconds. pipewiresink of PipeWire 0.3.65 may crash when a program opens its camera with the first frame.
SETTLING = 2


def is_there() -> bool:
    listed = subprocess.run(["pw-cli", "ls", "Node"], capture_output=True, text=True).stdout
    return f'node.name = "{NAME}"' in listed


def wait_until(condition: bool) -> None:
    end = time.monotonic() + PATIENCE
    while is_there() != condition:
        if time.monotonic() > end:
            sys.exit(f"The camera is {'not' if condition else 'still'} there.")
        time.sleep(0.1)


def client(caps: str) -> Gst.Pipeline:
    return Gst.parse_launch(
        f"pipewiresrc do-timestamp=true target-object={NAME} name=camera ! videoconvert ! {caps} ! "
        "appsink name=out sync=false max-buffers=2 drop=true"
    )


def read(pipeline: Gst.Pipeline) -> None:
    """Connects, reads some frames, and disconnects."""
    pipeline.set_state(Gst.State.PLAYING)
    samples = []
    while len(samples) < FRAMES and None not in samples:
        samples.append(pipeline.get_by_name("out").emit("try-pull-sample", PATIENCE * Gst.SECOND))
    if None in samples:
        error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        sys.exit(f"No frame: {error.parse_error()[0].message if error else 'nothing came'}")
    offered = pipeline.get_by_name("camera").get_static_pad("src").get_current_caps().get_structure(0)
    buffer = samples[-1].get_buffer()
    print(
        f"{offered.get_int('width')[1]}x{offered.get_int('height')[1]} {offered.get_string('format')},",
        f"{len(samples)} frames of {buffer.get_size()} bytes,",
        "first pixel", *buffer.extract_dup(0, 3),
    )  # fmt: skip
    pipeline.set_state(Gst.State.NULL)


Gst.init(None)
words = sys.argv[1:]
second = len(words) - 1 - words[::-1].index("--")
first = words.index("--")
program = words[:first]
rgb, planar = client("video/x-raw,format=RGB"), client("video/x-raw,format=I420")
for arguments in words[first + 1 : second], words[second + 1 :]:
    camera = subprocess.Popen([*program, *arguments])
    try:
        wait_until(True)
        time.sleep(SETTLING)
        read(rgb)
        # One client plays while another comes and goes.
        rgb.set_state(Gst.State.PLAYING)
        read(planar)
        read(rgb)
        camera.send_signal(signal.SIGINT)
        if camera.wait(PATIENCE):
            sys.exit("The camera failed.")
    finally:
        camera.kill()
    wait_until(False)
for pipeline in rgb, planar:
    pipeline.set_state(Gst.State.NULL)
