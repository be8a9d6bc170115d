"""Offers a camera on a device by a program, opens it, and covers it by D-Bus: control_camera.py PROGRAM [ARGUMENT]...

The program writes its frames into a file, so that a frame has been delivered when it is there. The device is a file: a program
that opens it reads the camera. With FAKE_USAGE, its number of readers is a text in this file, which a preloaded library reports
as the driver would. Prints what happened, or fails when a frame shows the room after the camera was covered.
"""

import os
import pathlib
import random
import signal
import subprocess
import sys
import time

from watched_camera import PATIENCE, wait_until

# Size of the frames, and bytes of a frame in I420.
WIDTH, HEIGHT = 320, 180
FRAME = WIDTH * HEIGHT * 3 // 2
# Brightness of the covered frame and of the room.
DARK, BRIGHT = 16, 235
TIMES = 25
FOLDER = pathlib.Path(os.environ["CONTROL_FOLDER"])


def control(*words: str, status: int = 0) -> str:
    result = subprocess.run([sys.argv[1], "control", *words], capture_output=True, text=True)
    if result.returncode != status:
        sys.exit(f"control {words}: {result.returncode}, {result.stdout}{result.stderr}")
    return result.stdout + result.stderr


def count() -> int:
    """Frames that have been delivered, whole."""
    return frames.stat().st_size // FRAME if frames.exists() else 0


def brightness(number: int) -> tuple[int, int]:
    """The darkest and the brightest pixel of a frame."""
    with frames.open("rb") as file:
        file.seek(number * FRAME)
        pixels = file.read(WIDTH * HEIGHT)
    return min(pixels), max(pixels)


def shows_room(number: int) -> bool:
    return brightness(number)[1] > (DARK + BRIGHT) // 2


def wait_for_room(what: str) -> None:
    start = count()
    wait_until(what, lambda: any(shows_room(number) for number in range(start, count())))


def check_covered(start: int) -> None:
    """Fails if any frame from this one on shows the room."""
    for number in range(start, count()):
        if shows_room(number):
            sys.exit(f"Frame {number} shows the room, covered since {start}.")


def cover_often() -> None:
    for _ in range(TIMES):
        time.sleep(random.random() / 10)
        control("cover")
        start = count()
        control("status")
        wait_for_frames(start + 5)
        check_covered(start)
        control("uncover")
        wait_for_room("room")


def wait_for_frames(number: int) -> None:
    end = time.monotonic() + PATIENCE
    while count() < number:
        if time.monotonic() > end:
            sys.exit("No frames come.")
        time.sleep(0.01)


frames, device = FOLDER / "frames", FOLDER / "device"
device.touch()
usage = os.environ.get("FAKE_USAGE")
source = (
    "videotestsrc is-live=true pattern=solid-color foreground-color=0xffffffff ! capsfilter "
    f"caps=video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=30/1"
)
camera = subprocess.Popen(
    [
        *sys.argv[1:],
        *("virtual-camera", "--on-demand", "--format", "I420", "--color", "000000", "--invert"),
        *("--device", str(device), "--source", source, "--sink", f"filesink buffer-mode=unbuffered location={frames}"),
    ],
    env=os.environ | ({"LD_PRELOAD": os.environ["FAKE_LIBRARY"]} if usage else {}),
)


def read(number: int) -> None:
    """So many programs read the camera."""
    if usage:
        pathlib.Path(usage).write_text(str(number))
        return
    while len(readers) < number:
        readers.append(subprocess.Popen(["sleep", "1000"], stdin=device.open("rb")))
    while len(readers) > number:
        readers[-1].kill()
        readers.pop().wait()


readers: list[subprocess.Popen[bytes]] = []
try:
    wait_until("offered", lambda: count() > 0)
    wait_until("closed", lambda: "state: closed" in control("status"))
    wait_for_frames(30)
    check_covered(0)
    read(1)
    wait_for_room("open")
    wait_until("state", lambda: "state: open" in control("status"))
    cover_often()
    control("set", "threshold", "0.9")
    control("set", "threshold", "9", status=1)
    control("set", "size", "9", status=1)
    control("preset", "there is none", status=1)
    # With no people, and the room hidden, the background is everywhere.
    control("set", "invert", "false")
    control("set", "color", "ffffff")
    wait_for_room("white")
    control("set", "color", "000000")
    wait_until("black", lambda: not shows_room(count() - 1))
    control("set", "invert", "true")
    wait_for_room("room again")
    control("cover")
    read(2)
    read(0)
    wait_until("closed again", lambda: "state: closed" in control("status"))
    control("uncover")
    last = count()
    time.sleep(1)
    check_covered(last)
    read(1)
    wait_for_room("opened again")
    camera.send_signal(signal.SIGINT)
    if camera.wait(PATIENCE):
        sys.exit("The camera failed.")
    print(control("cover", status=3))
finally:
    read(0)
    camera.kill()
    camera.wait()
