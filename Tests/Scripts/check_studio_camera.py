"""Checks that `gst-people studio` opens without a camera, switches it off, tells who sees the room, and serves several windows, in a
headless Chromium. STUDIO_TOOL, STUDIO_PORTRAIT and STUDIO_CLIP as in check_studio.py; STUDIO_PICTURES is a folder for screenshots."""

import glob
import os
import re
import subprocess
import unittest

import numpy
from check_studio_page import PICTURES
from studio_client import STILL, Studio
from webdriver import Browser

CLIP = os.environ["STUDIO_CLIP"]
# No machine has it.
NO_CAMERA = "--camera=/dev/video-nowhere"
READY = "return document.body.dataset.ready"
DRAWN = "return document.getElementById('picture').width"
STATE = "return document.getElementById('frame').dataset.state"


def state(studio):
    return studio.get("/settings")["status"]["state"]


class Window(unittest.TestCase):
    def studio(self, *arguments):
        studio = Studio(*arguments)
        self.addCleanup(studio.close)
        return studio

    def open(self, studio, *size):
        browser = Browser(*size)
        self.addCleanup(browser.close)
        browser.open(studio.address)
        browser.wait(READY, "the page")
        return browser

    def wait_for_state(self, browser, name):
        browser.wait(f"{STATE} === '{name}'", name)


class WithoutACamera(Window):
    def test_the_page_opens_and_offers_what_is_there(self):
        studio = self.studio(NO_CAMERA, "--color=203040")
        browser = self.open(studio)
        self.wait_for_state(browser, "missing")
        browser.wait("return document.getElementById('play-clip').offsetHeight", "the list of what is there")
        shown = browser.run("return document.getElementById('problem').innerText")
        for words in ("No camera", "looked for", "packaged clip", "Play a video", "Open a photo"):
            self.assertIn(words, shown)
        if PICTURES:
            browser.screenshot(f"{PICTURES}/missing.png")
        browser.click("#play-clip")
        browser.wait(DRAWN, "the clip")
        self.wait_for_state(browser, "playing")
        # Texts in a clip are read, not mirrored.
        browser.wait("return !isMirrored()", "the clip as it is")

    def test_a_video_is_played_instead(self):
        studio = self.studio(NO_CAMERA, "--color=203040")
        browser = self.open(studio)
        self.wait_for_state(browser, "missing")
        browser.type("#video-file", CLIP)
        browser.wait(DRAWN, "the video")
        self.wait_for_state(browser, "playing")
        # Files that are not offered are not played.
        for name in ("/etc/passwd", CLIP, "../" + os.path.basename(CLIP), ""):
            self.assertEqual(studio.do("choose-video", name=name).status, 409)

    def test_a_video_that_is_missing_is_still_an_error(self):
        for words in (["/nowhere.mp4"], ["--source=nowhere-element"]):
            result = subprocess.run([os.environ["STUDIO_TOOL"], "studio", *words], capture_output=True)
            self.assertNotEqual(result.returncode, 0)


