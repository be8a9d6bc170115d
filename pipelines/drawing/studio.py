#!/usr/bin/env python3
"""Draws docs/pictures/studio.jpg: the page of `gst-people studio` with the packaged portrait as a camera, in Chromium.

Run in a checkout that is set up with `pipelines/setup --with-tests --with-desktop` and built:

    eval "$(pipelines/env)" && pipelines/gst-people --version && /usr/bin/python3 pipelines/drawing/studio.py
"""
import os
import re
import signal
import subprocess
import sys
import tempfile
import time

root = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(root, "Tests/Scripts"))
from webdriver import Browser  # noqa: E402

TOOL = os.path.join(root, ".build/release/gst-people")
PORTRAIT = os.path.join(os.environ.get("GST_PEOPLE_SETUP_DIR") or os.path.join(root, ".gst-people"), "media/astronaut.png")


def main():
    with tempfile.TemporaryDirectory() as folder:
        own = {**os.environ, "XDG_CONFIG_HOME": folder, "XDG_DATA_HOME": folder}
        # The upper part of the portrait, as a camera takes it.
        camera = (
            f"filesrc location={PORTRAIT} ! pngdec ! imagefreeze is-live=true ! videoconvert ! videocrop bottom=224 ! videoscale "
            "! capsfilter caps=video/x-raw,format=I420,width=1280,height=720,framerate=25/1,pixel-aspect-ratio=1/1"
        )
        command = [TOOL, "studio", f"--source={camera}", "--quality=balanced", "--light-wrap=0.4"]
        studio = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=own)
        try:
            address = next(found.group(1) for line in studio.stdout if (found := re.search(r"open (\S+)", line)))
            draw(address, folder)
        finally:
            studio.send_signal(signal.SIGINT)
            studio.wait()


def draw(address, folder):
    browser = Browser(1280, 860)
    try:
        browser.open(address)
        browser.wait("return document.body.dataset.ready && document.getElementById('picture').width", "the page")
        # Until the figures are those of whole seconds, and nothing else holds the picture up.
        time.sleep(6)
        browser.wait("return document.getElementById('summary').textContent.startsWith('Smooth')", "a smooth picture")
        browser.screenshot(f"{folder}/studio.png")
    finally:
        browser.close()
    target = os.path.join(root, "docs/pictures/studio.jpg")
    scaled = "videoconvert ! videoscale method=lanczos ! video/x-raw,width=1000,pixel-aspect-ratio=1/1 ! videoconvert"
    line = f"filesrc location={folder}/studio.png ! pngdec ! {scaled} ! jpegenc quality=70 ! filesink location={target}"
    subprocess.run(["gst-launch-1.0", "-q", *line.split()], check=True)


if __name__ == "__main__":
    main()
