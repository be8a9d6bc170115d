"""A camera that sees when it is opened and closed: a server that GStreamer reads."""

import socket
import sys
import threading
import time
from collections.abc import Callable

# Seconds; far more than anything takes on a busy machine.
PATIENCE = 300
WIDTH, HEIGHT = 320, 180


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


def wait_until(what: str, condition: Callable[[], bool], patience: float = PATIENCE) -> None:
    end = time.monotonic() + patience
    while not condition():
        if time.monotonic() > end:
            sys.exit(f"In vain: {what}")
        time.sleep(0.02)
    print(what, flush=True)
