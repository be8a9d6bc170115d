"""Provides the PipeWire camera gst-people by a program, and reads it with slow, stopped and killed clients.

    crowd_camera.py PROGRAM [ARGUMENT]...

Prints what happened, a line each, or fails when one of them does not happen in time.
"""

import contextlib
import os
import pathlib
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator

NAME = "gst-people"
# Seconds; far more than anything takes on a busy machine.
PATIENCE = 600
# More than twice PipeWire's buffers (16).
MANY = 40
FOLDER = pathlib.Path(os.environ["XDG_RUNTIME_DIR"])


def wait_until(what: str, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"In vain: {what}. The camera says: {said() or 'nothing'}")
        time.sleep(0.05)
    print(what, flush=True)


class Client:
    """A program that reads the camera, and takes so many seconds for a frame."""

    count = 0

    def __init__(self, seconds: float = 0) -> None:
        Client.count += 1
        self.file = FOLDER / f"frames{Client.count}"
        self.process = subprocess.Popen(
            f"gst-launch-1.0 -q pipewiresrc do-timestamp=true target-object={NAME} ! videoconvert "
            f"! identity sleep-time={int(seconds * 1e6)} ! videoscale ! video/x-raw,format=GRAY8,width=16,height=16 "
            f"! filesink buffer-mode=unbuffered location={self.file}".split()
        )

    def __enter__(self) -> "Client":
        return self

    def __exit__(self, *_: object) -> None:
        self.kill()

    @property
    def frames(self) -> int:
        return self.file.stat().st_size // 256 if self.file.exists() else 0

    def has_more(self) -> Callable[[], bool]:
        goal = self.frames + MANY
        return lambda: self.frames >= goal

    def send(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def kill(self) -> None:
        self.process.kill()
        self.process.wait()


class ReopenedError(Exception):
    """The camera was reopened: programs that read it have to open it again."""


def opened(seconds: float = 0) -> Client:
    """A client that gets frames.

    PipeWire 0.3.65 and 1.4.2 leave one without any that opens the camera while a frame is sent, and for a while each one after
    others were killed. Frames of each client are waited for twice as long as of the one before: a busy machine is not taken for
    that.
    """
    end, patience = time.monotonic() + PATIENCE, 10.0
    while time.monotonic() < end:
        client, seen, again = Client(seconds), 0, time.monotonic() + patience
        while time.monotonic() < again:
            if client.frames >= MANY:
                return client
            if client.frames > seen:
                seen, again = client.frames, time.monotonic() + patience
            time.sleep(0.05)
        client.kill()
        patience *= 2
    sys.exit(f"No new client gets frames. The camera says: {said()}")


def wait_for_frames(what: str, *clients: Client) -> None:
    """Waits for more frames of all clients."""
    goals, reopened = [client.has_more() for client in clients], says("reopened")
    wait_until(what, lambda: all(goal() for goal in goals) or reopened())
    if reopened():
        raise ReopenedError


def said() -> str:
    return (FOLDER / "errors").read_text()


def says(text: str) -> Callable[[], bool]:
    before = said().count(text)
    return lambda: said().count(text) > before


@contextlib.contextmanager
def camera(command: list[str]) -> Iterator[None]:
    with (FOLDER / "errors").open("w") as errors:
        process = subprocess.Popen(command, stderr=errors)
    try:
        listed = ["pw-cli", "ls", "Node"]
        node = f'node.name = "{NAME}"'
        wait_until("there", lambda: node in subprocess.run(listed, capture_output=True, text=True).stdout)
        # A program that opens the camera in the moment in which it appears leaves PipeWire 0.3.65's sink with buffers that have
        # no memory: it reports criticals, and no program gets frames.
        time.sleep(2)
        yield
        process.send_signal(signal.SIGINT)
        if process.wait(PATIENCE):
            sys.exit(f"The camera failed: {said()}")
    finally:
        process.kill()
        process.wait()


def read_beside(slow: Client) -> None:
    """A fast client beside a slow one; the slow one is stopped, and goes on."""
    with opened() as fast:
        wait_for_frames("slow and fast", slow, fast)
        slow.send(signal.SIGSTOP)
        wait_for_frames("fast beside a stopped one", fast)
        slow.send(signal.SIGCONT)
        wait_for_frames("slow again", slow)


def read_stopped(client: Client) -> None:
    """The only client is stopped for a while."""
    client.send(signal.SIGSTOP)
    time.sleep(3)
    client.send(signal.SIGCONT)
    wait_for_frames("goes on", client)


def kill_slow_ones() -> None:
    """Slow clients are killed beside a fast one.

    PipeWire 0.3.65 and 1.4.2 lose the buffers that they had. When none is left, the camera has to say so, and to be reopened.
    """
    noticed, reopened = says("no frame was taken"), says("reopened")
    with opened() as fast:
        for _ in range(8):
            with Client(seconds=0.1) as slow:
                end = time.monotonic() + 10
                while slow.frames < 30 and not noticed() and time.monotonic() < end:
                    time.sleep(0.05)
                print("killed", flush=True)
            if noticed():
                wait_until("reopened", reopened)
                return
        wait_for_frames("fast after all", fast)


def read_again() -> None:
    with opened():
        print("read again", flush=True)


with camera(sys.argv[1:]):
    try:
        with opened(seconds=0.1) as slow:
            read_beside(slow)
            read_stopped(slow)
    except ReopenedError:
        print("reopened", flush=True)
    read_again()
    with contextlib.suppress(ReopenedError):
        kill_slow_ones()
    read_again()
