"""Provides the PipeWire camera gst-people on demand by a program, and shows it in `gst-people studio`: service_studio.py PROGRAM

Run it in `pipewire-session`, with what studio_client.py needs. The real camera may be opened by the service only; other programs have
to get what is changed in the studio, and the studio what others change. Prints what happened, a line each, or fails when it does not.
"""

import signal
import subprocess
import sys

from studio_client import Studio, pixels
from watched_camera import PATIENCE, Reader, WatchedCamera, is_like, is_there, wait_until

PROGRAM = sys.argv[1]
GREEN, RED, BLUE, ROOM = (0, 177, 64), (200, 0, 0), (0, 0, 200), (200, 0, 200)
COLOR = "blendmask.background-color"


def control(*words: str) -> str:
    return subprocess.run([PROGRAM, "control", *words], capture_output=True, text=True, check=True).stdout


def offer() -> subprocess.Popen[bytes]:
    line = [PROGRAM, "virtual-camera", "--pipewire", "--on-demand", "--color=00b140", f"--source={room.elements}"]
    return subprocess.Popen(line)


def status() -> dict:
    return studio.get("/settings")["status"]


def is_attached() -> bool:
    return status()["outputs"]["isOffered"]


def shows(color: tuple[int, ...]) -> bool:
    """Whether the page's picture has this colour, and never that of the room."""
    with studio.watch() as viewer:
        middle = tuple(pixels(viewer.newest())[90, 160])
    if is_like(middle, ROOM):
        sys.exit("The studio shows the room.")
    return is_like(middle, color)


def check_settings() -> None:
    """Changes of the page come to other programs, and theirs to the page."""
    wait_until("green", lambda: shows(GREEN))
    if studio.get("/devices")["chosen"] != "service":
        sys.exit("The page does not say where its picture comes from.")
    studio.set(**{COLOR: 0xFFC80000})
    wait_until("red", lambda: shows(RED))
    reader = Reader()
    wait_until("red for others", lambda: reader.sees(RED))
    control("set", "color", "0000c8")
    wait_until("blue", lambda: shows(BLUE))
    wait_until("blue on the page", lambda: studio.get("/settings")["values"][COLOR] == 0xFF0000C8)
    reader.end()
    if studio.do("start-camera").status == 200:
        sys.exit("A second virtual camera was started.")


def check_switch() -> None:
    """The page's switch covers the camera, and that of others is seen on the page."""
    studio.do("camera-off")
    wait_until("covered", lambda: "covered: yes" in control("status"))
    # It is only the reader that has gone.
    wait_until("closed", lambda: not room.is_open)
    studio.do("camera-on")
    wait_until("uncovered", lambda: "covered: no" in control("status"))
    wait_until("blue again", lambda: shows(BLUE))
    control("cover")
    wait_until("off on the page", lambda: status()["state"] == "off")
    control("uncover")
    wait_until("on again", lambda: status()["state"] == "playing" and shows(BLUE))


def check_toggles() -> None:
    """Frames that are still being shown when the camera is closed are in memory that lasts."""
    with studio.watch() as viewer:
        for _ in range(10):
            viewer.newest()
            studio.do("camera-off")
            wait_until("off", lambda: status()["state"] == "off")
            studio.do("camera-on")
            wait_until("on", lambda: status()["state"] == "playing")


def check_ends() -> None:
    """Without the service the studio looks for a camera of its own; a service that shows the room is not shown."""
    global camera
    camera.send_signal(signal.SIGINT)
    camera.wait(PATIENCE)
    wait_until("alone", lambda: not is_attached() and status()["state"] == "missing")
    camera = offer()
    wait_until("attached again", lambda: is_attached() and shows(GREEN))
    control("set", "invert")
    wait_until("not shown", lambda: not is_attached())
    wait_until("said", lambda: any("room" in line for line in status()["warnings"]))


room = WatchedCamera()
room.color = ROOM
room.may_send.set()
camera = offer()
try:
    wait_until("there", is_there)
    wait_until("controlled", lambda: subprocess.run([PROGRAM, "control", "status"], capture_output=True).returncode == 0)
    studio = Studio()
    wait_until("attached", is_attached)
    check_settings()
    check_switch()
    check_toggles()
    check_ends()
    if studio.close():
        sys.exit("The studio failed.")
    print("ended", flush=True)
finally:
    camera.kill()
    camera.wait()
