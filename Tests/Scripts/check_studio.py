"""Checks what `gst-people studio` answers, without a browser. STUDIO_TOOL and STUDIO_PORTRAIT name the tool and a portrait."""

import base64
import concurrent.futures
import hmac
import http.client
import json
import os
import random
import re
import socket
import stat
import struct
import subprocess
import tempfile
import unittest
import zlib

import numpy
from studio_client import PATIENCE, PORTRAIT, STILL, TOOL, Gst, Studio, Viewer, pixels

RED = 0xFFFF0000


def image(width, height):
    """A PNG."""
    file = subprocess.run(
        f"gst-launch-1.0 -q videotestsrc num-buffers=1 ! video/x-raw,width={width},height={height} ! pngenc ! fdsink",
        shell=True, capture_output=True, check=True)
    return file.stdout


def is_green(image):
    return abs(image.mean(axis=(0, 1)) - [0, 255, 0]).max() < 24


def black(side):
    """A black PNG in RGB."""
    packer = zlib.compressobj(1)
    data = b"".join([*(packer.compress(bytes(1 + 3 * side)) for _ in range(side)), packer.flush()])
    parts = [(b"IHDR", struct.pack(">IIBBBBB", side, side, 8, 2, 0, 0, 0)), (b"IDAT", data), (b"IEND", b"")]
    chunks = [struct.pack(">I", len(part)) + name + part + struct.pack(">I", zlib.crc32(name + part)) for name, part in parts]
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


