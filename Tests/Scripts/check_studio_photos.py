"""Lifts people and subjects out of photos on the page of `gst-people studio`, in a headless Chromium. STUDIO_TOOL and STUDIO_PORTRAIT
as in check_studio.py; STUDIO_CLIP is a video whose first frame shows three people, STUDIO_PICTURES a folder for screenshots."""

import base64
import json
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import tempfile
import unittest

import numpy
from check_studio_page import CONTRASTS, NAMELESS, PICTURES
from studio_client import PATIENCE, PORTRAIT, STILL, TOOL, Gst, Studio, size
from webdriver import ELEMENT, Browser

TAB, ENTER, SHIFT, ESCAPE = "\ue004", "\ue007", "\ue008", "\ue00c"
HOME, RIGHT, DOWN = "\ue011", "\ue014", "\ue015"


def rgba(png):
    """The pixels of a PNG with straight alpha, as integers that can be subtracted."""
    line = "appsrc name=in ! pngdec ! videoconvert ! video/x-raw,format=RGBA ! appsink name=out sync=false"
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_by_name("in").emit("push-buffer", Gst.Buffer.new_wrapped(png))
    pipeline.get_by_name("in").emit("end-of-stream")
    sample = pipeline.get_by_name("out").emit("try-pull-sample", PATIENCE * Gst.SECOND)
    width, height = size(sample)
    data = sample.get_buffer().extract_dup(0, sample.get_buffer().get_size())
    pipeline.set_state(Gst.State.NULL)
    return numpy.frombuffer(data, numpy.uint8).reshape(height, width, 4).astype(int)


