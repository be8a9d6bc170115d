"""Starts `gst-people studio`, and talks to it as its page does."""

import http.client
import json
import os
import queue
import re
import signal
import socket
import subprocess
import tempfile
import threading
import time
import urllib.parse

import gi
import numpy

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

Gst.init(None)
TOOL, PORTRAIT = os.environ["STUDIO_TOOL"], os.environ["STUDIO_PORTRAIT"]
# Seconds until something that has to come counts as missing.
PATIENCE = 300
# A portrait, standing still, of the size that viewers get: nothing is scaled.
STILL = (
    f"filesrc location={PORTRAIT} ! pngdec ! imagefreeze is-live=true ! videoconvert ! videoscale add-borders=true "
    "! capsfilter caps=video/x-raw,format=I420,width=640,height=360,framerate=30/1,pixel-aspect-ratio=1/1"
)


def pixels(jpeg):
    """Red, green and blue of an image, as integers that can be subtracted."""
    with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
        file.write(jpeg)
        file.flush()
        line = "! jpegdec ! videoconvert ! video/x-raw,format=RGB ! appsink name=sink sync=false"
        pipeline = Gst.parse_launch(f"filesrc location={file.name} {line}")
        pipeline.set_state(Gst.State.PLAYING)
        sample = pipeline.get_by_name("sink").emit("pull-sample")
        width, height = size(sample)
        data = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
        pipeline.set_state(Gst.State.NULL)
    rows = numpy.frombuffer(data, numpy.uint8).reshape(height, -1)[:, : width * 3]
    return rows.reshape(height, width, 3).astype(int)


def size(sample):
    """Width and height of a frame; get_structure() of its caps gives other things in GStreamer 1.24."""
    caps = sample.get_caps().to_string()
    return tuple(int(re.search(rf"{name}=\(int\)(\d+)", caps)[1]) for name in ("width", "height"))


class Decoder:
    """Decodes one JPEG after the other, of one size."""

    def __init__(self):
        line = "appsrc name=in caps=image/jpeg ! jpegdec ! videoconvert ! video/x-raw,format=RGB ! appsink name=out sync=false"
        self.pipeline = Gst.parse_launch(line)
        self.pipeline.set_state(Gst.State.PLAYING)

    def pixels(self, jpeg):
        self.pipeline.get_by_name("in").emit("push-buffer", Gst.Buffer.new_wrapped(jpeg))
        sample = self.pipeline.get_by_name("out").emit("try-pull-sample", PATIENCE * Gst.SECOND)
        width, height = size(sample)
        data = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
        rows = numpy.frombuffer(data, numpy.uint8).reshape(height, -1)
        return rows[:, : width * 3].reshape(height, width, 3)


