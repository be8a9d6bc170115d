"""Starts OBS with a configuration of its own, and talks to it by obs-websocket 5, with nothing but Python's own library."""

import base64
import json
import os
import pathlib
import signal
import socket
import struct
import subprocess
import time
import uuid

# Seconds until something that has to come counts as missing.
PATIENCE = 300


def free_port():
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        return server.getsockname()[1]


class WebSocket:
    """A connection that carries texts (RFC 6455); a client masks what it sends, which a zero mask leaves readable."""

    def __init__(self, port):
        self.socket = socket.create_connection(("127.0.0.1", port), PATIENCE)
        self.stream = self.socket.makefile("rb")
        key = base64.b64encode(os.urandom(16)).decode()
        lines = ["GET / HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade"]
        lines += [f"Sec-WebSocket-Key: {key}", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Protocol: obswebsocket.json"]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while self.stream.readline() not in (b"\r\n", b""):
            pass

    def send(self, text):
        data = text.encode()
        size = bytes([0x80 | len(data)]) if len(data) < 126 else struct.pack("!BH", 0x80 | 126, len(data))
        self.socket.sendall(b"\x81" + size + bytes(4) + data)

    def receive(self):
        text = b""
        while True:
            first, second = self.stream.read(2)
            size = second & 0x7F
            if size == 126:
                size = struct.unpack("!H", self.stream.read(2))[0]
            elif size == 127:
                size = struct.unpack("!Q", self.stream.read(8))[0]
            data = self.stream.read(size)
            if first & 0xF < 8:
                text += data
                if first & 0x80:
                    return text.decode()


class OBS:
    """A running OBS, with the module among the user's plugins; without one OBS has the modules that are installed."""

    def __init__(self, folder, module=None):
        folder = pathlib.Path(folder)
        self.port = free_port()
        own = folder / "obs-studio"
        own.mkdir(parents=True, exist_ok=True)
        if module:
            plugin = own / "plugins/gst-people-obs/bin/64bit"
            plugin.mkdir(parents=True)
            # The module finds its models from where it lies.
            (plugin / "gst-people-obs.so").symlink_to(pathlib.Path(module).resolve())
        websocket = f"ServerEnabled=true\nServerPort={self.port}\nAuthRequired=false\nFirstLoad=false\nAlertsEnabled=false"
        (own / "global.ini").write_text(f"[General]\nFirstRun=true\nLastVersion=486539266\n\n[OBSWebSocket]\n{websocket}\n")
        environment = {**os.environ, "XDG_CONFIG_HOME": str(folder), "LIBGL_ALWAYS_SOFTWARE": "1", "QT_QPA_PLATFORM": "xcb"}
        self.log = folder / "log"
        arguments = ["obs", "--multi", "--verbose", "--disable-updater"]
        with self.log.open("w") as log:
            self.process = subprocess.Popen(arguments, env=environment, stdout=log, stderr=subprocess.STDOUT)
        end = time.monotonic() + PATIENCE
        while True:
            try:
                self.socket = WebSocket(self.port)
                break
            except OSError:
                if self.process.poll() is not None or time.monotonic() > end:
                    raise SystemExit(f"OBS does not start:\n{self.text()}") from None
                time.sleep(0.2)
        self.socket.receive()
        self.socket.send(json.dumps({"op": 1, "d": {"rpcVersion": 1, "eventSubscriptions": 0}}))
        self.socket.receive()

    def text(self):
        """What OBS has logged so far."""
        return self.log.read_text(errors="replace")

    def ask(self, kind, **data):
        """The response to a request; ends the program if OBS refuses it."""
        number = str(uuid.uuid4())
        while True:
            self.socket.send(json.dumps({"op": 6, "d": {"requestType": kind, "requestId": number, "requestData": data}}))
            answer = json.loads(self.socket.receive())["d"]
            status = answer["requestStatus"]
            if status["result"]:
                return answer.get("responseData", {})
            # OBS is not ready while it loads its scenes.
            if status["code"] != 207:
                raise SystemExit(f"{kind}: {status}\n{self.text()}")
            time.sleep(0.2)

    def close(self):
        """Ends OBS as its window's button does; returns its exit status."""
        # OBS closes its window when it is interrupted.
        self.process.send_signal(signal.SIGINT)
        return self.process.wait(PATIENCE)
