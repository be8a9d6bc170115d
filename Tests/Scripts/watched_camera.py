"""A camera that sees when it is opened and closed, and what trials of cameras that are opened on demand share."""

import os
import pathlib
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable

NAME = "gst-people"
# Seconds; far more than anything takes on a busy machine.
PATIENCE = 300
WIDTH, HEIGHT = 320, 180
FOLDER = pathlib.Path(os.environ.get("XDG_RUNTIME_DIR", "."))
# Pixels of the frames that readers write, of three bytes.
PIXELS = 16


class WatchedCamera:
    """A camera behind a socket, which shows one colour, and waits to do so until `may_send` is set."""

    def __init__(self) -> None:
        self.server = socket.create_server(("127.0.0.1", 0))
        self.opened = self.closed = 0
        self.color = (0, 0, 0)
        self.may_send = threading.Event()
        threading.Thread(target=self.serve, daemon=True).start()

    def serve(self) -> None:
        while True:
            connection, _ = self.server.accept()
            self.opened += 1
            try:
                while True:
                    self.may_send.wait()
                    connection.sendall(bytes(self.color) * (WIDTH * HEIGHT))
                    time.sleep(1 / 30)
            except OSError:
                connection.close()
                self.closed += 1

    @property
    def is_open(self) -> bool:
        return self.opened > self.closed

    @property
    def elements(self) -> str:
        port = self.server.getsockname()[1]
        return (
            f"tcpclientsrc host=127.0.0.1 port={port} ! rawvideoparse format=rgb width={WIDTH} height={HEIGHT} "
            f"framerate=30/1 ! capsfilter caps=video/x-raw,format=RGB,width={WIDTH},height={HEIGHT},framerate=30/1"
        )


class Reader:
    """A program that reads the camera and writes its frames, tiny ones."""

    count = 0

    def __init__(self) -> None:
        Reader.count += 1
        self.file = FOLDER / f"frames{Reader.count}"
        self.started = time.monotonic()
        self.process = subprocess.Popen(
            f"gst-launch-1.0 -q pipewiresrc do-timestamp=true target-object={NAME} ! videoconvert ! videoscale "
            f"! video/x-raw,format=RGB,width=4,height=4 ! filesink buffer-mode=unbuffered location={self.file}".split()
        )

    @property
    def colors(self) -> list[tuple[int, ...]]:
        data = self.file.read_bytes() if self.file.exists() else b""
        length = 3 * PIXELS
        # A pixel of the middle.
        return [tuple(data[start + 18 : start + 21]) for start in range(0, len(data) - length + 1, length)]

    def sees(self, color: tuple[int, ...]) -> bool:
        return any(is_like(seen, color) for seen in self.colors)

    def end(self, number: signal.Signals = signal.SIGTERM) -> None:
        self.process.send_signal(number)
        self.process.wait()


def wait_until(what: str, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"In vain: {what}")
        time.sleep(0.02)
    print(what, flush=True)


def is_like(color: tuple[int, ...], other: tuple[int, ...]) -> bool:
    return all(abs(one - two) < 40 for one, two in zip(color, other))


def is_there() -> bool:
    listed = subprocess.run(["pw-cli", "ls", "Node"], capture_output=True, text=True).stdout
    return f'node.name = "{NAME}"' in listed
