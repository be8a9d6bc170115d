"""Follows a person who walks, with the page of `gst-people studio` in a headless Chromium, and afterwards by its preset. Where the person
is in a frame is measured by the orange of the suit. STUDIO_TOOL, STUDIO_PORTRAIT and STUDIO_PICTURES as in check_studio_page.py."""

import os
import pathlib
import subprocess
import tempfile
import unittest

import numpy
from check_studio_page import PICTURES, SEEN
from studio_client import PORTRAIT, TOOL, Studio, pixels
from webdriver import Browser

WIDTH, HEIGHT, SIDE, RATE, SECONDS = 640, 360, 220, 15, 12


def line(description, **more):
    return subprocess.run(f"gst-launch-1.0 -q {description}", shell=True, check=True, **more)


def walk(path):
    """Writes a clip in which a portrait is moved evenly from one side to the other and back, a quarter of the width to each side."""
    scaled = f"filesrc location={PORTRAIT} ! pngdec ! videoconvert ! videoscale ! video/x-raw,width={SIDE},height={SIDE}"
    portrait = pixels(line(f"{scaled} ! jpegenc quality=95 ! fdsink", capture_output=True).stdout)
    with tempfile.NamedTemporaryFile(suffix=".rgb") as file:
        for index in range(RATE * SECONDS):
            frame = numpy.full((HEIGHT, WIDTH, 3), 110, numpy.uint8)
            left = round((WIDTH - SIDE) / 2 + WIDTH / 4 * numpy.sin(2 * numpy.pi * index / (RATE * SECONDS)))
            frame[HEIGHT - SIDE :, left : left + SIDE] = portrait
            file.write(frame.tobytes())
        file.flush()
        raw = f"filesrc location={file.name} ! rawvideoparse width={WIDTH} height={HEIGHT} format=rgb framerate={RATE}/1"
        line(f"{raw} ! videoconvert ! jpegenc quality=95 ! matroskamux ! filesink location={path}")


def suit(frame):
    """The middle of the suit across the frame, and the share of the frame that it takes; None where it is not seen."""
    red, green, blue = (frame[..., part] for part in range(3))
    orange = (red > 140) & (red > green + 50) & (green > blue + 15)
    share = orange.mean()
    return (float(numpy.nonzero(orange)[1].mean()) / frame.shape[1], float(share)) if share > 0.002 else None


def places(frames):
    found = [place for frame in frames if (place := suit(frame))]
    return numpy.array(found).reshape(-1, 2)