class Lifting(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.photos = pathlib.Path(cls.folder.name)
        shutil.copy(PORTRAIT, cls.photos / "a portrait.png")
        frame = f"filesrc location={os.environ['STUDIO_CLIP']} ! decodebin ! videoconvert ! pngenc snapshot=true"
        subprocess.run(f"gst-launch-1.0 -q {frame} ! filesink location={cls.photos}/group.png", shell=True, check=True)
        cls.studio = Studio(f"--source={STILL}", "--color=ff0000", cls.folder.name)
        cls.browser = Browser(1440, 900)

    @classmethod
    def tearDownClass(cls):
        cls.browser.close()
        output = cls.studio.output()
        assert cls.studio.close() == 0, output
        cls.folder.cleanup()

    def setUp(self):
        self.show(self.browser)

    def show(self, browser, name="a portrait.png", content="subjects"):
        """Opens the page with one of the photos, and waits until it has been searched."""
        browser.open(self.studio.address)
        browser.wait("return document.body.dataset.ready", "the page")
        if name != "a portrait.png":
            browser.type("#photo-list", name)
        browser.wait(f"return photo?.name === {name!r}", name)
        if content != "subjects":
            browser.click(f"#contents [value={content}]")
        done = "scene" if content == "bodies" else "found && !found.isCoarse"
        browser.wait(f"return {done} && document.getElementById('photo').naturalWidth", f"{content} of {name}")

    def lifted(self, browser=None, after=""):
        """The file that the page saves, and what the page says of it, after a change."""
        (browser or self.browser).wait(f"return lifted && !lift.isBusy && lifted.id !== {after!r}", "the lifted picture")
        told = (browser or self.browser).run("return lifted")
        reply = self.studio.request("GET", f"/lifted?id={told['id']}", headers={"Authorization": ""})
        self.assertEqual((reply.status, reply.getheader("Content-Type")), (200, "image/png"))
        return reply.text, told

    def check_line(self, png, told):
        """The line of the page writes the same file."""
        words = shlex.split(told["line"])
        self.assertEqual(words[:2], ["gst-people", "lift"])
        with tempfile.TemporaryDirectory() as folder:
            result = subprocess.run([TOOL, *words[1:]], cwd=folder, capture_output=True, text=True)
            self.assertEqual(result.returncode, 0, (told["line"], result.stderr))
            self.assertEqual(os.listdir(folder), [told["name"]])
            self.assertEqual((pathlib.Path(folder) / told["name"]).read_bytes(), png, told["line"])

    def place(self, number=1):
        """A place in the middle of a subject, as fractions of the photo."""
        script = """
            const places = [...found.numbers.keys()].filter((i) => found.numbers[i] === arguments[0] && found.coverage[i] > 250);
            const place = places[places.length >> 1];
            return [(place % found.width + 0.5) / found.width, (Math.floor(place / found.width) + 0.5) / found.height]"""
        return self.browser.run(script, number)

    def test_lifts_by_the_mouse(self):
        self.assertTrue(self.browser.run("return document.getElementById('lifting').hidden"))
        self.browser.move_to("#photo-box", *self.place())
        self.browser.wait("return document.querySelector('#photo-box.lit.pointing')", "the light")
        self.assertIsNone(self.browser.run("return lifted"))
        if PICTURES:
            self.browser.screenshot(f"{PICTURES}/photos-pointed.png")
        self.browser.click_at("#photo-box", *self.place())
        png, told = self.lifted()
        self.check_line(png, told)
        self.assertEqual(told["name"], "a portrait-lifted.png")
        pixels = rgba(png)
        self.assertGreater((pixels[..., 3] > 250).mean(), 0.2)
        size = f"{pixels.shape[1]} × {pixels.shape[0]} pixels"
        self.browser.wait(f"return document.getElementById('lifted-size').textContent === '{size}'", size)
        # A corner belongs to nothing.
        self.browser.click_at("#photo-box", 0.004, 0.004)
        self.browser.wait("return !lifted && document.getElementById('lifting').hidden", "nothing")

    def test_lifts_by_the_keyboard(self):
        self.show(self.browser, "group.png", "people")
        people = self.browser.run("return found.found.map(({ number }) => number)")
        self.assertEqual(people, [1, 2, 3])
        focus = "return Number(document.activeElement.dataset.number ?? 0)"
        for _ in range(30):
            self.browser.press(TAB)
            if self.browser.run(focus) == 1:
                break
        self.browser.press(TAB)
        self.assertEqual(self.browser.run(focus), 2)
        self.assertTrue(self.browser.run("return pointed === 2 && document.querySelector('#photo-box.lit') !== null"))
        self.browser.press(ENTER)
        second, told = self.lifted()
        self.assertIn(" --instance=2", told["line"])
        self.check_line(second, told)
        self.browser.press(TAB)
        self.browser.press(SHIFT, ENTER)
        both, told = self.lifted(after=told["id"])
        self.assertIn(" --instance=2,3", told["line"])
        self.check_line(both, told)
        self.assertGreater(rgba(both).shape[1], rgba(second).shape[1])
        # The same person by the mouse.
        self.browser.click_at("#photo-box", *self.place(2))
        self.assertEqual(self.lifted(after=told["id"])[0], second)
        self.browser.press(ESCAPE)
        self.browser.wait("return !lifted", "nothing")

    def test_copies_to_the_clipboard(self):
        grant = {"origin": f"http://{self.studio.host}", "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"]}
        self.browser.call("POST", "/goog/cdp/execute", {"cmd": "Browser.grantPermissions", "params": grant})
        self.browser.click_at("#photo-box", *self.place())
        png, _ = self.lifted()
        self.browser.click("#copy-lifted")
        self.browser.wait("return document.getElementById('message').textContent.startsWith('Copied')", "the copy")
        script = """
            return navigator.clipboard.read().then(([item]) => item.getType('image/png')).then((blob) => new Promise((done) => {
                const reader = new FileReader();
                reader.onload = () => done(reader.result.split(',')[1]);
                reader.readAsDataURL(blob);
            }))"""
        pasted, wanted = rgba(base64.b64decode(self.browser.run(script))), rgba(png)
        self.assertTrue((pasted[..., 3] == wanted[..., 3]).all())
        # Browsers keep copied colours multiplied by alpha, in whole numbers.
        error = abs(pasted[..., :3] - wanted[..., :3]) * wanted[..., 3:] / 255
        self.assertLessEqual(error.max(), 1)

    def test_without_a_clipboard_it_saves(self):
        saving = "document.getElementById('save-lifted').onclick = () => { window.saved = true; return false; }"
        self.browser.run("delete window.ClipboardItem; " + saving)
        self.browser.click_at("#photo-box", *self.place())
        png, told = self.lifted()
        self.assertEqual(self.browser.run("return document.getElementById('save-lifted').download"), told["name"])
        self.browser.click("#copy-lifted")
        self.browser.wait("return window.saved", "the download")

    def test_drags_out_a_file(self):
        self.browser.click_at("#photo-box", *self.place())
        png, told = self.lifted()
        script = """
            const data = new DataTransfer();
            document.getElementById('lifted').dispatchEvent(new DragEvent('dragstart', { dataTransfer: data, bubbles: true }));
            return data.getData('DownloadURL')"""
        kind, name, address = self.browser.run(script).split(":", 2)
        self.assertEqual((kind, name), ("image/png", told["name"]))
        host, path = address.removeprefix("http://").split("/", 1)
        self.assertEqual(host, self.studio.host)
        # The address opens this picture without the token, and contains no other secret.
        reply = self.studio.request("GET", "/" + path, headers={"Authorization": ""})
        self.assertEqual((reply.status, reply.text), (200, png))
        for secret in (self.studio.token, self.studio.key):
            self.assertNotIn(secret, address)

    def test_what_was_lifted_rises_and_is_dragged_where_it_is(self):
        place = self.place()
        self.browser.run("document.getElementById('light').animate = function (...given) { window.ran = given; }")
        self.browser.move_to("#photo-box", *place)
        self.browser.wait("return window.ran && document.getElementById('light').width > 0", "the light")
        # Nothing is dragged before it has been lifted.
        self.assertFalse(self.browser.run("return document.getElementById('photo-box').draggable"))
        self.browser.click_at("#photo-box", *place)
        png, told = self.lifted()
        self.assertTrue(self.browser.run("return document.querySelector('#photo-box.risen > #glow') !== null"))
        self.assertTrue(self.browser.run("return document.getElementById('at-hand').checkVisibility()"))
        # Nothing covers the photo, and the bar covers no face.
        clear = "return getComputedStyle(document.querySelector('#parts [aria-pressed=true]')).backgroundColor"
        self.assertEqual(self.browser.run(clear), "rgba(0, 0, 0, 0)")
        box = "const { y, height } = document.getElementById(arguments[0]).getBoundingClientRect(); return [y, height]"
        (top, height), (bar, _) = [self.browser.run(box, name) for name in ("photo-box", "at-hand")]
        self.assertGreater(bar, top + height / 2)
        self.browser.move_to("#photo-box", 0.004, 0.004)
        self.assertFalse(self.browser.run("return document.getElementById('photo-box').draggable"))
        self.browser.move_to("#photo-box", *place)
        self.assertTrue(self.browser.run("return document.getElementById('photo-box').draggable"))
        script = """
            const box = document.getElementById('photo-box'), { left, top, width, height } = box.getBoundingClientRect();
            const dataTransfer = new DataTransfer();
            dataTransfer.setDragImage = (...given) => { window.hung = given; };
            const at = { clientX: left + width * arguments[0], clientY: top + height * arguments[1] };
            box.dispatchEvent(new DragEvent('dragstart', { dataTransfer, bubbles: true, cancelable: true, ...at }));
            const [canvas, x, y] = window.hung, scale = canvas.width / canvas.clientWidth;
            const alpha = [...canvas.getContext('2d').getImageData(x * scale, y * scale, 1, 1).data][3];
            return [dataTransfer.getData('DownloadURL'), canvas.id, alpha]"""
        address, hung, alpha = self.browser.run(script, *place)
        self.assertIn(told["id"], address)
        # What hangs there is the person, by the point that was taken.
        self.assertEqual((hung, alpha), ("carried", 255))
        # Four looks, each another file.
        plain = rgba(png)
        self.assertEqual(self.browser.run("return document.querySelectorAll('#stickers input').length"), 4)
        self.browser.click("#stickers [value='4']")
        sticker, told = self.lifted(after=told["id"])
        self.check_line(sticker, told)
        self.assertIn(" --outline=4", told["line"])
        self.assertGreater(rgba(sticker).shape[1], plain.shape[1])
        self.assertEqual(self.browser.run("return [...document.getElementById('save-here').href.split('id=')].pop()"), told["id"])
        if PICTURES:
            self.browser.screenshot(f"{PICTURES}/photos-lifted.png")
        self.browser.press(ESCAPE)
        self.browser.wait("return document.getElementById('at-hand').hidden", "nothing")
        # A finger that holds lifts; one that moves does not.
        touch = """
            const box = document.getElementById('photo-box'), { left, top, width, height } = box.getBoundingClientRect();
            const at = { pointerType: 'touch', clientX: left + width * arguments[0], clientY: top + height * arguments[1], bubbles: true };
            box.dispatchEvent(new PointerEvent('pointerdown', at));
            if (arguments[2]) box.dispatchEvent(new PointerEvent('pointermove', { ...at, movementX: 30 }));
            return new Promise((done) => setTimeout(() => done(picked.size), 700))"""
        self.assertEqual([self.browser.run(touch, *place, moves) for moves in (True, False)], [0, 1])

    def test_every_look_is_that_of_its_line(self):
        self.browser.click_at("#photo-box", *self.place())
        png, told = self.lifted()
        photo = rgba(pathlib.Path(PORTRAIT).read_bytes())

        def change(script):
            nonlocal png, told
            self.browser.run(script)
            png, told = self.lifted(after=told["id"])
            self.check_line(png, told)
            return rgba(png)

        def slide(name, value):
            item = f"const item = document.getElementById('{name}'); item.value = {value};"
            return item + "item.dispatchEvent(new Event('input', { bubbles: true }));"

        plain = rgba(png)
        sticker = change(slide("sticker", 4))
        self.assertTrue(sticker.shape[0] > plain.shape[0] and sticker.shape[1] > plain.shape[1])
        placed = change("document.getElementById('place').click()")
        self.assertEqual(placed.shape, photo.shape)
        certain = placed[..., 3] == 255
        # Where there is no outline, the pixels are the photo's.
        self.assertGreater((abs(placed - photo)[certain][:, :3].max(axis=1) == 0).mean(), 0.8)
        change(slide("sticker", 0))
        blurred = change("document.querySelector('#behind .behind-original').click();" + slide("behind-blur", 60))
        self.assertEqual(blurred.shape, photo.shape)
        self.assertTrue((blurred[..., 3] == 255).all())
        coloured = change("document.querySelector('#behind .behind-color').click();" + slide("shadow", 0.6))
        self.assertLess(abs(coloured[2, 2, :3] - [0, 0xB1, 0x40]).max(), 3)
        change("document.querySelector('#behind button:last-child').click()")
        change(slide("sticker", 2))

    def test_a_photo_is_added_and_closed(self):
        count = len(self.studio.get("/settings")["photos"])
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PORTRAIT, f"{folder}/dropped.png")
            self.browser.type("#photo-file", path)
            self.browser.wait("return photo.name === 'dropped.png' && found && document.getElementById('photo').naturalWidth", "the photo")
            self.browser.click_at("#photo-box", *self.place())
            png, told = self.lifted()
            # The browser tells no folder, so the line is for the photo's own.
            words = shlex.split(told["line"])
            self.assertEqual(words[2:4], ["dropped.png", "dropped-lifted.png"])
            subprocess.run([TOOL, *words[1:]], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(pathlib.Path(folder, "dropped-lifted.png").read_bytes(), png)
        self.browser.click("#close-photo")
        self.browser.wait("return photo.name === 'a portrait.png'", "the photo before")
        self.assertEqual(len(self.studio.get("/settings")["photos"]), count)
        # Nothing was written.
        self.assertFalse(os.path.exists(f"{self.studio.folder.name}/data/gst-people/backgrounds"))

    def test_coarse_outlines_come_first(self):
        # Something is picked as soon as there is an outline, and stays picked.
        self.browser.run("""
            window.seen = [];
            const shown = showFound;
            showFound = (result, kept) => {
                shown(result, kept);
                if (!result) return;
                seen.push(result.isCoarse);
                if (result.isCoarse) pick(1, false);
            }""")
        with tempfile.TemporaryDirectory() as folder:
            path = shutil.copy(PORTRAIT, f"{folder}/dropped.png")
            self.browser.type("#photo-file", path)
            self.browser.wait("return photo.name === 'dropped.png' && found && !found.isCoarse", "the photo")
            self.assertEqual(self.browser.run("return seen"), [True, False])
            self.assertEqual(self.browser.run("return document.getElementById('progress').hidden"), True)
            png, told = self.lifted()
            self.assertEqual(self.browser.run("return picked.size"), 1)
            words = shlex.split(told["line"])
            subprocess.run([TOOL, *words[1:]], cwd=folder, check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(pathlib.Path(folder, "dropped-lifted.png").read_bytes(), png)
        self.browser.click("#close-photo")

    def test_what_is_no_photo_is_refused(self):
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            file.write(b"no picture")
            file.flush()
            self.browser.type("#photo-file", file.name)
            self.browser.wait("return document.getElementById('fault').textContent.includes('no picture')", "the reason")
        self.browser.click("#close-photo")

    def test_requests_keep_to_their_limits(self):
        studio = self.studio
        self.assertEqual(studio.request("GET", "/photo?id=1", headers={"Authorization": ""}).status, 401)
        self.assertEqual(studio.request("GET", f"/photo?id=1&key={studio.key}", headers={"Authorization": ""}).status, 200)
        self.assertEqual(studio.request("GET", f"/people?id=1&key={studio.key}", headers={"Authorization": ""}).status, 401)
        self.assertEqual(studio.request("GET", "/lifted?id=0", headers={"Authorization": ""}).status, 404)
        self.assertEqual(studio.request("GET", "/photo?id=1000").status, 404)
        kind = {"Content-Type": "application/octet-stream"}
        self.assertEqual(studio.request("POST", "/photos?name=a.png", bytes(33 << 20), kind).status, 413)
        files = [{"model": "/etc/passwd"}, {"stickers": "/tmp"}, {"background": "/etc/passwd"}]
        for options in [*files, {"force": True}, {"instance": []}, []]:
            self.assertEqual(studio.post("/lift", {"id": 1, "options": options}).status, 400, options)
        reply = studio.post("/lift", {"id": 1, "options": {"blur": "much"}})
        self.assertEqual(reply.status, 400)
        self.assertNotIn(b"--help", reply.text)
        self.assertEqual(studio.post("/lift", {"id": 1, "options": {"instance": "99"}}).status, 409)

    def listed_bodies(self):
        """The bodies of the portrait, as the tool lists them, and its height by its width."""
        listed = subprocess.run([TOOL, "bodies", "--pose-3d", PORTRAIT], capture_output=True, check=True).stdout
        height, width = rgba(pathlib.Path(PORTRAIT).read_bytes()).shape[:2]
        return json.loads(listed)["bodies"], height / width

    def drag(self, x, y):
        """Drags the middle of the photo so many pixels."""
        way = {"type": "pointerMove", "duration": 100, "origin": "pointer", "x": x, "y": y}
        self.browser.move_to("#photo-box", 0.5, 0.5, {"type": "pointerDown", "button": 0}, way, {"type": "pointerUp", "button": 0})

    def joints_seen(self):
        """Where the joints are drawn, in pixels of a picture that is 640 pixels wide."""
        script = """
            const scale = 640 / document.getElementById("plane").clientWidth;
            return Object.fromEntries(scene.joints.map(({ key, place }) => [key, onScreen(place).map((x) => scale * x)]))"""
        return self.browser.run(script)

    def test_the_camera_sees_bodies_where_the_picture_has_them(self):
        self.show(self.browser, content="bodies")
        bodies, ratio = self.listed_bodies()
        from_aside = self.joints_seen()
        self.browser.click("#as-camera")
        compared = 0
        for name, (x, y) in self.joints_seen().items():
            number, joint = name.split(" ")
            if place := bodies[int(number) - 1]["joints"].get(joint):
                distance = numpy.hypot(x - 640 * place[0], y - 640 * ratio * place[1])
                self.assertLess(distance, 2, name)
                self.assertGreater(numpy.hypot(*numpy.subtract(from_aside[name], (x, y))), 2, name)
                compared += 1
        self.assertEqual(compared, 13 * len(bodies))
        # So is the picture.
        edges = "const box = document.getElementById(arguments[0]).getBoundingClientRect(); return [box.x, box.y, box.right, box.bottom]"
        self.assertLess(numpy.abs(numpy.subtract(self.browser.run(edges, "plane"), self.browser.run(edges, "photo-box"))).max(), 1)
        script = """
            const small = new OffscreenCanvas(64, 64).getContext("2d");
            small.drawImage(document.getElementById(arguments[0]), 0, 0, 64, 64);
            return [...small.getImageData(0, 0, 64, 64).data]"""
        self.assertLess(numpy.abs(numpy.subtract(self.browser.run(script, "plane"), self.browser.run(script, "photo"))).mean(), 6)

    def test_bodies_are_turned(self):
        self.show(self.browser, content="bodies")
        before, eye = self.joints_seen(), self.browser.run("return { ...eye }")
        self.drag(60, 0)
        turned = self.browser.run("return { ...eye }")
        self.assertGreater(turned["yaw"], eye["yaw"])
        self.assertEqual(turned["pitch"], eye["pitch"])
        self.assertNotEqual(self.joints_seen(), before)
        # A drag chooses nothing, and lifts nothing.
        self.assertEqual(self.browser.run("return [chosen.length, picked.size]"), [0, 0])
        place = {"origin": {ELEMENT: self.browser.find("#space")}, "x": 0, "y": 0}
        scroll = {"type": "scroll", "duration": 0, "deltaX": 0, "deltaY": -200, **place}
        self.browser.call("POST", "/actions", {"actions": [{"type": "wheel", "id": "wheel", "actions": [scroll]}]})
        self.browser.wait(f"return eye.zoom > {turned['zoom']}", "the nearer view")
        # The same by the keyboard.
        self.browser.run("document.getElementById('joints').focus()")
        self.browser.press(RIGHT)
        self.browser.press(DOWN)
        self.browser.press("-")
        self.assertTrue(self.browser.run(f"return eye.yaw > {turned['yaw']} && eye.pitch > {turned['pitch']}"))
        self.browser.press(HOME)
        self.assertEqual(self.browser.run("return { ...eye }"), {"yaw": 0, "pitch": 0, "zoom": 1})
        # The End key of the slider: as near as it goes.
        self.browser.type("#near", "\ue010")
        self.assertGreater(self.browser.run("return eye.zoom"), 9)

    def test_bodies_are_measured(self):
        self.show(self.browser, content="bodies")
        body = self.listed_bodies()[0][0]
        hip, knee, ankle = (numpy.array(body["joints-3d"][f"left-{name}"]) for name in ("hip", "knee", "ankle"))
        measures = "return document.getElementById('measures').textContent"
        self.assertIn(f"Sizes are those of people {body['body-height']:.2f} m tall", self.browser.run(measures))
        self.browser.click("#as-camera")
        self.browser.run("document.querySelector('[aria-label=\"Left knee\"]').focus()")
        self.browser.press(ENTER)
        upper, lower = hip - knee, ankle - knee
        angle = numpy.degrees(numpy.arccos(upper @ lower / numpy.linalg.norm(upper) / numpy.linalg.norm(lower)))
        told = self.browser.run(measures)
        self.assertAlmostEqual(float(re.search(r"Left knee: (\d+)°", told).group(1)), angle, delta=0.7)
        self.browser.run("document.querySelector('[aria-label=\"Left hip\"]').click()")
        told = self.browser.run(measures)
        self.assertAlmostEqual(float(re.search(r"Distance: ([\d.]+) m", told).group(1)), numpy.linalg.norm(upper), delta=0.006)

    def test_guessed_legs_fade_and_the_view_is_reset(self):
        self.show(self.browser, content="bodies")
        joints = self.listed_bodies()[0][0]["joints"]
        told = self.browser.run("return Object.fromEntries(scene.joints.map(({ key, isGuessed }) => [key.split(' ')[1], isGuessed]))")
        for name in ("left-shoulder", "right-shoulder", "left-ankle", "right-ankle"):
            self.assertEqual(told[name], joints.get(name, [0, 0, 0])[2] < 0.5, name)
        # The portrait ends above the knees.
        self.assertTrue(told["left-ankle"] and not told["left-shoulder"])
        strength = "return getComputedStyle(document.querySelector(`[aria-label=\"${arguments[0]}\"]`), '::before').opacity"
        self.assertEqual([self.browser.run(strength, name) for name in ("Left ankle", "Left shoulder")], ["0.4", "1"])
        sizes = "return [...document.querySelectorAll('#joints button')].map((dot) => Math.min(dot.offsetWidth, dot.offsetHeight))"
        self.assertGreaterEqual(min(self.browser.run(sizes)), 24)
        before = self.browser.run("return { ...eye }")
        self.drag(60, 30)
        self.browser.run("choose('1 left-shoulder')")
        self.browser.click("#from-aside")
        self.assertEqual(self.browser.run("return [{ ...eye }, chosen.length]"), [before, 0])

    def test_bodies_of_which_little_is_seen_are_left_out(self):
        self.show(self.browser, content="bodies")
        script = """
            const gltf = JSON.parse(scene.text);
            let kept = 2;
            const joints = gltf.nodes.filter(({ extras }) => extras?.confidence !== undefined);
            for (const { extras } of joints) extras.confidence = kept-- > arguments[0] ? 0.9 : 0.1;
            return readScene(JSON.stringify(gltf)).bodies.length"""
        self.assertEqual([self.browser.run(script, unseen) for unseen in (0, 1)], [1, 0])

    def test_bodies_are_saved_as_the_tool_does(self):
        self.show(self.browser, content="bodies")
        script = """
            const { createObjectURL } = URL;
            const blob = new Promise((done) => {
                URL.createObjectURL = (blob) => {
                    done(blob.text());
                    return createObjectURL.call(URL, blob);
                };
            });
            document.getElementById("save-scene").click();
            return blob"""
        saved = self.browser.run(script).encode()
        with tempfile.TemporaryDirectory() as folder:
            subprocess.run([TOOL, "bodies", PORTRAIT, "--gltf", f"{folder}/a.gltf"], check=True, stdout=subprocess.DEVNULL)
            self.assertEqual(saved, pathlib.Path(folder, "a.gltf").read_bytes())
        # Nothing else has it without the token.
        for head in ({"Authorization": ""}, {"Authorization": f"Bearer {self.studio.key}"}):
            self.assertEqual(self.studio.request("GET", f"/bodies?id=1&key={self.studio.key}", headers=head).status, 401)

    def test_a_photo_of_nobody_is_shown_in_space(self):
        with tempfile.NamedTemporaryFile(suffix=".png") as file:
            line = "videotestsrc pattern=gradient num-buffers=1 ! video/x-raw,width=320,height=200 ! pngenc"
            subprocess.run(f"gst-launch-1.0 -q {line} ! filesink location={file.name}", shell=True, check=True)
            self.browser.type("#photo-file", file.name)
            self.browser.wait("return found", "the photo")
        self.browser.click("#contents [value=bodies]")
        self.browser.wait("return document.getElementById('measures').textContent.startsWith('Nobody')", "the answer")
        self.assertTrue(self.browser.run("return document.getElementById('save-scene').disabled"))
        self.browser.click("#close-photo")

    def test_the_camera_starts_when_it_is_asked_for(self):
        studio = Studio(f"--source={STILL}", "--color=ff0000", PORTRAIT)
        try:
            status = studio.get("/settings")["status"]
            self.assertEqual((status["live"], status["problem"], status["rate"]), (False, None, None))
            self.browser.open(studio.address)
            self.browser.wait("return document.body.dataset.ready", "the page")
            self.browser.click("#modes [value=live]")
            self.browser.wait("return document.getElementById('picture').width", "the camera's picture")
            self.assertTrue(studio.get("/settings")["status"]["live"])
        finally:
            studio.close()

    def check_looks(self, browser, width):
        self.assertLessEqual(browser.run("return document.documentElement.scrollWidth"), width)
        self.assertEqual([(text, ratio) for text, ratio in browser.run(CONTRASTS) if ratio < 4.5], [])
        self.assertEqual(browser.run(NAMELESS), [])

    def test_fits_every_screen(self):
        for width, height in [(1440, 900), (1024, 768), (390, 844)]:
            for dark in (False, True):
                browser = Browser(width, height, dark=dark)
                try:
                    self.show(browser, content="bodies")
                    browser.run("choose('1 left-shoulder'); choose('1 right-wrist')")
                    self.check_looks(browser, width)
                    if PICTURES:
                        browser.screenshot(f"{PICTURES}/bodies-{width}-{'dark' if dark else 'light'}.png")
                    self.show(browser)
                    browser.run("document.querySelector('#parts button').click()")
                    self.lifted(browser)
                    browser.wait("return document.getElementById('lifted').naturalWidth", "the picture")
                    self.assertTrue(browser.run("return document.querySelector('#photo-box.lit') !== null"))
                    self.check_looks(browser, width)
                    if PICTURES:
                        browser.screenshot(f"{PICTURES}/photos-{width}-{'dark' if dark else 'light'}.png")
                finally:
                    browser.close()


if __name__ == "__main__":
    unittest.main()
