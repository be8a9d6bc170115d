"""Provides the PipeWire camera gst-people on demand by a program, and reads it in Chromium, through the camera portal.

    browser_camera.py PROGRAM [ARGUMENT]...

Run it in `pipewire-session`. The portal finds a decision in its store, as if the user had allowed cameras before. A page shows the
camera twice: the real one is opened each time, and closed after the page has stopped. The program has to show the room
(--invert --color 00b140).
"""

import http.server
import os
import pathlib
import signal
import subprocess
import sys
import threading
import time

from watched_camera import PATIENCE, WatchedCamera, is_like, is_there, wait_until
from webdriver import Browser

FOLDER = pathlib.Path(os.environ["XDG_RUNTIME_DIR"])
GREEN = (0, 177, 64)
ROOMS = [(200, 0, 200), (0, 0, 200)]
# The part of a desktop that asks the user: it is never called, since the store knows the answer, but has to have a name.
DESKTOP = {
    "stand-in.portal": "[portal]\nDBusName=org.freedesktop.impl.portal.desktop.standin\n"
    "Interfaces=org.freedesktop.impl.portal.Access;\nUseIn=stand-in\n",
    "stand-in-portals.conf": "[preferred]\ndefault=stand-in\n",
}
PAGE = b"""<!DOCTYPE html><title>camera</title><video autoplay muted></video><script>
    const video = document.querySelector('video');
    const small = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d', { willReadFrequently: true });
    let label, failed = '';
    const seen = new Set();
    const look = () => {
        small.drawImage(video, 0, 0, 1, 1);
        seen.add(small.getImageData(0, 0, 1, 1).data.slice(0, 3).join());
        video.requestVideoFrameCallback(look);
    };
    const open = () => navigator.mediaDevices.getUserMedia({ video: true }).then((stream) => {
        label = stream.getVideoTracks()[0].label;
        video.srcObject = stream;
        video.requestVideoFrameCallback(look);
    }, (error) => { failed = String(error); setTimeout(open, 500); });
    open();
    const stop = () => video.srcObject?.getTracks().forEach((track) => track.stop());
</script>"""


class Handler(http.server.BaseHTTPRequestHandler):
    """Answers each request by the page."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, *_: object) -> None:
        pass


def prepare_portal() -> None:
    """Makes D-Bus start the portal of a desktop that allows cameras."""
    folder = FOLDER / "portals"
    folder.mkdir()
    for name, text in DESKTOP.items():
        (folder / name).write_text(text)
    settings = [f"XDG_RUNTIME_DIR={FOLDER}", f"XDG_DESKTOP_PORTAL_DIR={folder}", "XDG_CURRENT_DESKTOP=stand-in"]
    # The portal warns of what a desktop without hardware lacks.
    settings.append("G_DEBUG=")
    subprocess.run(["dbus-update-activation-environment", *settings], check=True)
    store = "org.freedesktop.impl.portal.PermissionStore"
    allowed = call(store, "/" + store.replace(".", "/"), f"{store}.Set", "devices", "true", "camera", "{'': ['yes']}", "<byte 0>")
    if not allowed:
        sys.exit("The portal's store does not answer.")


def call(name: str, path: str, method: str, *arguments: str) -> str:
    """Calls a method by D-Bus and returns what it printed, or nothing where it failed."""
    line = ["gdbus", "call", "--session", "--dest", name, "--object-path", path, "--method", method, *arguments]
    return subprocess.run(line, capture_output=True, text=True).stdout


class Page:
    """A page that shows the camera."""

    def __init__(self, browser: Browser, address: str) -> None:
        self.browser, self.address = browser, address
        browser.open(address)

    def sees(self, color: tuple[int, ...]) -> bool:
        seen = self.browser.run("return [...seen]")
        return any(is_like(tuple(map(int, other.split(","))), color) for other in seen)

    def wait_for(self, color: tuple[int, ...]) -> None:
        """Waits for a colour; opens the page again now and then, since PipeWire 0.3.65 and 1.4.2 leave a reader without frames."""
        end, patience = time.monotonic() + PATIENCE, 10.0
        while time.monotonic() < end:
            again = time.monotonic() + patience
            while time.monotonic() < again:
                if self.sees(color):
                    return
                time.sleep(0.05)
            print("another page, since this one saw", self.browser.run("return [failed, ...seen]"), file=sys.stderr)
            self.browser.open(self.address)
            patience *= 2
        sys.exit("No page gets frames.")


def show(room: WatchedCamera, browser: Browser, address: str, color: tuple[int, ...]) -> None:
    """Shows the camera in a page until it is finished, and waits until the real one has been closed."""
    before, room.color = room.opened, color
    room.may_send.clear()
    page = Page(browser, address)
    page.wait_for(GREEN)
    wait_until("opened", lambda: room.opened > before)
    room.may_send.set()
    page.wait_for(color)
    print("seen as", browser.run("return label"), flush=True)
    browser.run("stop()")
    wait_until("closed", lambda: not room.is_open)


room = WatchedCamera()
server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
prepare_portal()
camera = subprocess.Popen([*sys.argv[1:], "--source", room.elements])
browser = None
try:
    wait_until("there", is_there)
    if room.opened:
        sys.exit("The camera is open without a reader.")
    browser = Browser(camera="portal")
    for color in ROOMS:
        show(room, browser, f"http://localhost:{server.server_port}/", color)
    camera.send_signal(signal.SIGINT)
    if camera.wait(PATIENCE):
        sys.exit("The camera failed.")
    print("closed for good", flush=True)
finally:
    if browser:
        browser.close()
    camera.kill()
    camera.wait()
