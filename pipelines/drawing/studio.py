#!/usr/bin/env python3
"""Draws docs/pictures/studio*.jpg: the page of `gst-people studio` with the packaged portrait as a camera and as a photo, in Chromium.

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
            "! capsfilter caps=video/x-raw,format=I420,width=1280,height=720,framerate=15/1,pixel-aspect-ratio=1/1"
        )
        # Neither a virtual camera nor a PipeWire: the page says what is missing.
        alone = {**own, "XDG_RUNTIME_DIR": "/nowhere", "PIPEWIRE_RUNTIME_DIR": "/nowhere"}
        with_camera = [f"--source={camera}", "--quality=balanced", "--light-wrap=0.4"]
        draw(with_camera, own, folder, "studio", show_picture)
        draw([PORTRAIT, "--no-browser"], own, folder, "studio-lift", lift)
        draw(with_camera, alone, folder, "studio-camera", ask_for_camera)


def draw(options, environment, folder, name, work):
    studio = subprocess.Popen([TOOL, "studio", *options], stdout=subprocess.PIPE, text=True, env=environment)
    browser = Browser(1280, 860)
    try:
        browser.open(next(found.group(1) for line in studio.stdout if (found := re.search(r"open (\S+)", line))))
        browser.wait("return document.body.dataset.ready", "the page")
        work(browser)
        browser.screenshot(f"{folder}/{name}.png")
    finally:
        browser.close()
        studio.send_signal(signal.SIGINT)
        studio.wait()
    target = os.path.join(root, f"docs/pictures/{name}.jpg")
    scaled = "videoconvert ! videoscale method=lanczos ! video/x-raw,width=1000,pixel-aspect-ratio=1/1 ! videoconvert"
    line = f"filesrc location={folder}/{name}.png ! pngdec ! {scaled} ! jpegenc quality=70 ! filesink location={target}"
    subprocess.run(["gst-launch-1.0", "-q", *line.split()], check=True)


def show_picture(browser):
    browser.wait("return document.getElementById('picture').width", "the picture")
    # Until the figures are those of whole seconds, and nothing else holds the picture up.
    time.sleep(6)
    browser.wait("return document.getElementById('summary').textContent.startsWith('Smooth')", "a smooth picture")


def lift(browser):
    browser.wait("return found && document.getElementById('photo').naturalWidth", "the subjects")
    browser.run("pick(found.found[0].number, false)")
    browser.wait("return lifted && !lift.isBusy && document.getElementById('lifted').naturalWidth", "the lifted picture")
    browser.click("#stickers [value='4']")
    browser.wait("return lifted && !lift.isBusy && lifted.line.includes('--outline=4')", "the sticker")
    time.sleep(2)


def ask_for_camera(browser):
    browser.wait("return document.getElementById('picture').width", "the picture")
    browser.click("#camera")
    browser.wait("return document.getElementById('no-loopback').open && document.getElementById('installation').textContent", "the line")
    time.sleep(2)


if __name__ == "__main__":
    main()