class Following(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.clip = f"{cls.folder.name}/walk.mkv"
        walk(cls.clip)
        cls.studio = Studio(cls.clip, "--color=0000ff")
        cls.browser = Browser()
        cls.browser.open(cls.studio.address)
        cls.browser.wait(SEEN, "the page")

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        assert cls.studio.close() == 0
        cls.folder.cleanup()

    def look(self, selector):
        if not self.browser.run("return !document.getElementById('drawer-people').hidden"):
            self.browser.click("#drawers [value=people]")
        self.browser.click(selector)

    def value(self, key):
        return self.studio.get("/settings")["values"][key]

    def watched(self):
        """Where the suit is, in the frames of a walk to both sides."""
        with self.studio.watch() as viewer:
            return places(pixels(viewer.next()) for _ in range(RATE * SECONDS))

    def settle(self):
        """Waits until the picture has changed to other settings."""
        with self.studio.watch() as viewer:
            for _ in range(4 * RATE):
                viewer.next()

    def choose(self, framing):
        script = """
            const choice = document.getElementById('autoframe-framing');
            choice.value = arguments[0];
            choice.dispatchEvent(new Event('input'));"""
        self.browser.run(script, framing)
        self.studio.wait(lambda: self.value("autoframe.framing") == framing, framing)

    def test_the_picture_follows(self):
        self.studio.set(camera__follow=False, autoframe__framing="head-and-shoulders", autoframe__speed=1)
        self.settle()
        before = self.watched()
        self.assertGreater(numpy.ptp(before[:, 0]), 0.4)
        self.assertTrue(self.browser.run("return document.getElementById('autoframe-framing').disabled"))
        self.look("#camera-follow")
        self.studio.wait(lambda: self.value("camera.follow"), "the switch")
        self.assertFalse(self.browser.run("return document.getElementById('autoframe-framing').disabled"))
        self.settle()
        followed = self.watched()
        # The person is larger, near the middle, and in every frame.
        self.assertGreater(len(followed), 0.95 * RATE * SECONDS)
        self.assertGreater(numpy.median(followed[:, 1]), 1.5 * numpy.median(before[:, 1]))
        self.assertLess(numpy.abs(followed[:, 0] - 0.5).max(), 0.25)
        self.assertLess(followed[:, 0].std(), before[:, 0].std() / 2)
        if PICTURES:
            self.browser.screenshot(f"{PICTURES}/framing.png")
        # The page shows the same frames.
        script = """
            const canvas = document.getElementById('picture'), [width, height] = [canvas.width, canvas.height];
            return [width, height, [...canvas.getContext('2d').getImageData(0, 0, width, height).data]];"""
        width, height, data = self.browser.run(script)
        on_page = suit(numpy.array(data, int).reshape(height, width, 4)[..., :3])
        self.assertLess(abs(on_page[0] - 0.5), 0.25)
        self.assertGreater(on_page[1], 1.5 * numpy.median(before[:, 1]))
        # Closer: the suit is hardly seen. Everyone, with much space: nearly the whole frame.
        self.choose("everyone")
        self.studio.set(autoframe__margin=100, autoframe__speed=10)
        self.assertTrue(self.browser.run("return document.getElementById('whom').hidden"))
        self.settle()
        wide = self.watched()
        self.assertLess(numpy.median(wide[:, 1]), numpy.median(followed[:, 1]))
        self.studio.set(autoframe__margin=0, autoframe__speed=1)
        self.choose("head-and-shoulders")
        # One who is chosen by number.
        self.browser.click("#whom [value=one]")
        self.browser.wait("const button = document.querySelector('#people button'); button?.click(); return button !== null", "the number")
        self.studio.wait(lambda: self.value("autoframe.person-id") >= 1, "the person")
        self.browser.click("#whom [value=nearest]")
        self.studio.wait(lambda: self.value("autoframe.person-id") == -1, "the nearest")
        # As the camera sees it again.
        self.look("#camera-follow")
        self.studio.wait(lambda: not self.value("camera.follow"), "the switch")
        self.settle()
        after = self.watched()
        self.assertLess(abs(numpy.median(after[:, 1]) - numpy.median(before[:, 1])), 0.01)
        self.assertGreater(numpy.ptp(after[:, 0]), 0.4)

    def test_presets_follow_and_are_remembered(self):
        self.studio.set(camera__follow=True)
        self.studio.set(autoframe__framing="head-and-shoulders", autoframe__speed=2)
        self.assertEqual(self.studio.do("save-preset", name="walk").status, 200)
        lines = self.studio.get("/lines")
        self.assertIn("--framing=head-and-shoulders", lines["command"])
        self.assertIn("facepose max-faces=8 ! autoframe speed=2.0 ! blendmask", lines["launch"])
        self.studio.set(camera__follow=False)
        configuration = {"XDG_CONFIG_HOME": f"{self.studio.folder.name}/config"}
        # Another program, by the settings of last time.
        caps = f"video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate={RATE}/1,pixel-aspect-ratio=1/1"
        source = f"filesrc location={self.clip} ! matroskademux ! jpegdec ! videoconvert ! videorate ! capsfilter caps={caps} ! clocksync"
        sink = f"identity eos-after={10 * RATE} ! videoconvert ! jpegenc quality=95 ! multifilesink location={self.folder.name}/%04d.jpg"
        command = [TOOL, "webcam", "--last", f"--source={source}", f"--sink={sink}"]
        subprocess.run(command, env={**os.environ, **configuration}, check=True, capture_output=True, timeout=300)
        files = sorted(pathlib.Path(self.folder.name).glob("*.jpg"))
        followed = places(pixels(path.read_bytes()) for path in files[3 * RATE :])
        self.assertGreater(len(followed), 0.9 * RATE * 7)
        self.assertLess(numpy.abs(followed[:, 0] - 0.5).max(), 0.25)
        # The next studio, which keeps to what is given instead.
        again = Studio(self.clip, environment=configuration)
        try:
            values = again.get("/settings")["values"]
            self.assertTrue(values["camera.follow"])
            self.assertEqual((values["autoframe.framing"], values["autoframe.speed"]), ("head-and-shoulders", 2))
            self.assertEqual(values["blendmask.background-color"], 0xFF0000FF)
        finally:
            self.assertEqual(again.close(), 0)
        given = Studio(self.clip, "--blur=50", environment=configuration)
        try:
            self.assertFalse(given.get("/settings")["values"]["camera.follow"])
        finally:
            self.assertEqual(given.close(), 0)
        # A preset that is not there any more, and a camera that never was.
        self.assertEqual(self.studio.do("remove-preset", name="walk").status, 200)
        last = pathlib.Path(f"{self.studio.folder.name}/config/gst-people/last.ini")
        self.assertEqual(last.stat().st_mode & 0o777, 0o600)
        last.write_text(last.read_text() + "camera=/dev/video987\n")
        without = Studio(self.clip, environment=configuration)
        try:
            self.assertFalse(without.get("/settings")["values"]["camera.follow"])
            self.assertIn("the preset of last time is not used", without.output())
        finally:
            self.assertEqual(without.close(), 0)


if __name__ == "__main__":
    unittest.main()