class Studio:
    """A studio with folders of its own."""

    def __init__(self, *arguments, environment=None, measured=False):
        self.folder = tempfile.TemporaryDirectory()
        own = {"XDG_CONFIG_HOME": f"{self.folder.name}/config", "XDG_DATA_HOME": f"{self.folder.name}/data"}
        self.environment = {**os.environ, **own, **(environment or {})}
        self.log = open(f"{self.folder.name}/log", "w+")  # noqa: SIM115
        # Not one that depends on the speed of the machine.
        is_chosen = any(argument.startswith(("--quality", "--preset")) for argument in arguments)
        quality = [] if is_chosen or measured else ["--quality=fast"]
        command = [TOOL, "studio", f"--recordings={self.folder.name}", *quality, *arguments]
        self.process = subprocess.Popen(command, stdout=self.log, stderr=subprocess.STDOUT, env=self.environment)
        self.used, self.secret = set(), ""
        found = urllib.parse.urlsplit(self.address)
        self.host, self.port = found.netloc, found.port
        self.token = self.exchange(found.fragment.partition("=")[2])
        self.secret = f"Bearer {self.token}"
        # Of pictures and events.
        self.key = self.get("/settings")["key"]

    def output(self):
        with open(self.log.name) as file:
            return file.read()

    @property
    def next_address(self):
        """The address that opens the next window."""
        return self.wait(self.find_address, "the address")

    @property
    def address(self):
        """An address that is about to be used; each opens one window."""
        address = self.next_address
        self.used.add(address)
        return address

    def find_address(self):
        if self.process.poll() is not None:
            raise AssertionError(self.output())
        return next((found for found in re.findall(r"open (http://\S+)\n", self.output()) if found not in self.used), None)

    def exchange(self, code):
        reply = self.post("/session", {"code": code})
        assert reply.status == 200, reply.text
        return json.loads(reply.text)["token"]

    def wait(self, look, what):
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            if found := look():
                return found
            time.sleep(0.05)
        raise AssertionError(f"{what} did not come: {self.output()[-2000:]}")

    def close(self):
        """Ends it by Control-C; returns its exit status."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGINT)
        status = self.process.wait(PATIENCE)
        self.log.close()
        self.folder.cleanup()
        return status

    # What a request needs is changed by `headers`; an empty value leaves a header out.
    def request(self, method, path, body=None, headers=None):
        sent = {"Authorization": self.secret, **({"Origin": f"http://{self.host}"} if method == "POST" else {})}
        sent.update(headers or {})
        connection = http.client.HTTPConnection(self.host, timeout=PATIENCE)
        connection.request(method, path, body, {name: value for name, value in sent.items() if value})
        reply = connection.getresponse()
        reply.text = reply.read()
        connection.close()
        return reply

    def post(self, path, value):
        return self.request("POST", path, json.dumps(value), {"Content-Type": "application/json"})

    def get(self, path):
        reply = self.request("GET", path)
        assert reply.status == 200, (reply.status, reply.text)
        return json.loads(reply.text)

    def set(self, **changes):
        """Sets properties: `blendmask__blur=40`."""
        values = {name.replace("__", ".").replace("_", "-"): value for name, value in changes.items()}
        reply = self.post("/settings", values)
        assert reply.status == 200, reply.text

    def do(self, action, **more):
        return self.post("/actions", {"action": action, **more})

    def watch(self, view="result"):
        return Viewer(self, view)

    def settled(self, view="result"):
        """A frame of a picture that stands still, after the filter over time has come to rest."""
        with self.watch(view) as viewer:
            for _ in range(40):
                frame = viewer.next()
            return pixels(frame)


class Viewer:
    """Reads the live picture as fast as it comes."""

    def __init__(self, studio, view):
        self.socket = socket.create_connection(("127.0.0.1", studio.port), timeout=PATIENCE)
        self.server_port, self.port = studio.port, self.socket.getsockname()[1]
        request = f"GET /stream?view={view}&key={studio.key} HTTP/1.0\r\nHost: {studio.host}\r\n\r\n"
        self.socket.sendall(request.encode())
        self.stream = self.socket.makefile("rb")
        self.status = int(self.stream.readline().split()[1])
        self.frames = queue.Queue()
        if self.status == 200:
            threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        try:
            while line := self.stream.readline():
                if line.lower().startswith(b"content-length:"):
                    self.stream.readline()
                    self.frames.put(self.stream.read(int(line.split()[1])))
        except (OSError, ValueError):
            pass

    def next(self):
        return self.frames.get(timeout=PATIENCE)

    def drop(self):
        """Forgets what has come."""
        while not self.frames.empty():
            self.frames.get()

    def newest(self):
        """The next frame that comes from now on."""
        self.drop()
        return self.next()

    def is_connected(self):
        """Whether the server still has the connection, which it closes when it has noticed that the viewer is gone."""
        with open("/proc/net/tcp") as table:
            rows = [line.split()[1:4] for line in table][1:]
        ports = [self.server_port, self.port]
        # Established, or closed by the viewer alone (the kernel's tcp_states.h).
        return any([int(end.split(":")[1], 16) for end in ends] == ports and state in ("01", "08") for *ends, state in rows)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.shutdown(socket.SHUT_RDWR)
        self.socket.close()
