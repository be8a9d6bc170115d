"""Drives a headless Chromium by its WebDriver (W3C), with nothing but Python's own library."""

import base64
import json
import re
import subprocess
import tempfile
import time
import urllib.error
import urllib.request

ELEMENT = "element-6066-11e4-a52e-4f735466cecf"


class Browser:
    """A browser with a profile of its own, which goes with it unless its folder is given.

    `camera` is a file of frames (.y4m or .mjpeg) that the page gets as the camera's, again and again, or "portal" for the cameras
    of PipeWire.
    """

    def __init__(
        self, width=1360, height=900, dark=False, script=True, logs=False, profile=None, language="en-US", camera=None
    ):
        self.profile = None if profile else tempfile.TemporaryDirectory()
        # Port 0: any that is free, which it prints.
        self.driver = subprocess.Popen(["chromedriver", "--port=0"], stdout=subprocess.PIPE, text=True)
        for line in self.driver.stdout:
            if found := re.search(r"successfully on port (\d+)", line):
                break
        self.base = f"http://127.0.0.1:{found.group(1)}/session"
        arguments = [
            "--headless=new",
            # Programs of root have no sandbox.
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            f"--window-size={width},{height}",
            f"--user-data-dir={profile or self.profile.name}",
            f"--accept-lang={language}",
        ]
        if camera:
            arguments.append("--use-fake-ui-for-media-stream")
        if camera == "portal":
            arguments.append("--enable-features=WebRtcPipeWireCamera")
        elif camera:
            arguments += ["--use-fake-device-for-media-stream", f"--use-file-for-fake-video-capture={camera}"]
        options = {"args": arguments}
        if width < 600:
            # Windows are not as narrow as phones.
            options["mobileEmulation"] = {"deviceMetrics": {"width": width, "height": height, "pixelRatio": 2}}
        if not script:
            options["prefs"] = {"profile.managed_default_content_settings.javascript": 2}
        wanted = {"goog:chromeOptions": options, **({"goog:loggingPrefs": {"browser": "ALL"}} if logs else {})}
        asked = {"capabilities": {"alwaysMatch": wanted}}
        self.base += "/" + self.call("POST", "", asked)["sessionId"]
        theme = [{"name": "prefers-color-scheme", "value": "dark" if dark else "light"}]
        self.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": theme}})

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, {"Content-Type": "application/json"}, method=method)
        try:
            return json.load(urllib.request.urlopen(request, timeout=300))["value"]
        except urllib.error.HTTPError as error:
            raise RuntimeError(error.read().decode()[:500]) from error

    def close(self):
        try:
            self.call("DELETE", "")
        finally:
            self.driver.terminate()
            self.driver.wait()
            self.driver.stdout.close()
            if self.profile:
                self.profile.cleanup()

    def open(self, address):
        self.call("POST", "/url", {"url": address})

    def add_window(self, address):
        """Opens another window, which is used from now on; returns its handle."""
        handle = self.call("POST", "/window/new", {"type": "window"})["handle"]
        self.use_window(handle)
        self.open(address)
        return handle

    def use_window(self, handle):
        self.call("POST", "/window", {"handle": handle})

    def run(self, script, *arguments):
        return self.call("POST", "/execute/sync", {"script": script, "args": list(arguments)})

    def find(self, selector):
        return self.call("POST", "/element", {"using": "css selector", "value": selector})[ELEMENT]

    def click(self, selector):
        self.call("POST", f"/element/{self.find(selector)}/click", {})

    def type(self, selector, text):
        """Types into an element when the page shows it; files are chosen in fields that are never shown."""
        field = f"const field = document.querySelector({json.dumps(selector)})"
        shown = f"{field}; return field && (field.type === 'file' || field.checkVisibility())"
        self.wait(shown, f"{selector} on the page")
        self.call("POST", f"/element/{self.find(selector)}/value", {"text": text})

    def press(self, *keys):
        """Presses keys together, and releases them."""
        steps = [{"type": "keyDown", "value": key} for key in keys] + [{"type": "keyUp", "value": key} for key in reversed(keys)]
        self.call("POST", "/actions", {"actions": [{"type": "key", "id": "keys", "actions": steps}]})

    def move_to(self, selector, x, y, *steps):
        """Moves the mouse to a place of an element, as fractions from its upper left corner."""
        box = self.call("GET", f"/element/{self.find(selector)}/rect")
        move = {
            "type": "pointerMove",
            "duration": 0,
            "origin": {ELEMENT: self.find(selector)},
            "x": round((x - 0.5) * box["width"]),
            "y": round((y - 0.5) * box["height"]),
        }
        self.call("POST", "/actions", {"actions": [{"type": "pointer", "id": "mouse", "actions": [move, *steps]}]})

    def click_at(self, selector, x, y):
        """Clicks at such a place."""
        self.move_to(selector, x, y, {"type": "pointerDown", "button": 0}, {"type": "pointerUp", "button": 0})

    def wait(self, script, what, patience=300):
        """Waits until a script returns something."""
        end = time.monotonic() + patience
        while time.monotonic() < end:
            if value := self.run(script):
                return value
            time.sleep(0.1)
        raise AssertionError(f"{what} did not come within {patience} s")

    def screenshot(self, path, selector=None):
        place = f"/element/{self.find(selector)}/screenshot" if selector else "/screenshot"
        with open(path, "wb") as file:
            file.write(base64.b64decode(self.call("GET", place)))
