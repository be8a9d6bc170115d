"""Provides the PipeWire camera gst-people by a program, first of one size, then of another, and reads it with one client.

    read_camera.py PROGRAM [ARGUMENT]... -- ARGUMENTS OF THE FIRST -- ARGUMENTS OF THE SECOND

Another client comes and goes meanwhile. Prints size and format each time, and the first bytes of a frame.
"""

import re
import signal
import subprocess
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

NAME, PATIENCE, FRAMES = "gst-people", 300, 5
# pipewiresink of PipeWire 0.3.65 may stall when a program leaves its camera: then the camera is started again.
TRIES = 3


class NoFrame(Exception):
    pass


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


def read(pipeline: Gst.Pipeline) -> str:
    """Connects, reads some frames, disconnects, and says what they were."""
    pipeline.set_state(Gst.State.PLAYING)
    samples = []
    while len(samples) < FRAMES and None not in samples:
        samples.append(pipeline.get_by_name("out").emit("try-pull-sample", PATIENCE * Gst.SECOND))
    if None in samples:
        error = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        raise NoFrame(f"No frame: {error.parse_error()[0].message if error else 'nothing came'}")
    # What get_structure() gives differs between versions of the bindings.
    offered = pipeline.get_by_name("camera").get_static_pad("src").get_current_caps().to_string()
    width, height, pixels = (re.search(rf"{name}=\(\w+\)(\w+)", offered)[1] for name in ("width", "height", "format"))
    buffer = samples[-1].get_buffer()
    pipeline.set_state(Gst.State.NULL)
    return (
        f"{width}x{height} {pixels}, {len(samples)} frames of {buffer.get_size()} bytes, "
        f"first pixel {' '.join(map(str, buffer.extract_dup(0, 3)))}"
    )


def read_with_two(command: list[str], rgb: Gst.Pipeline, planar: Gst.Pipeline) -> list[str]:
    """Provides the camera, and reads it with a client that stays while another one comes and goes."""
    camera = subprocess.Popen(command)
    try:
        wait_until(True)
        found = [read(rgb)]
        rgb.set_state(Gst.State.PLAYING)
        found += [read(planar), read(rgb)]
        camera.send_signal(signal.SIGINT)
        if camera.wait(PATIENCE):
            raise NoFrame("The camera failed.")
        return found
    finally:
        camera.kill()
        camera.wait()
        for pipeline in rgb, planar:
            pipeline.set_state(Gst.State.NULL)
        wait_until(False)


Gst.init(None)
words = sys.argv[1:]
second = len(words) - 1 - words[::-1].index("--")
first = words.index("--")
program = words[:first]
rgb, planar = client("video/x-raw,format=RGB"), client("video/x-raw,format=I420")
for arguments in words[first + 1 : second], words[second + 1 :]:
    for _ in range(TRIES):
        try:
            print(*read_with_two([*program, *arguments], rgb, planar), sep="\n")
            break
        except NoFrame as failure:
            print(failure, file=sys.stderr)
    else:
        sys.exit("The camera could not be read.")
