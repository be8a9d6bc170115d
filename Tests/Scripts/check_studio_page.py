"""Uses the page of `gst-people studio` in a headless Chromium, as people do. STUDIO_TOOL and STUDIO_PORTRAIT as in check_studio.py;
STUDIO_PICTURES is a folder for screenshots."""

import http.server
import json
import os
import pathlib
import subprocess
import tempfile
import threading
import unittest

import numpy
from studio_client import STILL, Studio, pixels
from webdriver import Browser

PICTURES = os.environ.get("STUDIO_PICTURES")
# The contrast of each text with what is behind it, as WCAG 2.2 defines it.
CONTRASTS = """
    openDrawer('more');
    for (const box of document.querySelectorAll('.drawer')) box.hidden = false;
    for (const box of document.querySelectorAll('details')) box.open = true;
    const parts = (color) => color.match(/[\\d.]+/g).map(Number);
    const linear = (value) => value <= 10.31 ? value / 3294.6 : ((value / 255 + 0.055) / 1.055) ** 2.4;
    const light = ([r, g, b]) => 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
    const behind = (item) => {
        const color = parts(getComputedStyle(item).backgroundColor);
        return color[3] === 0 ? behind(item.parentElement) : color;
    };
    const isShown = (item) => item.offsetHeight && getComputedStyle(item).visibility === 'visible';
    const texts = [...document.querySelectorAll('body *')].filter((item) => isShown(item) && !item.disabled &&
        (item.matches('input[type=number], select') || [...item.childNodes].some((node) => node.nodeType === 3 && node.data.trim())));
    return texts.map((item) => {
        const [a, b] = [light(parts(getComputedStyle(item).color)), light(behind(item))];
        return [item.textContent || item.id, (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05)];
    });"""
# Whether the page is ready and shows the camera.
SEEN = "return document.body.dataset.ready === 'yes' && document.getElementById('picture').width"
# Controls and pictures without a name.
NAMELESS = """
    return [...document.querySelectorAll('button, input, select, img')].filter(item =>
        !item.labels?.length && !item.getAttribute('aria-label') && !item.textContent.trim() && item.alt === undefined
    ).map(item => item.outerHTML)"""

# What another page may try with the studio; none of it gets an answer to read.
OTHER_PAGE = """<!DOCTYPE html><title>other</title><body><script>
    const tried = window.tried = [];
    const ask = (path, options) => fetch('http://STUDIO' + path, options)
        .then((reply) => tried.push(reply.type === 'opaque' ? 'no answer' : 'read'), () => tried.push('failed'));
    ask('/settings');
    ask('/settings', { mode: 'no-cors', credentials: 'include' });
    ask('/settings', { method: 'POST', body: '{"blendmask.background-color": 4278255360}', mode: 'no-cors', credentials: 'include' });
    ask('/settings', { method: 'POST', body: '{}', headers: { Authorization: 'Bearer x', 'Content-Type': 'application/json' } });
    const image = new Image();
    image.onload = () => tried.push('seen');
    image.onerror = () => tried.push('failed');
    image.src = 'http://STUDIO/stream?view=result';
    const events = new EventSource('http://STUDIO/events');
    events.onopen = () => tried.push('open');
    events.onerror = () => tried.push('failed') && events.close();
</script>"""


class Sources(unittest.TestCase):
    def test_page_and_server_keep_to_their_size(self):
        """So that one person can read them as a whole: lines of 140 columns at most, and fewer than these."""
        folder = pathlib.Path(__file__).resolve().parents[2] / "Sources/Studio/Studio"
        page = [line for kind in ("html", "css", "js") for path in folder.glob(f"Page/*.{kind}") for line in path.open(encoding="utf-8")]
        server = [line for path in folder.glob("*.swift") for line in path.open(encoding="utf-8")]
        self.assertTrue(500 < len(page) < 2000, len(page))
        self.assertTrue(500 < len(server) < 2400, len(server))
        self.assertEqual([line for line in page if len(line.rstrip("\n")) > 140], [])