class Requests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.studio = Studio(f"--source={STILL}", "--color=ff0000")

    @classmethod
    def tearDownClass(cls):
        output = cls.studio.output()
        assert cls.studio.close() == 0, output

    def status(self, method="GET", path="/", body=None, **headers):
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        return self.studio.request(method, path, body, named).status

    def test_only_this_machine_reaches_it(self):
        with open("/proc/net/tcp") as file:
            sockets = [line.split() for line in file][1:]
        with open("/proc/net/tcp6") as file:
            sockets += [line.split() for line in file][1:]
        port = f":{self.studio.port:04X}"
        listening = {fields[1] for fields in sockets if fields[1].endswith(port) and fields[3] == "0A"}
        self.assertEqual(listening, {f"0100007F{port}"})

    def test_the_token_is_in_no_request_of_a_browsers_own(self):
        address, _, fragment = self.studio.next_address.partition("#")
        self.assertEqual(address, f"http://{self.studio.host}/")
        self.assertRegex(fragment, r"^code=[0-9a-f]{40}$")
        self.assertNotIn(self.studio.token, fragment)
        for path in ["/", "/studio.js", "/studio.css", "/icon.svg"]:
            reply = self.studio.request("GET", path, headers={"Authorization": ""})
            self.assertEqual(reply.status, 200, path)
            self.assertIsNone(reply.headers["Set-Cookie"])
            self.assertFalse({self.studio.token.encode(), self.studio.key.encode()} & set(re.findall(rb"[0-9a-f]{32}", reply.text)))
        other = Studio(f"--source={STILL}", "--color=ff0000")
        self.assertEqual(len({other.token, other.key, self.studio.token, self.studio.key}), 4)
        self.assertEqual(other.close(), 0)

    def exchanged(self, code, **head):
        reply = self.studio.request("POST", "/session", json.dumps({"code": code}), {
            "Content-Type": "application/json", "Authorization": "", **head})  # fmt: skip
        if reply.status != 200:
            return reply.status
        self.studio.used.update(re.findall(rf"http://\S+={code}", self.studio.output()))
        return json.loads(reply.text).get("token")

    def test_a_code_works_once(self):
        code = self.studio.next_address.partition("=")[2]
        self.assertEqual(self.exchanged(code[:-1] + ("0" if code[-1] != "0" else "1")), 401)
        self.assertEqual(self.exchanged(code, Origin="http://127.0.0.1:1"), 403)
        self.assertEqual(self.exchanged(code), self.studio.token)
        self.assertEqual(self.exchanged(code), 401)
        # Another one is printed; one that a page has left works once, too.
        self.assertNotEqual(self.studio.next_address.partition("=")[2], code)
        left = "0123456789" * 4
        self.assertEqual(self.exchanged(left), 401)
        self.assertEqual(self.studio.post("/leave", {"code": left}).status, 200)
        self.assertEqual([self.exchanged(left), self.exchanged(left)], [self.studio.token, 401])
        for wrong in ["", "0" * 39, "0" * 41, "x" * 40, "A" * 40]:
            self.studio.post("/leave", {"code": wrong})
            self.assertEqual(self.exchanged(wrong), 401, wrong)
        self.assertEqual(self.status("POST", "/leave", '{"code": "1"}', Content_Type="application/json", Authorization=""), 401)

    def test_the_program_proves_that_it_knows_the_secrets(self):
        code = self.studio.next_address.partition("=")[2]
        nonce = "0123456789abcdef" * 2
        for name, secret in [("session", self.studio.token), (code[:8], code[8:])]:
            reply = self.studio.request("GET", f"/proof?name={name}&nonce={nonce}", headers={"Authorization": ""})
            expected = hmac.new(secret.encode(), nonce.encode(), "sha256").hexdigest()
            self.assertEqual((reply.status, reply.text.decode()), (200, expected))
        for query in ["", "name=session", f"name=00000000&nonce={nonce}", "name=session&nonce=0", f"name=session&nonce={'0' * 65}",
                      "name=session&nonce=xxxxxxxxxxxxxxxxxxxx"]:  # fmt: skip
            self.assertEqual(self.status(path=f"/proof?{query}", Authorization=""), 404, query)

    def wait_until_gone(self, viewer):
        self.studio.wait(lambda: not viewer.is_connected(), "the end of the connection")
        # The server looks for viewers that are gone after each of the requests.
        for _ in range(2):
            self.studio.get("/settings")

    def test_a_view_begins_with_a_new_picture(self):
        """Not with the last one of those who watched it before."""
        for color, channel in [(0xFF00FF00, 1), (0xFF0000FF, 2)]:
            with self.studio.watch() as viewer:
                viewer.next()
            self.wait_until_gone(viewer)
            with self.studio.watch("result&width=960") as other:
                self.studio.set(blendmask__background_color=color, blendmask__background_source="color")
                self.studio.wait(lambda: pixels(other.newest())[5, 5].argmax() == channel, "the colour")  # noqa: B023
                for _ in range(20):
                    other.newest()
            self.wait_until_gone(other)
            with self.studio.watch() as viewer:
                self.assertEqual(pixels(viewer.next())[5, 5].argmax(), channel)

    def test_without_the_token_nothing_is_shown(self):
        key, token = self.studio.key, self.studio.token
        secret = {"Authorization": ""}
        wrong = [secret, {"Authorization": f"Bearer {'0' * 32}"}, {"Authorization": "Bearer "}, {"Authorization": token},
                 {"Authorization": f"Bearer {key}"}, {"Authorization": "", "Cookie": f"gst-people-{self.studio.port}={token}"}]  # fmt: skip
        for head in wrong:
            view = "/stream?view=result"
            for path in ["/settings", "/lines", "/events", view, f"{view}&key={token}", "/nothing", "/background?name=a.png"]:
                with self.subTest(path=path, head=head):
                    self.assertEqual(self.status(path=path, **head), 401)
            self.assertEqual(self.status("POST", "/settings", "{}", Content_Type="application/json", **head), 401)
        # What opens pictures and events opens nothing else.
        for path in [f"/settings?key={key}", f"/lines?key={key}", f"/nothing?key={key}"]:
            self.assertEqual(self.status(path=path, **secret), 401)
        for path in ["/settings", "/actions", "/events", "/backgrounds"]:
            self.assertEqual(self.status("POST", f"{path}?key={key}", "{}", Content_Type="application/json", **secret), 401)
        self.assertEqual(self.status(path=f"/background?name=no.png&key={key}", **secret), 404)

    def test_other_names_and_pages_are_refused(self):
        port = self.studio.port
        for host in ["example.org", f"example.org:{port}", "127.0.0.1", f"127.0.0.1:{port + 1}", f"[::1]:{port}", f"localhost:{port}"]:
            self.assertEqual(self.status(Host=host), 421, host)
        for origin in ["http://example.org", "null", f"http://127.0.0.1:{port + 1}", f"https://{self.studio.host}", "x"]:
            self.assertEqual(self.status(Origin=origin), 403, origin)
            posted = {"Content_Type": "application/json", "Origin": origin}
            self.assertEqual(self.status("POST", "/settings", "{}", **posted), 403, origin)
        self.assertEqual(self.status("POST", "/settings", "{}", Content_Type="application/json", Origin=""), 403)

    def test_bodies_are_limited(self):
        kind = {"Content_Type": "application/json"}
        self.assertEqual(self.status("POST", "/settings", "x" * (1 << 17), **kind), 413)
        # Nobody waits for bodies without an end.
        for field, status in [("Transfer-Encoding: chunked", 411), ("Content-Length: -1", 411), ("Content-Length: 9" + "9" * 15, 413)]:
            with socket.create_connection(("127.0.0.1", self.studio.port), timeout=PATIENCE) as sent:
                head = f"POST /settings HTTP/1.1\r\nHost: {self.studio.host}\r\nAuthorization: {self.studio.secret}\r\n"
                sent.sendall(f"{head}Origin: http://{self.studio.host}\r\n{field}\r\n\r\n".encode())
                self.assertTrue(sent.recv(100).startswith(f"HTTP/1.1 {status} ".encode()), field)
        self.assertEqual(self.status("POST", "/settings", "{}", Content_Type="text/plain"), 415)
        self.assertEqual(self.status("GET", "/", "body"), 400)
        for method in ["HEAD", "PUT", "DELETE", "OPTIONS", "TRACE", "PATCH"]:
            self.assertEqual(self.status(method), 405, method)

    def test_pages_are_protected(self):
        reply = self.studio.request("GET", "/")
        policy = reply.headers["Content-Security-Policy"]
        self.assertIn("default-src 'none'", policy)
        self.assertNotIn("unsafe", policy)
        self.assertEqual(reply.headers["X-Content-Type-Options"], "nosniff")
        self.assertIn(b"<noscript>", reply.text)
        for path in ["/", "/studio.js", "/studio.css"]:
            text = self.studio.request("GET", path).text.decode()
            self.assertIsNone(re.search(r"https?://|//[a-z]+\.[a-z]|\son[a-z]+=\"|style=\"", text), path)

    def test_settings_keep_to_their_ranges(self):
        before = self.studio.get("/settings")["values"]
        wrong = [
            {"blendmask.blur": 101}, {"blendmask.blur": -1}, {"blendmask.blur": "1"}, {"blendmask.blur": None},
            {"blendmask.background-fit": "no"}, {"blendmask.background-source": "transparent"},
            {"blendmask.no-mask": "pass"}, {"blendmask.max-mask-age": 1}, {"personsegment.model-path": "/etc/passwd"},
            {"blendmask.background": "/etc/passwd"}, {"blendmask.background": "../../etc/passwd"},
            {"blendmask.background-color": 1 << 32}, {"blendmask.instances-at": "2,2"}, {"blendmask.instances": "1;2"},
            {"personsegment.max-instances": 1.5}, {"blendmask.invert": 1}, {"no.thing": 1}, {"blendmask": 1}, [], 1,
            {"blendmask.blur": 5, "blendmask.exposure": 99},
        ]  # fmt: skip
        for value in wrong:
            self.assertEqual(self.studio.post("/settings", value).status, 400, value)
        self.assertEqual(self.studio.get("/settings")["values"], before)

    def test_every_setting_can_be_set(self):
        page = self.studio.get("/settings")
        settings = [setting for group in page["groups"] for setting in group["settings"]]
        self.assertGreater(len(settings), 20)
        for setting in settings:
            self.assertTrue(setting["summary"] and setting["label"], setting)
            kind = setting["kind"]
            values = {"flag": [True, False], "color": [0xFF102030], "choice": setting.get("words")}.get(kind)
            # Levels take their time to load.
            values = ["fast"] if setting["key"] == "personsegment.quality" else values
            for value in values or [setting["minimum"], setting["maximum"]]:
                self.assertEqual(self.studio.post("/settings", {setting["key"]: value}).status, 200, setting)
                self.assertEqual(self.studio.get("/settings")["values"][setting["key"]], value)
            self.studio.post("/settings", {setting["key"]: page["values"][setting["key"]]})
        with self.studio.watch() as viewer:
            viewer.next()
        self.assertIsNone(self.studio.process.poll())

    def test_the_raw_picture_is_shown_to_nobody(self):
        self.assertEqual(self.status(path="/stream?view=original"), 404)
        page = self.studio.get("/settings")
        self.assertNotIn("original", page["views"])
        self.assertNotIn("blendmask.invert", [setting["key"] for group in page["groups"] for setting in group["settings"]])
        sharp = [
            {"blendmask.background-source": "original"}, {"blendmask.background-source": "original", "blendmask.blur": 0},
            {"blendmask.invert": True}, {"blendmask.background-source": "auto", "blendmask.exposure": -1},
            {"blendmask.background-source": "auto", "blendmask.desaturate": 1},
        ]  # fmt: skip
        for change in sharp:
            self.assertEqual(self.studio.post("/settings", change).status, 403, change)
        self.assertEqual(self.studio.get("/settings")["values"], page["values"])
        self.studio.set(blendmask__background_source="original", blendmask__blur=30)
        self.assertEqual(self.studio.post("/settings", {"blendmask.blur": 0}).status, 403)
        self.studio.set(blendmask__background_source="color", blendmask__blur=0)
        folder = f"{self.studio.folder.name}/config/gst-people/presets"
        os.makedirs(folder, exist_ok=True)
        with open(f"{folder}/open.ini", "w") as file:
            file.write("[blendmask]\nbackground-source=original\n")
        self.assertEqual(self.studio.do("load-preset", name="open").status, 409)
        os.remove(f"{folder}/open.ini")
        for option in ["--original", "--exposure=-1", "--invert"]:
            result = subprocess.run([TOOL, "studio", f"--source={STILL}", option], capture_output=True, text=True)
            self.assertEqual(result.returncode, 2, option + result.stderr)
            self.assertIn("--show-original", result.stderr)

    def test_uploads_are_checked(self):
        def upload(name, content):
            return self.studio.request("POST", f"/backgrounds?name={name}", content, {"Content-Type": "image/png"})

        self.assertEqual(upload("no.png", b"not a picture").status, 400)
        self.assertEqual(upload("page.html", image(8, 8)).status, 400)
        # A small file of very many pixels.
        bomb = base64.b64decode(
            "iVBORw0KGgoAAAANSUhEUgAA//8AAP//CAYAAAD1PzkHAAAACklEQVR4nGMAAQAABQABDQottAAAAABJRU5ErkJggg==")
        self.assertEqual(upload("bomb.png", bomb).status, 400)
        self.assertEqual(upload("x" * 10 + ".png", b"x" * (33 << 20)).status, 413)
        reply = upload("../../good%20one.png", image(64, 36))
        name = json.loads(reply.text)["name"]
        self.assertEqual(name, "good one.png")
        folder = f"{self.studio.folder.name}/data/gst-people/backgrounds"
        self.assertEqual(os.listdir(folder), [name])
        self.assertEqual(upload("good%20one.png", image(64, 36)).status, 400)
        self.assertEqual(self.studio.request("GET", "/background?name=good%20one.png").text, image(64, 36))
        for wrong in ["../good", "/etc/passwd", "", ".good%20one.png", "good"]:
            self.assertEqual(self.status(path=f"/background?name={wrong}"), 404)
        self.studio.set(blendmask__background=name, blendmask__background_source="auto")
        with self.studio.watch() as viewer:
            for _ in range(300):
                frame = pixels(viewer.next())
                # The test picture's first bar is light grey, and red is gone.
                if abs(frame[:150, :40] - frame[:150, :40].mean(axis=2, keepdims=True)).max() < 24:
                    break
            else:
                self.fail("the background is not shown")
        self.studio.set(blendmask__background_source="color")

    def test_changes_are_seen_at_once(self):
        with self.studio.watch() as viewer:
            waits = []
            for color in (RED, 0xFF0000FF) * 3:
                viewer.newest()
                self.studio.set(blendmask__background_color=color, blendmask__background_source="color")
                wanted = [color >> 16 & 255, color >> 8 & 255, color & 255]
                viewer.drop()
                for count in range(300):
                    if abs(pixels(viewer.next())[20:40, 20:40].mean(axis=(0, 1)) - wanted).max() < 24:
                        waits.append(count)
                        break
        # Frames may wait for a busy reader; one may be in the encoder, and one in the making.
        self.assertEqual(len(waits), 6, waits)
        self.assertLessEqual(min(waits), 2, waits)

    def test_viewers_come_and_go(self):
        viewers = [Viewer(self.studio, view) for view in ("result", "result", "mask")]
        frames = [pixels(viewer.next()) for viewer in viewers]
        self.assertEqual({frame.shape for frame in frames}, {(360, 640, 3)})
        # A mask has no colours.
        self.assertLess(numpy.ptp(frames[2], axis=2).max(), 30)
        viewers[0].__exit__()
        for _ in range(30):
            viewers[1].next()
        # One that reads nothing holds up nobody.
        with socket.create_connection(("127.0.0.1", self.studio.port)) as lazy:
            lazy.sendall(f"GET /stream?view=result&key={self.studio.key} HTTP/1.1\r\nHost: {self.studio.host}\r\n\r\n".encode())
            for _ in range(60):
                viewers[1].next()
        for viewer in viewers[1:]:
            viewer.__exit__()
        self.assertEqual(self.status(), 200)

    def test_made_up_requests_give_4xx_and_nothing_else(self):
        before = self.studio.get("/settings")["values"]
        chance = random.Random(7)
        seen = {}
        for number in range(10_000):
            method, path, headers, body = self.made_up(chance)
            connection = http.client.HTTPConnection("127.0.0.1", self.studio.port, timeout=PATIENCE)
            try:
                connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
                for name, value in headers.items():
                    connection.putheader(name, value)
                connection.endheaders(body)
                reply = connection.getresponse()
                reply.read()
                status = reply.status
            except (ConnectionError, http.client.HTTPException):
                # The server had answered, and closed, before all was sent.
                status = "closed"
            connection.close()
            self.assertTrue(status == "closed" or 400 <= status < 500, (number, method, path, headers, body, status))
            seen[status] = seen.get(status, 0) + 1
        self.assertGreater(len(seen), 5, seen)
        self.assertLess(seen.get("closed", 0), 500, seen)
        self.assertEqual(self.studio.get("/settings")["values"], before)
        with self.studio.watch() as viewer:
            viewer.next()

    def made_up(self, chance):
        """A request with something wrong in it."""
        host = self.studio.host
        word = "".join(chance.choice("abcXYZ019._-%~/=&") for _ in range(chance.randrange(1, 40)))
        method = chance.choice(["GET", "POST", "PUT", "DELETE", "OPTIONS", "BREW", "HEAD"])
        path = chance.choice(["/settings", "/actions", "/backgrounds?name=a.png", "/stream?view=", "/background?name=", "/" + word])
        headers = {"Host": host, "Authorization": self.studio.secret, "Origin": f"http://{host}", "Content-Type": "application/json"}
        body = chance.choice([
            b"", b"{", b"[1]", b'{"action":"%s"}' % word.encode(), b'{"blendmask.blur":1e999}', bytes(chance.randbytes(60)),
            b'{"%s":1}' % word.encode(), b'{"blendmask.blur":101}', b"[" * 60,
        ])  # fmt: skip
        if method == "GET":
            path = chance.choice(["/stream?view=" + word, "/background?name=" + word, "/x" + word, "/settings/" + word])
            body = None if chance.random() < 0.5 else body
        for _ in range(chance.randrange(3)):
            name = chance.choice(list(headers))
            headers[name] = chance.choice(["", word, headers[name] + word, "\xff" * 9, "x" * 5000])
        if method in ("GET", "POST") and body is not None and chance.random() < 0.9:
            headers["Content-Length"] = str(len(body))
        elif body is not None and method != "GET":
            headers["Content-Length"] = chance.choice([str(len(body)), "-1", "x" + word])
        return method, path, headers, body


