"""Provides the PipeWire camera gst-people on demand by a program, and opens and closes it with readers.

    on_demand_camera.py PROGRAM [ARGUMENT]...

The real camera is a server of this script, which sees when it is opened. It shows a colour of its own each time, so that a
frame of the time before is found, and gives frames only when a reader has got a covered one. The program has to show the room
(--invert --color 00b140); a covered frame is green, or black while frames of the camera are late. Prints what happened, a line
each, or fails when one of them does not happen, or a frame shows what it must not show. It opens the camera three times, or
as often as ON_DEMAND_ROUNDS says, and prints the program's resident memory after each time. In the end the program may have no
elements but those of the closed camera, as GStreamer counts them.
"""

import os
import pathlib
import re
import signal
import subprocess
import sys
import time

from watched_camera import PATIENCE, Reader, WatchedCamera, is_like, is_there, wait_until

# Seconds for which the camera stays open after its last reader, and how often it is opened and closed.
LINGER, ROUNDS = 10, int(os.environ.get("ON_DEMAND_ROUNDS", "3"))
GREEN = (0, 177, 64)
BLACK = (0, 0, 0)
ROOMS = [(200, 0, 200), (200, 200, 200), (0, 0, 200)]
FOLDER = pathlib.Path(os.environ["XDG_RUNTIME_DIR"])
TRACE = FOLDER / "trace"


def reader_that_sees(color: tuple[int, ...]) -> Reader:
    """A reader that gets frames: PipeWire 0.3.65 and 1.4.2 leave one without any now and then."""
    end, patience = time.monotonic() + PATIENCE, 10.0
    while time.monotonic() < end:
        reader, again = Reader(), time.monotonic() + patience
        while time.monotonic() < again:
            if reader.sees(color):
                return reader
            time.sleep(0.02)
        seen = len(reader.colors)
        reader.end()
        print(f"another reader, since this one got {seen} frames", file=sys.stderr)
        patience *= 2
    sys.exit("No reader gets frames.")


def check(reader: Reader, room: tuple[int, ...]) -> None:
    """Fails for a frame that is neither covered nor of this room."""
    wrong = [color for color in reader.colors if not any(is_like(color, other) for other in (GREEN, BLACK, room))]
    if wrong:
        sys.exit(f"Frames show {wrong[:3]}, neither covered nor of the room {room}.")


def read_once(room: WatchedCamera, number: int) -> None:
    """Opens the camera, with a second reader meanwhile, and waits until it has been closed."""
    color = ROOMS[number % len(ROOMS)]
    with_kill = number % 2 == 1
    before, room.color = room.opened, color
    room.may_send.clear()
    first = reader_that_sees(GREEN)
    wait_until("opened", lambda: room.opened > before)
    room.may_send.set()
    wait_until("finished", lambda: first.sees(color))
    second = reader_that_sees(color)
    first.end(signal.SIGKILL if with_kill else signal.SIGTERM)
    time.sleep(1)
    if not room.is_open:
        sys.exit("The camera was closed while it is read.")
    check(first, color)
    left = time.monotonic()
    second.end(signal.SIGKILL if with_kill else signal.SIGTERM)
    check(second, color)
    wait_until("closed", lambda: not room.is_open)
    # The camera counts from when it last saw a reader, which is a moment before on a busy machine.
    if time.monotonic() - left < LINGER / 2:
        sys.exit("The camera was closed at once.")


def print_memory(process: subprocess.Popen[bytes]) -> None:
    """Prints what is resident, in megabytes, and how much of it is no part of a file."""
    lines = pathlib.Path(f"/proc/{process.pid}/status").read_text().splitlines()
    values = {name: int(rest.split()[0]) / 1000 for name, rest in (line.split(":", 1) for line in lines) if name in ("VmRSS", "RssAnon")}
    print(f"resident {values['VmRSS']:.0f} MB, {values['RssAnon']:.0f} MB of it no part of a file", flush=True)


def traced() -> dict[str, str]:
    """The environment in which GStreamer lists the elements that are left for SIGUSR1."""
    tracer = {"GST_TRACERS": "leaks(filters=GstPersonSegment)", "GST_LEAKS_TRACER_SIG": "1"}
    return os.environ | tracer | {"GST_DEBUG": "GST_TRACER:7,leaks:7", "GST_DEBUG_FILE": str(TRACE)}


def elements_left(process: subprocess.Popen[bytes]) -> int:
    """How many segmenting elements the program has."""
    before = TRACE.read_text()
    process.send_signal(signal.SIGUSR1)
    end = time.monotonic() + PATIENCE
    while not (listed := re.search(r"listed (\d+) alive objects", TRACE.read_text()[len(before) :])):
        if time.monotonic() > end:
            sys.exit("GStreamer does not list what is left.")
        time.sleep(0.1)
    return int(listed[1])


def toggle(room: WatchedCamera, color: tuple[int, ...]) -> None:
    """Readers that come and go at once."""
    for _ in range(10):
        reader = Reader()
        time.sleep(0.2)
        reader.end()
        check(reader, color)
    wait_until("closed", lambda: not room.is_open)
    print("toggled", flush=True)


room = WatchedCamera()
camera = subprocess.Popen([*sys.argv[1:], "--source", room.elements], env=traced())
try:
    wait_until("there", is_there)
    time.sleep(2)
    if room.opened:
        sys.exit("The camera is open without a reader.")
    print_memory(camera)
    for number in range(ROUNDS):
        read_once(room, number)
        time.sleep(1)
        print_memory(camera)
    reader_that_sees(room.color).end()
    toggle(room, room.color)
    kept = 1 if "--warm" in sys.argv else 0
    wait_until("nothing left", lambda: elements_left(camera) == kept)
    camera.send_signal(signal.SIGINT)
    if camera.wait(PATIENCE):
        sys.exit("The camera failed.")
finally:
    camera.kill()
    camera.wait()