class CameraOff(Window):
    def test_the_button_closes_the_camera(self):
        studio = self.studio(f"--source={STILL}", "--color=203040")
        browser = self.open(studio)
        browser.wait(DRAWN, "the picture")
        browser.click("#power")
        self.wait_for_state(browser, "off")
        self.assertEqual(studio.do("start-recording").status, 409)
        # Nothing plays any more: no figures, and no work.
        browser.wait("return [...document.querySelectorAll('#figures dd')].every((value) => value.textContent === '–')", "rest")
        if PICTURES:
            browser.screenshot(f"{PICTURES}/off.png")
        browser.click("#switch-on")
        self.wait_for_state(browser, "playing")

    def test_outputs_get_the_covered_picture(self):
        """Red where nobody is, and everywhere while the camera is off."""
        studio = self.studio(f"--source={STILL}", "--color=ff0000")
        with studio.watch() as viewer:
            viewer.next()
            studio.do("start-recording")
            studio.do("camera-off")
            studio.wait(lambda: state(studio) == "off", "off")
            viewer.drop()
            for _ in range(20):
                viewer.next()
            studio.do("camera-on")
            studio.wait(lambda: state(studio) == "playing", "the picture")
            for _ in range(20):
                viewer.next()
        studio.do("stop-recording")
        path = studio.wait(lambda: glob.glob(f"{studio.folder.name}/*.mkv"), "the file")[0]
        line = ["ffmpeg", "-v", "error", "-i", path, "-vf", "scale=64:36", "-f", "rawvideo", "-pix_fmt", "rgb24", "-"]
        raw = subprocess.run(line, capture_output=True, check=True).stdout
        frames = numpy.frombuffer(raw, numpy.uint8).reshape(-1, 36, 64, 3).astype(int)
        is_empty = abs(frames - [255, 0, 0]).max(axis=(1, 2, 3)) < 40
        # A person, nobody, and the person again.
        self.assertGreater(is_empty.sum(), 10)
        self.assertFalse(is_empty[-1])
        covered = numpy.flatnonzero(is_empty)
        self.assertLess(covered[-1], len(frames) - 1)

    def test_it_rests_while_photos_are_chosen(self):
        studio = self.studio(f"--source={STILL}", "--color=203040")
        browser = self.open(studio)
        browser.wait(DRAWN, "the picture")
        browser.click("#modes [value=photos]")
        studio.wait(lambda: state(studio) == "resting", "rest")
        browser.click("#modes [value=live]")
        browser.wait(DRAWN, "the picture")
        studio.wait(lambda: state(studio) == "playing", "the camera")
        # Who uses the virtual camera or a recording is seen there, whatever the page shows.
        self.assertEqual(studio.do("start-recording").status, 200)
        browser.click("#modes [value=photos]")
        browser.run("return new Promise((done) => setTimeout(done, 5000))")
        self.assertEqual(state(studio), "playing")
        studio.do("stop-recording")
        studio.wait(lambda: state(studio) == "resting", "rest")
        # An output wakes it.
        self.assertEqual(studio.do("start-recording").status, 200)
        studio.wait(lambda: state(studio) == "playing", "the camera")


class Lock(Window):
    def test_it_says_who_sees_the_room(self):
        studio = self.studio(f"--source={STILL}", "--color=203040", "--show-original")
        browser = self.open(studio)
        hidden, seen = "Nobody sees your room", "Your room is visible"

        def tells(text):
            browser.wait(f"return document.getElementById('lock').textContent.trim() === '{text}'", text)
            self.assertEqual(browser.run("return document.getElementById('lock').classList.contains('open')"), text == seen)

        tells(hidden)
        for changes, wanted in [
            ({"blendmask__background_source": "original", "blendmask__blur": 0}, seen),
            ({"blendmask__blur": 29}, seen), ({"blendmask__blur": 30}, hidden), ({"personsegment__expand": 20}, seen),
            ({"personsegment__expand": 0}, hidden), ({"blendmask__invert": True}, seen), ({"blendmask__invert": False}, hidden),
        ]:  # fmt: skip
            studio.set(**changes)
            tells(wanted)
        # The view “Original” is open somewhere.
        with studio.watch("original"):
            tells(seen)
        tells(hidden)


class Windows(Window):
    def test_six_windows_of_a_browser_work(self):
        studio = self.studio(f"--source={STILL}", "--color=203040", "--show-original")
        browser = Browser()
        self.addCleanup(browser.close)
        handles = [browser.add_window(studio.address) for _ in range(6)]
        for handle in handles:
            browser.use_window(handle)
            browser.wait(f"{READY} && document.getElementById('picture').width", "its picture")
            browser.run("openDrawer('more')")
            # Two pictures each, of which browsers would open six at most.
            browser.click("#views [value=wipe]")
        for index, handle in enumerate(handles):
            browser.use_window(handle)
            browser.wait("return document.getElementById('second').width", "the second picture")
            choice = ["color-green", "color-blue"][index % 2]
            browser.click(f"[data-choice={choice}]")
            color = {"color-green": 0xFF00B140, "color-blue": 0xFF0047BB}[choice]
            studio.wait(lambda color=color: studio.get("/settings")["values"]["blendmask.background-color"] == color, "its click")
            for other in handles:
                browser.use_window(other)
                browser.wait(f"return document.querySelector('[data-choice={choice}]').ariaPressed === 'true'", "the news")
        # Windows that are closed are forgotten, and so are their streams.
        for handle in handles[1:]:
            browser.use_window(handle)
            browser.call("DELETE", "/window")
        browser.use_window(handles[0])
        browser.run("window.last = 0; watcher.addEventListener('message', () => { window.last += 1; })")
        browser.wait("return window.last > 3", "pictures")