class Keeping(unittest.TestCase):
    def studio(self, *arguments):
        studio = Studio(*arguments)
        self.addCleanup(studio.close)
        return studio

    def look(self, studio):
        """A look that is not the default one."""
        studio.set(
            blendmask__background_source="original", blendmask__blur=30.0, blendmask__exposure=-0.5,
            blendmask__halo_width=1.5, blendmask__halo_color=0xFF20C0FF, personsegment__feather=2.0,
            personsegment__expand=1.0, camera__mirror=True)  # fmt: skip

    def run_line(self, line, environment):
        """The last of some frames that a command writes into numbered files."""
        with tempfile.TemporaryDirectory() as folder:
            sink = f"videoscale ! videoconvert ! jpegenc quality=80 ! identity eos-after=45 ! multifilesink location={folder}/%03d.jpg"
            subprocess.run(line(sink), shell=True, check=True, env=environment, timeout=PATIENCE)
            with open(f"{folder}/{max(os.listdir(folder))}", "rb") as file:
                return pixels(file.read())

    def assert_alike(self, one, other):
        self.assertEqual(one.shape, other.shape)
        self.assertLess(abs(one - other).mean(), 1.0)

    def test_the_copied_line_gives_the_same_picture(self):
        studio = self.studio(f"--source={STILL}")
        plain = studio.settled()
        self.look(studio)
        shown = studio.settled()
        self.assertGreater(abs(shown - plain).mean(), 5)
        lines = studio.get("/lines")
        self.assertEqual(lines["left"], [])
        launch = self.run_line(lambda sink: lines["launch"].replace("autovideosink sync=false", sink), studio.environment)
        self.assert_alike(launch, shown)
        command = lines["command"].replace("gst-people ", TOOL + " ", 1)
        self.assert_alike(self.run_line(lambda sink: f"{command} --sink='{sink}'", studio.environment), shown)

        def python(sink):
            text = lines["python"].replace("autovideosink sync=false", sink)
            return f"/usr/bin/python3 - <<'END'\n{text}\nEND\n"

        self.assert_alike(self.run_line(python, studio.environment), shown)
        failing = lines["python"].replace("autovideosink sync=false", "identity error-after=1 ! fakesink")
        words = ["/usr/bin/python3", "-c", failing]
        done = subprocess.run(words, env=studio.environment, capture_output=True, text=True, timeout=PATIENCE)
        self.assertEqual((done.returncode, done.stderr.count("\n")), (1, 1), done)

    def test_a_preset_gives_the_same_picture(self):
        studio = self.studio(f"--source={STILL}")
        self.look(studio)
        shown = studio.settled()
        self.assertEqual(studio.do("save-preset", name="my look").status, 200)
        for name in ["", "../x", "a/b", ".x", "x" * 241, "a\nb", " x"]:
            self.assertEqual(studio.do("save-preset", name=name).status, 400, name)
        folder = f"{studio.folder.name}/config/gst-people/presets"
        self.assertEqual(os.listdir(folder), ["my look.ini"])
        self.assertEqual(stat.S_IMODE(os.stat(f"{folder}/my look.ini").st_mode), 0o600)

        def webcam(sink):
            return f"{TOOL} webcam --preset='my look' --source='{STILL}' --sink='{sink}'"

        self.assert_alike(self.run_line(webcam, studio.environment), shown)
        studio.set(blendmask__blur=90, personsegment__feather=4, blendmask__shadow_opacity=1, camera__mirror=False)
        self.assertGreater(abs(studio.settled() - shown).mean(), 1)
        self.assertEqual(studio.do("load-preset", name="my look").status, 200)
        self.assert_alike(studio.settled(), shown)
        self.assertEqual(studio.get("/settings")["presets"], ["my look"])
        self.check_photos(studio.environment, studio.folder.name)
        with open(f"{folder}/wrong.ini", "w") as file:
            file.write("[blendmask]\nblur=1000\n")
        for name in ["wrong", "missing"]:
            self.assertEqual(studio.do("load-preset", name=name).status, 409)
            result = subprocess.run([TOOL, "photo", "a", "b.png", "--preset=" + name], env=studio.environment, capture_output=True)
            self.assertEqual(result.returncode, 3, result.stderr)
        self.assertEqual(studio.do("remove-preset", name="my look").status, 200)

    def check_photos(self, environment, folder):
        """The preset, and options that go before it, for one image."""
        made = []
        with open(f"{folder}/in.png", "wb") as file:
            file.write(image(320, 180))
        same = "--original --blur=30 --exposure=-0.5 --halo-width=1.5 --halo-color=20c0ff --feather=2 --expand=1 --quality=fast"
        for options in ["--preset=my look", same, "--preset=my look;--color=00ff00"]:
            command = [TOOL, "photo", f"{folder}/in.png", f"{folder}/out.png", "--force"]
            words = options.split(";") if "preset" in options else options.split()
            subprocess.run(command + words, env=environment, check=True, capture_output=True)
            with open(f"{folder}/out.png", "rb") as file:
                made.append(file.read())
        self.assertTrue(made[0] == made[1], "a preset and the same options")
        self.assertFalse(made[0] == made[2], "an option goes before a preset")

    def test_a_recording_is_a_video(self):
        studio = self.studio(f"--source={STILL}", "--color=ff0000")
        for _ in range(2):
            self.assertEqual(studio.do("start-recording").status, 200)
            made = [entry for entry in os.scandir(studio.folder.name) if ".mkv" in entry.name]
            self.assertEqual([stat.S_IMODE(entry.stat().st_mode) for entry in made], [0o600])
            path = studio.wait(lambda: studio.get("/settings")["status"]["outputs"]["recording"], "the recording")
            studio.wait(lambda path=path: os.path.exists(path + ".part") and os.path.getsize(path + ".part") > 20_000, "frames")
            self.assertEqual(studio.do("stop-recording").status, 200)
            studio.wait(lambda path=path: os.path.exists(path), "its end")
            line = f"gst-launch-1.0 -q filesrc location={path} ! matroskademux ! decodebin ! videoconvert ! jpegenc ! fdsink"
            video = subprocess.run(line, shell=True, capture_output=True, check=True, timeout=PATIENCE).stdout
            frames = [b"\xff\xd8" + part for part in video.split(b"\xff\xd8\xff")[1:]]
            self.assertGreater(len(frames), 5)
            os.remove(path)
        self.assertEqual(studio.do("no-such-thing").status, 400)

    def test_a_recording_that_fails_is_not_offered(self):
        """Its file cannot get its name, since something else has it."""
        studio = self.studio(f"--source={STILL}", "--color=ff0000")
        self.assertEqual(studio.do("start-recording").status, 200)
        path = studio.wait(lambda: studio.get("/settings")["status"]["outputs"]["recording"], "the recording")
        studio.wait(lambda: os.path.getsize(path + ".part") > 20_000, "frames")
        os.mkdir(path)
        self.assertEqual(studio.do("stop-recording").status, 200)
        none = ["Only this page shows the picture."]
        outputs = studio.wait(lambda: (now := studio.get("/settings")["status"]["outputs"])["texts"] == none and now, "its end")
        self.assertIsNone(outputs["complete"])

    def record(self, studio, seconds):
        """The path of a recording of at least so many seconds."""
        self.assertEqual(studio.do("start-recording").status, 200)
        state = studio.wait(lambda: (now := studio.get("/settings")["status"]["outputs"])["recorded"] > seconds and now, "the time")
        self.assertEqual(studio.do("stop-recording").status, 200)
        studio.wait(lambda: os.path.exists(state["recording"]), "the file")
        return state["recording"]

    def streams(self, path):
        """The time of the last packet of each stream of a file, by the stream's kind, as ffmpeg finds it."""
        command = ["ffprobe", "-v", "error", "-show_entries", "packet=codec_type,pts_time", "-of", "json", path]
        packets = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)["packets"]
        return {packet["codec_type"]: float(packet["pts_time"]) for packet in packets}

    def test_a_recording_has_sound(self):
        studio = self.studio(f"--source={STILL}", "--color=ff0000", "--sound=audiotestsrc is-live=true freq=880")
        path = self.record(studio, 3)
        lengths = self.streams(path)
        self.assertEqual(set(lengths), {"video", "audio"})
        self.assertTrue(min(lengths.values()) > 2, lengths)
        decode = ["ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-ac", "1", "-ar", "48000", "-f", "s16le", "-"]
        sound = numpy.frombuffer(subprocess.run(decode, capture_output=True, check=True).stdout, numpy.int16)[24000:72000]
        spectrum = abs(numpy.fft.rfft(sound * numpy.hanning(len(sound))))
        # A second of sound: the place of a tone is its frequency.
        self.assertEqual(spectrum.argmax(), 880)
        self.assertGreater((spectrum[870:890] ** 2).sum() / (spectrum**2).sum(), 0.99)
        self.assertEqual(studio.do("choose-microphone", name="/etc/passwd").status, 409)
        self.assertEqual(studio.do("choose-microphone", name="").status, 200)
        self.assertEqual(set(self.streams(self.record(studio, 1))), {"video"})

    def test_a_lost_microphone_ends_no_recording(self):
        failing = "audiotestsrc is-live=true ! identity error-after=80"
        for sound in (failing, "audiotestsrc is-live=true num-buffers=80", "fakesrc num-buffers=0"):
            studio = self.studio(f"--source={STILL}", "--color=ff0000", f"--sound={sound}")
            lengths = self.streams(self.record(studio, 5))
            self.assertGreater(lengths["video"], 3, sound)
            self.assertLess(lengths.get("audio", 0), 3, sound)
            self.assertIn("goes on without", " ".join(studio.get("/settings")["status"]["warnings"]))
            self.assertEqual(studio.close(), 0)

    def test_a_lost_camera_is_found_again(self):
        source = STILL.replace("! videoconvert", "! identity error-after=60 ! videoconvert", 1)
        studio = self.studio(f"--source={source}", "--color=ff0000")
        with studio.watch() as viewer:
            viewer.next()
            studio.set(blendmask__background_color=0xFF00FF00)
            studio.wait(lambda: studio.get("/settings")["status"]["problem"], "the failure")
            # The background goes on, without the person.
            studio.wait(lambda: is_green(pixels(viewer.newest())), "a covered frame")
            studio.wait(lambda: not studio.get("/settings")["status"]["problem"], "the camera")
            viewer.newest()
            # Of the frames that were under way when it went, none is left.
            frame = pixels(viewer.next())
        self.assertTrue(is_green(frame[20:40, 20:40]))

    def test_the_camera_is_turned(self):
        plain = self.studio(f"--source={STILL}", "--show-original").settled("original")
        studio = self.studio(f"--source={STILL}", "--show-original", "--rotate=180", "--flip=vertical")
        # Both together are what a mirror does.
        self.assert_alike(studio.settled("original"), plain[:, ::-1])
        self.assertIn(" --rotate=180 --flip=vertical ", studio.get("/lines")["command"])
        self.assertIn(" video-direction=horiz ", studio.get("/lines")["launch"])
        studio.set(camera__mirror=True)
        self.assert_alike(studio.settled("original"), plain)
        self.assertNotIn("--flip", studio.get("/lines")["command"])

    def test_the_original_is_shown_when_asked_for(self):
        studio = self.studio(f"--source={STILL}", "--color=ff0000", "--show-original")
        original, result = studio.settled("original"), studio.settled()
        self.assertGreater(abs(original - result).mean(), 5)
        self.assertLess(abs(result[20:40, 20:40].mean(axis=(0, 1)) - [255, 0, 0]).max(), 24)
        # Without a background the result is what the camera sees.
        studio.set(blendmask__background_source="original", blendmask__blur=0)
        self.assert_alike(studio.settled(), original)

    def test_heads_are_hidden_there_and_by_the_copied_line(self):
        shown = self.studio(f"--source={STILL}", "--color=00ff00").settled()
        studio = self.studio(f"--source={STILL}", "--color=00ff00", "--heads=cover")
        # The portrait is as high as the frame; the face lies within these rows and columns.
        face = (slice(50, 100), slice(280, 330))
        self.assertFalse(is_green(shown[face]))
        self.assertTrue(is_green(studio.settled()[face]))
        lines = studio.get("/lines")
        self.assertIn(" --heads=cover", lines["command"])
        copied = self.run_line(lambda sink: lines["launch"].replace("autovideosink sync=false", sink), studio.environment)
        self.assertTrue(is_green(copied[face]))

    def test_heads_are_hidden_and_shown_while_it_runs(self):
        studio = self.studio(f"--source={STILL}", "--color=00ff00")
        face = (slice(50, 100), slice(280, 330))
        self.assertFalse(is_green(studio.settled()[face]))
        with studio.watch() as viewer:
            viewer.next()
            studio.set(blendmask__heads="cover", personsegment__instance_masks=True)
            studio.wait(lambda: is_green(pixels(viewer.newest())[face]), "the cover")
            # From then on no frame shows the face; with the head found, the rest of the body is shown.
            chest = (slice(250, 300), slice(290, 320))
            for _ in range(60):
                frame = pixels(viewer.next())
                self.assertTrue(is_green(frame[face]))
            self.assertFalse(is_green(frame[chest]))
            studio.set(blendmask__heads="keep", personsegment__instance_masks=False)
            studio.wait(lambda: not is_green(pixels(viewer.newest())[face]), "the face")
        for wrong in [{"blendmask.heads": "no"}, {"blendmask.heads-of": "1;2"}, {"blendmask.heads-at": "2,2"}]:
            self.assertEqual(studio.post("/settings", wrong).status, 400)

    def test_overlays_come_and_go(self):
        studio = self.studio(f"--source={STILL}", "--color=ff0000")
        chance = random.Random(6)
        words = {"faces": ["none", "boxes", "landmarks"], "bodies": ["none", "boxes"], "hands": ["none", "skeleton"]}
        with studio.watch() as viewer:
            viewer.next()
            for _ in range(150):
                name = chance.choice(list(words))
                studio.set(**{f"poseoverlay__{name}": chance.choice(words[name])})
                if chance.random() < 0.3:
                    viewer.newest()
            viewer.newest()
        state = studio.get("/settings")["status"]
        self.assertIsNone(state["problem"])
        self.assertEqual(state["warnings"], [])
        self.assertNotIn("studio: ", studio.output())

    def test_a_preset_of_elsewhere_has_its_background(self):
        studio = self.studio(f"--source={STILL}")
        path = f"{studio.folder.name}/elsewhere.png"
        with open(path, "wb") as file:
            file.write(image(64, 36))
        os.makedirs(f"{studio.folder.name}/config/gst-people/presets")
        with open(f"{studio.folder.name}/config/gst-people/presets/old.ini", "w") as file:
            file.write(f"[blendmask]\nbackground={path}\n")
        self.assertEqual(studio.do("load-preset", name="old").status, 200)
        page = studio.get("/settings")
        self.assertEqual(page["values"]["blendmask.background"], "elsewhere.png")
        self.assertIn("elsewhere.png", [offered["name"] for offered in page["backgrounds"]])

    def test_a_preset_leads_to_no_server(self):
        with socket.create_server(("127.0.0.1", 0)) as server:
            server.settimeout(1)
            address = f"http://127.0.0.1:{server.getsockname()[1]}/a.jpg"
            studio = self.studio(f"--source={STILL}", "--color=ff0000")
            folder = f"{studio.folder.name}/config/gst-people/presets"
            os.makedirs(folder)
            for text in [address, address.replace("http", "rtsp"), "data:image/png,x"]:
                with open(f"{folder}/far.ini", "w") as file:
                    file.write(f"[blendmask]\nbackground={text}\n")
                reply = studio.do("load-preset", name="far")
                self.assertEqual((reply.status, b"no file of this machine" in reply.text), (409, True), reply.text)
            with self.assertRaises(TimeoutError):
                server.accept()

    def test_a_thumbnail_reads_its_own_file_only(self):
        studio = self.studio(f"--source={STILL}", "--color=ff0000")
        folder = f"{studio.folder.name}/data/gst-people/backgrounds"
        os.makedirs(folder)
        clip = f"{folder}/neighbour.mp4"
        subprocess.run(["ffmpeg", "-v", "error", "-f", "lavfi", "-i", "testsrc=d=1", "-pix_fmt", "yuv420p", clip], check=True)
        lists = {
            "concat.mp4": "ffconcat version 1.0\nfile neighbour.mp4\n", "list.mkv": "#EXTM3U\n#EXTINF:1,\nneighbour.mp4\n#EXT-X-ENDLIST\n",
            "session.webm": "v=0\no=- 0 0 IN IP4 127.0.0.1\ns=x\nt=0 0\nm=video 5004 RTP/AVP 96\n",
        }  # fmt: skip
        for name, text in lists.items():
            with open(f"{folder}/{name}", "w") as file:
                file.write(text)
        shown = {name: studio.request("GET", f"/background?name={name}").status for name in ["neighbour.mp4", *lists]}
        self.assertEqual(shown, {"neighbour.mp4": 200, **dict.fromkeys(lists, 404)})

    def test_large_photos_take_little_memory(self):
        studio = self.studio("--no-browser", PORTRAIT)
        ids = {}
        for side in (16384, 9900):
            sent = studio.request("POST", f"/photos?name={side}.png", black(side), {"Content-Type": "application/octet-stream"})
            ids[side] = json.loads(sent.text)["id"]
        refused = studio.request("GET", f"/photo?id={ids[16384]}")
        self.assertEqual((refused.status, b"too large" in refused.text), (409, True), refused.text)
        before = self.peak(studio)
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            shown = list(pool.map(lambda _: studio.request("GET", f"/photo?id={ids[9900]}"), range(4)))
        self.assertEqual({reply.status for reply in shown}, {200})
        self.assertEqual(len({reply.text for reply in shown}), 1)
        # Megabytes; the pixels of the whole picture would be 280.
        self.assertLess(self.peak(studio) - before, 250)

    def peak(self, studio):
        with open(f"/proc/{studio.process.pid}/status") as file:
            return next(int(line.split()[1]) >> 10 for line in file if line.startswith("VmHWM"))

    def test_it_ends_with_the_last_page_if_asked(self):
        studio = self.studio(f"--source={STILL}", "--color=ff0000", "--exit-with-page")
        connection = http.client.HTTPConnection(studio.host, timeout=PATIENCE)
        connection.request("GET", f"/events?key={studio.key}")
        reply = connection.getresponse()
        self.assertTrue(reply.readline().startswith(b"event: "))
        self.assertIsNone(studio.process.poll())
        reply.close()
        connection.close()
        self.assertEqual(studio.process.wait(PATIENCE), 0)