class Page(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(f"--source={STILL}", "--color=ff0000", "--show-original")
        cls.browser = Browser()

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        assert cls.studio.close() == 0

    def setUp(self):
        self.open(self.studio)
        self.browser.wait(SEEN, "the page")

    def open(self, studio):
        """Opens the page, with the picture as other programs get it."""
        self.browser.open(studio.address)
        self.browser.wait("return document.body.dataset.ready", "the page")
        self.browser.run("mirrors = false; showMirror()")

    def value(self, key):
        return self.studio.get("/settings")["values"][key]

    def wait_for(self, key, value):
        self.studio.wait(lambda: self.value(key) == value, f"{key}={value}")

    def shown(self):
        """The picture as the browser shows it, as pixels."""
        with tempfile.TemporaryDirectory() as folder:
            self.browser.screenshot(f"{folder}/shot.png", "#frame")
            line = f"filesrc location={folder}/shot.png ! pngdec ! videoconvert ! videoscale ! video/x-raw,width=640,height=360"
            made = subprocess.run(f"gst-launch-1.0 -q {line} ! jpegenc quality=95 ! fdsink", shell=True, capture_output=True, check=True)
        return pixels(made.stdout)

    def look(self, *selectors):
        for selector in selectors:
            self.open_drawer(selector)
            self.browser.click(selector)

    def type(self, selector, text):
        self.open_drawer(selector)
        self.browser.type(selector, text)

    def open_drawer(self, selector):
        """Opens the drawer in which an element is, as people do by its word."""
        name = self.browser.run("return document.querySelector(arguments[0])?.closest('.drawer[hidden]')?.id.slice(7)", selector)
        if name:
            self.browser.click(f"#drawers [value={name}]")

    def type_number(self, label, text):
        """Types the number beside a slider. The page does not change a field that has the focus."""
        field = f"[aria-label='{label}, as a number']"
        self.open_drawer(field)
        self.browser.run(f"const field = document.querySelector({json.dumps(field)}); field.focus(); field.value = ''")
        self.type(field, text + "\ue007")

    def click_person(self):
        """Clicks on the button of a person. One who was lost for a while gets another button."""
        self.browser.wait("const button = document.querySelector('#people button'); button?.click(); return button !== null", "ids")

    def test_shows_the_pipelines_own_frames(self):
        self.studio.set(blendmask__background_source="color", blendmask__background_color=0xFF2060C0)
        frame = self.studio.settled()
        self.browser.wait("return new Promise(done => setTimeout(() => done(true), 500))", "a few frames")
        # Corners are round.
        difference = abs(self.shown() - frame)[20:-20, 20:-20]
        self.assertLess(difference.mean(), 4)
        self.assertEqual(self.browser.run("return document.querySelectorAll('#figures dd').length"), 5)
        self.browser.wait("return parseFloat(document.querySelector('#figures dd').textContent) > 0", "figures")

    def test_sliders_act(self):
        self.look("[data-choice=light]")
        self.wait_for("blendmask.background-source", "original")
        before = self.value("blendmask.blur")
        self.assertEqual(before, 30)
        # The End key, as those who use no mouse press it.
        self.type("#blendmask-blur", "\ue010")
        self.wait_for("blendmask.blur", 100)
        self.assertNotEqual(before, 100)
        self.type("#blendmask-blur", "\ue011\ue014\ue014")
        self.studio.wait(lambda: 0 < self.value("blendmask.blur") < 10, "two steps")
        self.look("[data-choice=none]")
        self.wait_for("blendmask.blur", 0)

    def test_a_slider_with_two_sides_keeps_to_what_is_of_use(self):
        self.look("[data-choice=none]")
        self.open_drawer("#blendmask-exposure")
        self.browser.wait("return document.getElementById('blendmask-exposure').offsetHeight", "the slider")
        self.type("#blendmask-exposure", "\ue010")
        self.wait_for("blendmask.exposure", 3)
        # The number takes the whole range.
        self.type_number("Brightness", "-7")
        self.wait_for("blendmask.exposure", -7)
        filled = self.browser.run("return document.getElementById('blendmask-exposure').style.getPropertyValue('--to')")
        self.assertEqual(filled, "50%")
        self.studio.set(blendmask__exposure=0)

    def test_backgrounds_are_picked_and_added(self):
        with tempfile.NamedTemporaryFile(suffix=".jpg") as file:
            line = "videotestsrc pattern=green num-buffers=1 ! video/x-raw,width=64,height=36 ! jpegenc"
            subprocess.run(f"gst-launch-1.0 -q {line} ! filesink location={file.name}", shell=True, check=True)
            self.type("#file", file.name)
            name = os.path.basename(file.name)
            self.wait_for("blendmask.background", name)
        self.browser.wait("return document.querySelector('#tiles [aria-pressed=true] img')?.naturalWidth", "the tile")
        self.studio.wait(lambda: abs(self.shown()[30:60, 30:60].mean(axis=(0, 1)) - [0, 255, 0]).max() < 40, "green")
        # The blur of a picture stays for the next one.
        self.studio.set(blendmask__blur=20)
        self.browser.wait("return values['blendmask.blur'] === 20", "the blur")
        self.look("[data-choice=picture]:not([aria-pressed=true])")
        self.studio.wait(lambda: self.value("blendmask.background") != name, "the other picture")
        self.assertEqual(self.value("blendmask.blur"), 20)
        self.look("[data-choice=color-green]")
        self.wait_for("blendmask.background-source", "color")
        # An upload can be deleted, and that can be undone for a while.
        delete = f"[aria-label='Delete {name}']"
        self.look(delete)
        self.look("#message button")
        self.assertTrue(self.browser.run(f"return document.querySelector({json.dumps(delete)}).offsetHeight"))
        self.look(delete)
        self.browser.wait(f"return !document.querySelector({json.dumps(delete)})", "the deletion")
        self.assertNotIn(name, [one["name"] for one in self.studio.get("/settings")["backgrounds"]])
        # Those of the program stay.
        forest = self.studio.get("/settings")["backgrounds"][0]["name"]
        self.assertEqual(self.studio.do("remove-background", name=forest).status, 409)

    def test_clips_have_a_first_frame(self):
        made = subprocess.run(
            "gst-launch-1.0 -q videotestsrc pattern=red num-buffers=9 ! video/x-raw,width=64,height=36 ! vp8enc ! webmmux ! fdsink",
            shell=True, capture_output=True, check=True).stdout
        kind = {"Content-Type": "application/octet-stream"}
        self.assertEqual(self.studio.request("POST", "/backgrounds?name=clip.webm", made, kind).status, 200)
        reply = self.studio.request("GET", "/background?name=clip.webm")
        self.assertEqual((reply.status, reply.getheader("Content-Type")), (200, "image/jpeg"))
        self.assertLess(abs(pixels(reply.text).mean(axis=(0, 1)) - [255, 0, 0]).max(), 8)
        self.browser.wait("return document.querySelector('[aria-label=\"clip.webm\"] img')?.naturalWidth === 64", "the tile")
        self.assertEqual(self.studio.do("remove-background", name="clip.webm").status, 200)

    def test_the_picture_is_as_sharp_as_its_place(self):
        # This camera has no more pixels, and nothing is stretched.
        width = self.browser.run("return Number(document.getElementById('picture').dataset.width)")
        self.assertGreaterEqual(width, self.browser.run("return document.getElementById('frame').clientWidth"))
        self.assertEqual(self.browser.run("return document.getElementById('picture').width"), 640)
        studio = Studio(f"--source={STILL.replace('width=640,height=360', 'width=1366,height=768')}", "--color=ff0000", "--show-original")
        try:
            for wanted, shape in [("", (360, 640, 3)), ("&width=960", (540, 960, 3)), ("&width=1920", (768, 1366, 3))]:
                with studio.watch("original" + wanted) as viewer:
                    frame = pixels(viewer.next())
                self.assertEqual(frame.shape, shape)
            with studio.watch("result&width=641") as viewer:
                self.assertEqual(viewer.status, 404)
        finally:
            studio.close()

    def test_quality_says_what_it_costs(self):
        self.look("#qualities [value=balanced]")
        self.wait_for("personsegment.quality", "balanced")
        self.assertIn("60 ms", self.browser.run("return document.getElementById('cost').textContent"))
        # One script: the next figures of the stream replace the rate.
        slow = "values['personsegment.instance-masks'] = true; rate = 4; showQuality(); return document.getElementById('cost').textContent"
        self.assertIn("4 frames/s", self.browser.run(slow))
        self.look("#qualities [value=fast]")
        self.wait_for("personsegment.quality", "fast")

    def test_the_background_follows_the_head(self):
        self.look("[data-choice=pose]")
        self.wait_for("blendmask.background-source", "pose")
        self.open_drawer("#blendmask-pose-angle")
        self.browser.wait("return document.getElementById('blendmask-pose-angle').offsetHeight", "the choice of an angle")
        self.studio.set(blendmask__pose_angle="pitch")
        # This head nods: the corner is red or blue, neither white nor black.
        self.studio.wait(lambda: numpy.ptp(self.studio.settled()[20:60, 20:60].mean(axis=(0, 1))) > 8, "the colour of the angle")
        lines = self.studio.get("/lines")
        self.assertIn("facepose", lines["launch"])
        self.assertIn("--angle=pitch", lines["command"])
        self.look("[data-choice=color-blue]")
        self.wait_for("blendmask.background-source", "color")

    def test_only_listed_cameras_are_opened(self):
        self.assertIsInstance(self.studio.get("/devices")["cameras"], list)
        self.assertEqual(self.studio.do("choose-camera", name="/etc/passwd").status, 409)
        reply = self.studio.do("choose-size", name="much")
        self.assertEqual(reply.status, 400)
        self.assertNotIn(b"--help", reply.text)

    def test_a_recording_shows_its_time(self):
        self.look("#record")
        self.browser.wait("return document.getElementById('record').textContent === 'Stop recording 0:01'", "a second")
        self.assertIn("Recording into", self.browser.run("return document.getElementById('where').textContent"))
        self.look("#record")
        self.browser.wait("return document.getElementById('where').textContent.includes('Recorded:')", "the file")

    def test_a_recording_plays_and_shows_its_folder(self):
        with tempfile.TemporaryDirectory() as folder:
            opener = pathlib.Path(folder, "xdg-open")
            opener.write_text(f"#!/bin/sh\necho \"$1\" >{folder}/opened.new && mv {folder}/opened.new {folder}/opened\n", encoding="utf-8")
            opener.chmod(0o755)
            studio = Studio(f"--source={STILL}", "--color=ff0000", environment={"PATH": f"{folder}:{os.environ['PATH']}"})
            try:
                self.open(studio)
                self.browser.wait(SEEN, "the page")
                self.assertEqual(studio.do("show-recording").status, 409)
                self.look("#record")
                self.browser.wait("return document.getElementById('record').textContent.endsWith('0:02')", "two seconds")
                self.look("#record")
                # The first frame is that of the file: a portrait on red.
                self.browser.wait("return document.getElementById('recording').videoWidth === 640", "the first frame")
                shape = "const { videoHeight, duration } = document.getElementById('recording'); return [videoHeight, duration]"
                height, seconds = self.browser.run(shape)
                self.assertEqual(height, 360)
                self.assertGreater(seconds, 1.5)
                script = """
                    const video = document.getElementById('recording'), pen = new OffscreenCanvas(64, 36).getContext('2d');
                    pen.drawImage(video, 0, 0, 64, 36);
                    return [...pen.getImageData(4, 4, 1, 1).data]"""
                self.browser.wait("return document.getElementById('recording').readyState >= 2", "the frame itself")
                self.assertLess(abs(numpy.array(self.browser.run(script)[:3]) - [255, 0, 0]).max(), 40)
                self.look("#recording")
                self.browser.wait("return document.getElementById('recording').currentTime > 0.5", "the picture's movement")
                self.browser.run("return document.fullscreenElement && document.exitFullscreen()")
                self.look("#show-folder")
                studio.wait(lambda: os.path.exists(f"{folder}/opened"), "the folder")
                self.assertEqual(os.path.realpath(pathlib.Path(folder, "opened").read_text().strip()), os.path.realpath(studio.folder.name))
                # Only a page gets it, only this file, and in parts.
                name = self.browser.run("return document.getElementById('recording').dataset.name")
                whole = pathlib.Path(studio.folder.name, name).read_bytes()
                part = {"Range": "bytes=10-"}
                reply = studio.request("GET", f"/recording?name={name}", headers=part)
                self.assertEqual((reply.status, reply.text), (206, whole[10:10 + (1 << 20)]))
                self.assertEqual(reply.getheader("Content-Range"), f"bytes 10-{len(reply.text) + 9}/{len(whole)}")
                self.assertEqual(studio.request("GET", f"/recording?name={name}", headers={"Authorization": "", **part}).status, 401)
                self.assertEqual(studio.request("GET", "/recording?name=log", headers=part).status, 404)
                for wrong in ("", "bytes=-5", "bytes=x-", f"bytes={len(whole)}-", f"bytes={10**19}-", f"bytes={2**63 - 1}-"):
                    self.assertEqual(studio.request("GET", f"/recording?name={name}", headers={"Range": wrong}).status, 416, wrong)
            finally:
                studio.close()

    def test_backgrounds_fade(self):
        self.look("[data-choice=color-green]")
        self.wait_for("blendmask.background-color", 0xFF00B140)
        faded = """
            document.querySelector('[data-choice=color-blue]').click();
            const before = document.getElementById('before'), { width } = before;
            return new Promise((done) => setTimeout(() => done([width, before.width]), 1500))"""
        self.assertEqual(self.browser.run(faded), [self.browser.run("return document.getElementById('picture').width"), 0])
        # Nothing is seen of it where motion is not wanted.
        media = {"features": [{"name": "prefers-reduced-motion", "value": "reduce"}]}
        self.browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": media})
        try:
            self.assertEqual(self.browser.run(faded.replace("blue", "grey"))[0], 0)
        finally:
            self.browser.call("POST", "/goog/cdp/execute", {"cmd": "Emulation.setEmulatedMedia", "params": {"features": []}})

    def test_the_page_says_why_a_person_is_hidden(self):
        self.look("#heads [value=blur]")
        self.studio.wait(lambda: any(one["hasHead"] for one in self.studio.get("/settings")["status"]["people"]), "the head")
        self.browser.wait("return document.getElementById('unseen').textContent === ''", "the end of the search")
        self.look("#heads [value=keep]")
        self.wait_for("blendmask.heads", "keep")
        # One script: the next state of the stream would replace what it tells.
        script = """
            Object.assign(values, { 'blendmask.heads': 'blur', 'blendmask.heads-except': arguments[0] });
            showUnseen([{ id: 1, hasHead: true }, { id: 2, hasHead: false }, { id: 3, hasHead: false }]);
            return document.getElementById('unseen').textContent"""
        self.assertIn("no head is found: 2.", self.browser.run(script, ""))
        self.assertIn("no head is found: 1.", self.browser.run(script, "3"))
        self.assertEqual(self.browser.run(script, "2,3"), "")

    def test_a_click_chooses_a_person(self):
        self.studio.set(blendmask__background_source="color", blendmask__background_color=0xFF2060C0)
        self.look("#choose")
        self.wait_for("personsegment.instance-masks", True)
        self.browser.wait("return document.querySelector('#people button')", "ids")
        self.browser.click_at("#frame", 0.5, 0.75)
        place = self.studio.wait(lambda: self.value("blendmask.instances-at"), "the click").split(",")
        self.assertTrue(abs(float(place[0]) - 0.5) < 0.01 and abs(float(place[1]) - 0.75) < 0.01, place)
        # On a busy machine a person who was lost for a while has got another number by the time of the click.
        is_shown = "document.querySelector('#people [aria-pressed=true]') !== null"
        is_answered = f"({is_shown} || document.getElementById('choosing').textContent.startsWith('Whom'))"
        for _ in range(10):
            self.click_person()
            self.studio.wait(lambda: self.value("blendmask.instances"), "the id")
            was_shown = self.browser.wait(f"return {is_answered} && [{is_shown}]", "who is shown")[0]
            self.look("#everyone")
            self.wait_for("blendmask.instances", "")
            if was_shown:
                break
        self.assertTrue(was_shown)
        # The same by the keyboard.
        self.browser.run("document.querySelector('#people button').focus()")
        self.type("#people button", "\ue007")
        self.studio.wait(lambda: self.value("blendmask.instances"), "the id")
        self.look("#everyone", "#choose")
        self.wait_for("personsegment.instance-masks", False)

    def test_views_and_wipe(self):
        views = {"mask": ["mask"], "original": ["original"], "wipe": ["result", "original"], "space": ["result"], "result": ["result"]}
        for view, streams in views.items():
            self.look(f"#views [value={view}]")
            script = "return [...document.querySelectorAll('#frame > canvas')].filter(i => i.dataset.view).map(i => i.dataset.view)"
            self.assertEqual(self.browser.run(script), streams)
            drawn = "return [...document.querySelectorAll('#frame > canvas')].every(i => !i.dataset.view || i.width)"
            self.browser.wait(drawn, view)

    def test_bodies_follow_in_space(self):
        self.look("#views [value=space]")
        self.browser.wait("return scene && scene.joints.length === 17", "the body")
        self.browser.wait("return document.getElementById('measures').textContent.includes('m tall')", "its height")
        # The measures are seen at once, wherever the page was.
        self.look("#views [value=result]")
        self.browser.run("scrollTo(0, 1000)")
        self.look("#views [value=space]")
        self.browser.wait("return scene", "the body")
        edges = "const box = document.getElementById('measure').getBoundingClientRect(); return [box.top, innerHeight - box.bottom]"
        self.assertGreater(min(self.browser.run(edges)), 0)
        newer = "const before = scene; return new Promise((done) => setTimeout(() => done(scene !== before), 300))"
        self.browser.wait(newer, "another scene")
        # A paused one is looked at as long as it takes.
        self.look("#pause")
        self.assertFalse(self.browser.run(newer))
        self.look("#pause")
        self.browser.wait(newer, "the next scene")
        self.look("#views [value=result]")
        self.assertFalse(self.browser.run("return scenes || document.getElementById('space').offsetHeight"))
        self.assertEqual(self.studio.request("GET", "/stream?view=space", headers={"Authorization": ""}).status, 401)

    def test_drawn_bodies_lie_between_two_results(self):
        self.look("#views [value=space]")
        # One script, so that the live picture brings nothing in between: the same body there, and a metre farther to the right.
        script = """
            if (scene?.joints.length !== 17) return null;
            const [here, there] = [0, 1].map((metres) => {
                const gltf = JSON.parse(scene.text);
                for (const node of gltf.nodes) if (node.extras?.['body-height']) node.translation[0] += metres;
                return JSON.stringify(gltf);
            });
            const begin = scene.joints.map(({ to }) => to[0]);
            const drawn = (now) => {
                follow(now);
                drawSpace();
                const moved = scene.joints.map(({ place }, index) => place[0] - begin[index]);
                const seen = scene.joints.map(({ place }) => onScreen(place).map(Math.round).join());
                const dots = [...document.getElementById('joints').children].map((dot) => dot.style.translate.match(/[-\\d.]+/g));
                return [Math.min(...moved), Math.max(...moved), seen.every((at, index) => at === dots[index].map(Math.round).join())];
            };
            showScene(here, 1000);
            showScene(here, 1100);
            const before = drawn(1200);
            showScene(there, 1200);
            const between = [1200, 1225, 1250, 1300, 1900].map(drawn);
            showScene(here, 90000);
            return [before, ...between, drawn(90000 + longestInterval)];"""
        wanted = [0, 0, 0.25, 0.5, 1, 1, 0]
        for (least, most, is_seen), place in zip(self.browser.wait(script, "the body"), wanted, strict=True):
            self.assertAlmostEqual(least, place, delta=1e-9)
            self.assertAlmostEqual(most, place, delta=1e-9)
            self.assertTrue(is_seen)

    def test_heads_are_hidden_by_the_page(self):
        self.look("#heads [value=blur]")
        self.wait_for("blendmask.heads", "blur")
        self.wait_for("personsegment.instance-masks", True)
        self.look("#whose [value=of]")
        self.click_person()
        self.studio.wait(lambda: self.value("blendmask.heads-of"), "the id")
        self.look("#whose [value=except]")
        self.wait_for("blendmask.heads-of", "")
        # Clicks choose nobody to be shown then.
        self.browser.click_at("#frame", 0.5, 0.75)
        self.click_person()
        self.studio.wait(lambda: self.value("blendmask.heads-except"), "the id")
        self.assertEqual([self.value(f"blendmask.{name}") for name in ("instances", "instances-at", "heads-at")], ["", "", ""])
        self.look("#whose [value=of]")
        self.wait_for("blendmask.heads-except", "")
        self.browser.click_at("#frame", 0.5, 0.75)
        place = self.studio.wait(lambda: self.value("blendmask.heads-at"), "the click").split(",")
        self.assertTrue(abs(float(place[0]) - 0.5) < 0.01 and abs(float(place[1]) - 0.75) < 0.01, place)
        self.look("#whose [value=all]", "#heads [value=keep]")
        self.wait_for("blendmask.heads", "keep")
        self.wait_for("personsegment.instance-masks", False)

    def test_a_microphone_is_chosen(self):
        studio = Studio(f"--source={STILL}", "--color=ff0000", "--sound=audiotestsrc is-live=true")
        try:
            self.browser.open(studio.address)
            self.browser.wait("return document.getElementById('microphones').value.startsWith('audiotestsrc')", "the microphone")
            self.look("#record")
            self.browser.wait("return document.getElementById('where').textContent.includes('with the sound of audiotestsrc')", "the sound")
            self.look("#record")
            self.browser.run("const list = document.getElementById('microphones'); list.value = ''; list.onchange()")
            studio.wait(lambda: studio.get("/devices")["microphone"] is None, "the choice")
        finally:
            studio.close()
        # Here is none.
        self.assertEqual(self.studio.get("/devices")["microphones"], [])

    def test_the_wipe_lies_between_two_pictures(self):
        self.studio.set(blendmask__background_source="color", blendmask__background_color=0xFF0000FF)
        original, result = self.studio.settled("original"), self.studio.settled()
        self.look("#views [value=wipe]")
        self.browser.wait("return document.getElementById('second').width", "the second picture")

        def lies_at(place):
            shown = self.shown()
            wanted = numpy.where((numpy.arange(640) < place)[None, :, None], result, original)
            # The line itself, and round corners.
            difference = abs(shown - wanted)[20:-20, 20:-20]
            return numpy.delete(difference, range(place - 30, place - 10), 1).mean() < 4

        self.studio.wait(lambda: lies_at(320), "the middle")
        self.type("#wipe", "\ue012" * 20)
        self.studio.wait(lambda: lies_at(192), "twenty steps to the left")
        self.browser.click_at("#frame", 0.8, 0.5)
        self.studio.wait(lambda: lies_at(512), "the place of a click")

    def test_refused_values_are_not_shown(self):
        self.studio.set(blendmask__blur=7, blendmask__background_source="original")
        self.browser.run("set({ 'blendmask.blur': 1000 })")
        self.browser.wait("return document.getElementById('fault').textContent.includes('.blur does not take')", "the reason")
        self.browser.wait("return document.getElementById('blendmask-blur').value === '7'", "the value before")
        self.look("#fault button")
        self.assertFalse(self.browser.run("return document.getElementById('fault').offsetHeight"))
        # The number beside a slider.
        self.type_number("Blur", "12")
        self.wait_for("blendmask.blur", 12)

    def test_the_room_stays_hidden(self):
        studio = Studio(f"--source={STILL}")
        try:
            self.open(studio)
            kinds = self.browser.run("return [...document.querySelectorAll('#tiles [data-choice]')].map(item => item.dataset.choice)")
            self.assertEqual(kinds[:3], ["light", "strong", "color-green"])
            self.assertNotIn("none", kinds)
            views = self.browser.run("return [...document.querySelectorAll('#views input')].map(item => item.value)")
            self.assertEqual(views, ["result", "mask", "wipe", "space"])
            # Without any picture there is a place to add one.
            adder = "page.backgrounds = []; drawTiles(); return document.getElementById('adder').offsetHeight"
            self.assertTrue(self.browser.run(adder))
        finally:
            studio.close()

    def test_values_that_show_the_room_are_refused(self):
        studio = Studio(f"--source={STILL}", "--color=ff0000")
        try:
            self.open(studio)
            self.look("[data-choice=strong]")
            studio.wait(lambda: studio.get("/settings")["values"]["blendmask.background-source"] == "original", "the blur")
            # The Home key: the weakest blur.
            self.type("#blendmask-blur", "\ue011")
            studio.wait(lambda: studio.get("/settings")["values"]["blendmask.blur"] == 30, "the weakest blur")
            self.browser.run("set({ 'blendmask.blur': 3 })")
            self.browser.wait("return document.getElementById('fault').textContent.includes('--show-original')", "the reason")
            self.browser.wait("return document.getElementById('blendmask-blur').value === '30'", "the value before")
            self.browser.run("for (const box of document.querySelectorAll('details')) box.open = true")
            self.type_number("Firm edges from", "0.3")
            studio.wait(lambda: studio.get("/settings")["values"]["personsegment.threshold"] == 0.5, "the lowest threshold")
        finally:
            studio.close()

    def test_another_server_learns_and_does_nothing(self):
        """A page of another port of this machine, in the same browser."""
        heads = []

        class Other(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                heads.append((self.path, str(self.headers)))
                self.send_response(200)
                self.send_header("Content-Type", "text/html")
                self.end_headers()
                self.wfile.write(OTHER_PAGE.replace("STUDIO", studio.host).encode())

            def log_message(self, *_):
                pass

        studio = self.studio
        studio.set(blendmask__background_color=0xFF2060C0)
        with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Other) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            address = f"http://127.0.0.1:{server.server_port}/"
            # As by a link on the page, and by an address that is typed.
            self.browser.run("location.href = arguments[0]", address + "linked")
            self.browser.wait("return document.title === 'other'", "the other page")
            self.browser.open(address + "typed")
            self.browser.wait("return document.title === 'other'", "the other page")
            tried = self.browser.wait("return window.tried?.length === 6 && window.tried", "its attempts")
            self.assertLessEqual(set(tried), {"failed", "no answer"}, tried)
            server.shutdown()
        self.assertEqual({"/linked", "/typed"} - {path for path, _ in heads}, set())
        for path, head in heads:
            self.assertNotIn("Cookie", head)
            for secret in (studio.token, studio.key):
                self.assertNotIn(secret, path + head)
        self.assertEqual(self.value("blendmask.background-color"), 0xFF2060C0)

    def test_the_token_stays_in_the_tab(self):
        self.assertEqual(self.browser.run("return location.href"), f"http://{self.studio.host}/")
        self.assertEqual(self.browser.run("return document.cookie"), "")
        self.assertEqual(self.browser.run("return { ...sessionStorage, ...localStorage }"), {})
        # A page that is loaded again gets it once more, as often as it is; another tab does not, and says what to do.
        for _ in range(2):
            self.browser.call("POST", "/refresh", {})
            self.browser.wait("return document.body.dataset.ready", "the page")
            self.assertEqual(self.browser.run("return { ...sessionStorage, ...localStorage }"), {})
        other = Browser()
        try:
            other.open(f"http://{self.studio.host}/")
            other.wait("return document.getElementById('fault').textContent.includes('has printed')", "what to do")
            other.run("location.hash = arguments[0]", self.studio.address.partition("#")[2])
            other.wait("return document.body.dataset.ready", "the page")
        finally:
            other.close()

    def test_nothing_secret_is_on_the_disk(self):
        studio = Studio(f"--source={STILL}", "--color=ff0000")
        with tempfile.TemporaryDirectory() as profile:
            browser = Browser(profile=profile)
            try:
                address = studio.address
                browser.open(address)
                browser.wait("return document.body.dataset.ready", "the page")
                browser.call("POST", "/refresh", {})
                browser.wait("return document.body.dataset.ready", "the page")
            finally:
                browser.close()
            texts = b"".join(path.read_bytes() for path in pathlib.Path(profile).rglob("*") if path.is_file() and not path.is_symlink())
            self.assertIn(b"127.0.0.1", texts)
            self.assertNotIn(studio.token.encode(), texts)
            # The code may be there, and has been used.
            self.assertEqual(studio.post("/session", {"code": address.partition("=")[2]}).status, 401)
        studio.close()

    def test_another_program_on_the_port_gets_nothing(self):
        studio = Studio(f"--source={STILL}", "--color=ff0000")
        heads = []

        class Stranger(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                heads.append(f"{self.command} {self.path} {self.headers}")
                self.send_response(200)
                self.send_header("Content-Type", "text/plain")
                self.end_headers()
                self.wfile.write(b"0" * 64)

            do_POST = do_GET

            def log_message(self, *_):
                pass

        self.browser.open(studio.address)
        self.browser.wait("return document.body.dataset.ready", "the page")
        # A picture that is loaded when it comes into view.
        self.browser.run("""
            window.far = drawThumbnail(page.backgrounds[0].name);
            // An address of its own: the picture of the strip has been loaded.
            far.src += '&far';
            Object.assign(far.style, { position: 'absolute', top: '50000px' });
            document.body.append(far);""")
        port, token, key = studio.port, studio.token, studio.key
        studio.close()
        self.browser.wait("return document.getElementById('fault').textContent.includes('start it again')", "the end", 60)
        http.server.ThreadingHTTPServer.allow_reuse_address = True
        with http.server.ThreadingHTTPServer(("127.0.0.1", port), Stranger) as server:
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.browser.run("""
                window.tried = 0;
                const again = () => { window.tried += 1; };
                act('save-preset', { name: 'a' }).then(again, again);
                addPhotos([new File(['private'], 'private.png')]).then(again, again);
                set({ 'blendmask.blur': 40 });
                far.style.top = 0;
                dispatchEvent(new Event('resize'));""")
            self.browser.wait("return window.tried === 2", "the attempts")
            self.browser.wait("return !far.isConnected || !far.getAttribute('src')", "the end of the picture")
            studio.wait(lambda: any("/proof?" in head for head in heads), "a question for a proof")
            server.shutdown()
        self.assertTrue(all(head.startswith("GET /proof?") for head in heads), heads)
        self.assertFalse([head for head in heads if token in head or key in head])

    def test_only_what_was_lifted_can_be_dragged(self):
        script = """
            return [...document.querySelectorAll('img')].filter((image) => image.id !== 'lifted').map((image) => {
                const event = new DragEvent('dragstart', { dataTransfer: new DataTransfer(), bubbles: true, cancelable: true });
                return [image.id || image.src, image.draggable, image.dispatchEvent(event)];
            })"""
        found = self.browser.run(script)
        self.assertGreater(len(found), 3)
        self.assertEqual([image for image in found if image[1] or image[2]], [])

    def test_the_browser_reports_no_error(self):
        browser = Browser(logs=True)
        try:
            browser.open(self.studio.address)
            browser.wait("return document.body.dataset.ready && document.getElementById('picture').width", "the page")
            self.assertEqual(browser.call("POST", "/se/log", {"type": "browser"}), [])
        finally:
            browser.close()

    def test_a_lost_camera_is_reported(self):
        source = STILL.replace("! videoconvert", "! identity error-after=90 ! videoconvert", 1)
        studio = Studio(f"--source={source}", "--color=ff0000")
        try:
            self.browser.open(studio.address)
            self.browser.wait("return document.getElementById('frame').dataset.state === 'lost'", "the problem", 60)
            told = self.browser.run("return document.getElementById('problem').innerText")
            self.assertIn("No picture", told)
            self.assertIn("looked for", told)
            self.browser.wait("return document.getElementById('problem').hidden", "the camera")
        finally:
            studio.close()
        self.browser.wait("return document.getElementById('fault').textContent.includes('start it again')", "the end", 60)

    def test_presets_and_lines(self):
        self.browser.run("document.getElementById('name').value = ''")
        self.type("#name", "evening")
        self.look("#save")
        self.browser.wait("return document.querySelector('#presets .chip')?.textContent.startsWith('evening')", "the preset")
        self.assertEqual(os.listdir(f"{self.studio.folder.name}/config/gst-people/presets"), ["evening.ini"])
        for kind, start in [("command", "gst-people webcam"), ("launch", "gst-launch-1.0"), ("python", "import gi")]:
            self.look(f"[data-line={kind}]")
            self.browser.wait(f"return document.getElementById('line').textContent.startsWith({json.dumps(start)})", kind)
        # Any name, by the Enter key; one that is taken is written over only when asked again.
        for name in ("Grüße, abends", "l'été"):
            self.type("#name", name + "\ue007")
            chips = "[...document.querySelectorAll('#presets .chip')].map((chip) => chip.textContent)"
            self.browser.wait(f"return {chips}.includes({json.dumps(name + '×')})", name)
            self.type("#name", name + "\ue007")
            self.browser.wait("return document.getElementById('save').textContent === 'Replace'", "the question")
            self.look("#save")
            self.browser.wait("return document.getElementById('save').textContent === 'Save'", "the preset")
            self.assertEqual(self.studio.do("remove-preset", name=name).status, 200)
        self.look("#presets .chip button")
        self.browser.wait("return document.getElementById('message').textContent === 'evening is set.'", "the preset's settings")
        self.look("[aria-label='Delete evening']")
        self.browser.wait("return !document.querySelector('#presets .chip')", "the deletion")
        self.assertEqual(os.listdir(f"{self.studio.folder.name}/config/gst-people/presets"), [])

    def test_two_pages_follow_each_other(self):
        other = Browser(390, 844, dark=True)
        try:
            other.open(self.studio.address)
            other.wait(SEEN, "the second page")
            self.look("[data-choice=light]")
            other.wait("return document.querySelector('[data-choice=light]').getAttribute('aria-pressed') === 'true'", "the change")
            # Nothing is wider than the screen.
            self.assertEqual(other.run("return document.documentElement.scrollWidth"), 390)
            self.look("[data-choice=color]")
            if PICTURES:
                other.screenshot(f"{PICTURES}/phone.png")
        finally:
            other.close()

    def test_a_window_that_changes_while_it_loads_shows_the_picture(self):
        early = """
            addEventListener('DOMContentLoaded', () => {
                dispatchEvent(new Event('resize'));
                document.dispatchEvent(new Event('visibilitychange'));
            });"""
        other = Browser()
        try:
            other.call("POST", "/goog/cdp/execute", {"cmd": "Page.addScriptToEvaluateOnNewDocument", "params": {"source": early}})
            other.open(self.studio.address)
            other.wait(SEEN, "the picture")
        finally:
            other.close()

    def test_every_control_has_a_name(self):
        self.browser.run("openDrawer('more'); for (const box of document.querySelectorAll('.drawer')) box.hidden = false")
        self.browser.run("for (const box of document.querySelectorAll('details')) box.open = true")
        self.assertEqual(self.browser.run(NAMELESS), [])
        tree = self.browser.call("POST", "/goog/cdp/execute", {"cmd": "Accessibility.getFullAXTree", "params": {}})["nodes"]
        used = [node for node in tree if not node["ignored"] and any(
            field["name"] == "focusable" and field["value"]["value"] for field in node.get("properties", []))]  # fmt: skip
        roles = {node["role"]["value"] for node in used}
        self.assertTrue({"button", "slider", "checkbox", "combobox", "radio", "spinbutton", "textbox"} <= roles, roles)
        unnamed = [node for node in used if node["role"]["value"] != "RootWebArea" and not node["name"]["value"].strip()]
        self.assertEqual(unnamed, [])
        ids = "return [...document.querySelectorAll('[id]')].map(item => item.id)"
        found = self.browser.run(ids)
        self.assertEqual(len(found), len(set(found)))

    def test_texts_have_enough_contrast(self):
        for dark in (False, True):
            browser = Browser(dark=dark)
            try:
                browser.open(self.studio.address)
                browser.wait("return document.body.dataset.ready", "the page")
                found = browser.run(CONTRASTS)
                self.assertGreater(len(found), 50)
                # What WCAG 2.2 asks of small texts (1.4.3).
                self.assertEqual([(text, ratio) for text, ratio in found if ratio < 4.5], [])
                if PICTURES:
                    browser.screenshot(f"{PICTURES}/{'dark' if dark else 'light'}.png")
            finally:
                browser.close()

    def test_without_javascript_it_says_what_is_needed(self):
        plain = Browser(script=False)
        try:
            plain.open(self.studio.address)
            source = plain.call("GET", f"/element/{plain.find('noscript')}/text")
            self.assertIn("needs JavaScript", source)
        finally:
            plain.close()


if __name__ == "__main__":
    unittest.main()