class Quality(Window):
    def test_it_is_chosen_by_what_the_machine_reaches(self):
        studio = Studio(f"--source={STILL}", "--color=203040", measured=True)
        self.addCleanup(studio.close)
        browser = self.open(studio)
        reason = studio.wait(lambda: studio.get("/settings")["status"]["quality"], "the measurement")
        level, rate = re.search("“(Fast|Fine|Finest)” was chosen: this machine reaches ([0-9]+) frames/s", reason).groups()
        # Twice those of the camera, which has 30.
        self.assertEqual(level != "Fast", int(rate) >= 60)
        words = {"Fast": "fast", "Fine": "balanced", "Finest": "accurate"}
        self.assertEqual(studio.get("/settings")["values"]["personsegment.quality"], words[level])
        browser.wait(f"return document.getElementById('cost').textContent.includes({reason!r})", "the reason")

    def test_what_is_slow_offers_what_helps(self):
        studio = Studio(f"--source={STILL}", "--color=203040", "--quality=accurate")
        self.addCleanup(studio.close)
        browser = self.open(studio)
        # Live figures would replace those that the script tells.
        told = """
            devices = { ...devices, chosen: 'a', cameras: [{ id: 'a', name: 'A', sizes: ['1920x1080', '1280x720', '640x360'] }] };
            showStatus({ ...page.status, slow: true, state: 'playing', rate: 4, ratio: 16 / 9, size: '1280x720' });
            const { hidden, textContent } = document.getElementById('faster');
            return [hidden, textContent]"""
        offers = {"accurate": "Switch to “Fine”", "balanced": "Switch to “Fast”", "fast": "Make the picture 640 × 360"}
        for level, label in offers.items():
            studio.set(personsegment__quality=level)
            browser.wait(f"return values['personsegment.quality'] === '{level}'", level)
            self.assertEqual(browser.run(told), [False, label])
        self.assertEqual(browser.run(told.replace("1280x720' }", "640x360' }")), [True, label])
        studio.set(personsegment__quality="balanced")
        browser.wait("return values['personsegment.quality'] === 'balanced'", "the level")
        browser.run(told.replace("return [", "document.getElementById('faster').click(); return ["))
        studio.wait(lambda: studio.get("/settings")["values"]["personsegment.quality"] == "fast", "the faster level")


class VirtualCamera(Window):
    def test_a_missing_device_gives_a_line_to_copy(self):
        # Neither a device nor a running PipeWire.
        environment = {"XDG_RUNTIME_DIR": "/nowhere", "PIPEWIRE_RUNTIME_DIR": "/nowhere"}
        studio = Studio(f"--source={STILL}", "--color=203040", environment=environment)
        self.addCleanup(studio.close)
        browser = self.open(studio)
        browser.wait(DRAWN, "the picture")
        if browser.run("return devices.hasVirtualCamera"):
            self.skipTest("there is a device of v4l2loopback")
        browser.click("#camera")
        browser.wait("return document.getElementById('no-loopback').open", "the advice")
        self.assertFalse(browser.run("return document.getElementById('fault').offsetHeight"))
        line = browser.run("return document.getElementById('installation').textContent")
        self.assertEqual(subprocess.run(["bash", "-n", "-c", line]).returncode, 0)
        self.assertIn("v4l2loopback", line)
        browser.wait("return document.getElementById('installed').textContent.startsWith('Not there yet')", "the check")
        if PICTURES:
            browser.screenshot(f"{PICTURES}/no-loopback.png")
        # As soon as it is there, the page says so.
        browser.run("listDevices = () => { devices.hasVirtualCamera = true; }")
        browser.wait("return document.getElementById('start-installed').offsetHeight", "the device")


class SelfView(Window):
    def test_only_the_page_is_mirrored(self):
        studio = self.studio(f"--source={STILL}", "--color=203040")
        browser = self.open(studio)
        browser.wait(DRAWN, "the picture")
        at = """
            const box = document.getElementById('picture'), style = getComputedStyle(box).transform;
            return [style, document.getElementById('self-mirror').checked];"""
        self.assertEqual(browser.run(at), ["matrix(-1, 0, 0, 1, 0, 0)", True])
        # A click on the right of the page is on the left of the picture.
        browser.click("#drawers [value=people]")
        browser.click("#choose")
        browser.click_at("#frame", 0.7, 0.75)
        place = studio.wait(lambda: studio.get("/settings")["values"]["blendmask.instances-at"], "the click").split(",")
        self.assertAlmostEqual(float(place[0]), 0.3, delta=0.01)
        browser.click("#drawers [value=look]")
        browser.click("#self-mirror")
        self.assertEqual(browser.run(at), ["none", False])
        self.assertFalse(studio.get("/settings")["values"]["camera.mirror"])


if __name__ == "__main__":
    unittest.main()