@unittest.skipUnless(os.environ.get("STUDIO_PIPEWIRE"), "no PipeWire of its own")
class InPipeWire(unittest.TestCase):
    def test_the_virtual_camera_starts_and_stops(self):
        studio = Studio(f"--source={STILL}", "--color=ff0000")
        self.addCleanup(studio.close)

        def is_on():
            return studio.get("/settings")["status"]["outputs"]["camera"]

        for _ in range(2):
            reply = studio.do("start-camera")
            self.assertEqual(reply.status, 200, reply.text)
            studio.wait(self.is_there, "the camera")
            self.assertEqual(is_on(), "gst-people (PipeWire)")
            self.assertEqual(studio.do("stop-camera").status, 200)
            studio.wait(lambda: not self.is_there(), "its end")
            self.assertFalse(is_on())
        self.read_back(studio)
        # Nothing of it has ended the picture.
        with studio.watch() as viewer:
            viewer.next()
        self.assertEqual(studio.get("/settings")["status"]["warnings"], [])

    def test_a_camera_and_its_size_are_chosen(self):
        program = os.path.join(os.path.dirname(__file__), "provide_camera.py")
        camera = subprocess.Popen(["/usr/bin/python3", "-B", program, "width=320,height=240,framerate=30/1"])
        self.addCleanup(camera.wait)
        self.addCleanup(camera.terminate)
        studio = Studio(f"--source={STILL}", "--color=ff0000", "--show-original")
        self.addCleanup(studio.close)
        front = studio.wait(lambda: [one for one in studio.get("/devices")["cameras"] if one["id"] == "front"], "the camera")
        self.assertEqual(front[0]["name"], "front")
        self.assertIsNone(studio.get("/devices")["chosen"])
        with studio.watch("original") as viewer:
            self.assertEqual(pixels(viewer.next()).shape, (360, 640, 3))
        self.assertEqual(studio.do("choose-camera", name="front").status, 200)
        studio.wait(lambda: (studio.get("/settings")["status"]["mode"] or "").find("320x240") > 0, "its frames")
        self.assertEqual(studio.get("/devices")["chosen"], "front")
        with studio.watch("original") as viewer:
            self.assertEqual(pixels(viewer.next()).shape, (240, 320, 3))
        self.assertIn("--camera=front", studio.get("/lines")["command"])

    def is_there(self):
        listed = subprocess.run(["pw-cli", "ls", "Node"], capture_output=True, text=True).stdout
        return 'node.name = "gst-people"' in listed

    def read_back(self, studio):
        """Another program gets the picture of the page, though it opens the camera as soon as that is there."""
        studio.set(blendmask__background_color=0xFF00FF00)
        for _ in range(3):
            line = "pipewiresrc do-timestamp=true target-object=gst-people ! videoconvert ! jpegenc ! appsink name=frames sync=false"
            reader = Gst.parse_launch(line)
            self.assertEqual(studio.do("start-camera").status, 200)
            while not self.is_there():
                self.assertIsNone(studio.process.poll())
            reader.set_state(Gst.State.PLAYING)
            for _ in range(5):
                sample = reader.get_by_name("frames").emit("try-pull-sample", PATIENCE * Gst.SECOND)
                self.assertIsNotNone(sample, studio.output())
            reader.set_state(Gst.State.NULL)
            frame = pixels(sample.get_buffer().extract_dup(0, sample.get_buffer().get_size()))
            self.assertEqual(frame.shape, (360, 640, 3))
            self.assertLess(abs(frame[20:40, 20:40].mean(axis=(0, 1)) - [0, 255, 0]).max(), 40)
            self.assertEqual(studio.do("stop-camera").status, 200)
            studio.wait(lambda: not self.is_there(), "its end")


if __name__ == "__main__":
    unittest.main()
