"""Lets people join the conference of pipelines/examples in headless Chromium, with cameras whose rooms have colours of their own,
and judges each frame that a page gets. CONFERENCE_TOOL is gst-people, CONFERENCE_CLIP the packaged clip; CONFERENCE_PICTURES is a
folder for screenshots. Prints a line of JSON with latency and CPU time, which nothing depends on."""

import json
import os
import pathlib
import signal
import statistics
import subprocess
import tempfile
import time
import unittest

from webdriver import Browser

PROGRAM = pathlib.Path(__file__).resolve().parents[2] / "pipelines/examples/conference/conference.py"
TOOL, CLIP, PICTURES = (os.environ.get(f"CONFERENCE_{name}") for name in ("TOOL", "CLIP", "PICTURES"))
# Red, green and blue of each person's room, and a place on the person in the clip's first frame; the rooms are checkered.
ROOMS = {"left": ("255-95*{}", "0", "255-95*{}"), "right": ("0", "255-95*{}", "0")}
PLACES = {"left": "0.13,0.3@0", "right": "0.74,0.3@0"}
# Heads are of different heights at different places of the two cameras' pictures.
CROPS = {"left": "crop=640:360:0:0", "right": "crop=960:540:120:60,scale=640:360"}
# Seconds for which the cameras are light, and then dark.
PHASE = 2
# Parts of the picture: what a blurred edge or a block of the codec may keep of a room, and the least that a person covers.
TRACE, SOMEBODY = 0.002, 0.08
# Of the picture's height: heads move up and down in their seats.
TOLERANCE = 0.1
# Watches a video's frames. `seen` has for each the parts of the picture that show the blue scene, people, and magenta and green rooms,
# the people's light, and the tops of their heads: of each stretch of people in the row that is a third of a head below the highest.
WATCH = """
    const width = 320, height = 180, canvas = new OffscreenCanvas(width, height).getContext('2d', { willReadFrequently: true });
    const kindOf = (r, g, b) => b > 150 && b > r + 80 && b > g + 50 ? 'scene' : Math.min(r, b) > g + 60 ? 'magenta'
        : g > Math.max(r, b) + 60 ? 'green' : 'people';
    const topsOf = (people) => {
        const stretches = (row) => [...(people[row] ?? []).join('').matchAll(/1{8,}/g)];
        const top = people.findIndex((_, row) => stretches(row).length);
        return stretches(top + 20).map(({ index, 0: { length } }) =>
            people.findIndex((row) => row.slice(index, index + length).reduce((a, b) => a + b) > 7) / height);
    };
    window.judge = (video) => {
        canvas.drawImage(video, 0, 0, width, height);
        const data = canvas.getImageData(0, 0, width, height).data;
        const sums = { scene: 0, people: 0, magenta: 0, green: 0, light: 0 };
        const people = Array.from({ length: height }, () => new Uint8Array(width));
        for (let i = 0; i < width * height; i++) {
            const [r, g, b] = data.subarray(4 * i, 4 * i + 3), kind = kindOf(r, g, b);
            sums[kind] += 1 / width / height;
            if (kind !== 'people') continue;
            sums.light += r + g + b;
            people[Math.floor(i / width)][i % width] = 1;
        }
        sums.light /= sums.people * width * height || 1;
        return { ...sums, tops: topsOf(people) };
    };
    window.watch = (video, seen) => video.requestVideoFrameCallback((now) => {
        seen.push({ time: now, ...window.judge(video) });
        watch(video, seen);
    });
    window.seen = [];
    watch(scene, seen);"""
# Watches the camera's own pictures, too.
WATCH_CAMERA = """
    window.own = [];
    const video = document.createElement('video');
    video.muted = true;
    video.srcObject = camera;
    video.play();
    watch(video, own);"""
# The last frames of a page that shows the scene; those before are kept in `seen`.
LAST = "const last = seen.slice(-5); return last.length === 5 && last.every((frame) => {}) && last"


def make_cameras(folder):
    """A camera for each person, who is alone in a coloured room; and one of an empty room."""
    for name, color in ROOMS.items():
        red, green, blue = (part.format("mod(floor(X/40)+floor(Y/40),2)") for part in color)
        run("ffmpeg", "-f", "lavfi", "-i", f"color=s=1080x720,format=rgb24,geq=r='{red}':g='{green}':b='{blue}'", "-frames:v", "1",
            f"{folder}/{name}.png")
        subprocess.run(
            [TOOL, "video", CLIP, f"{folder}/{name}.mp4", "--quiet", "--end=1", f"--keep-at={PLACES[name]}",
             f"--background={folder}/{name}.png"], check=True)
        swing = f"{CROPS[name]},fps=15,split[a][b];[b]reverse[r];[a][r]concat,loop={PHASE - 1}:1000,split[c][d]"
        run("ffmpeg", "-i", f"{folder}/{name}.mp4", "-filter_complex", f"{swing};[d]lutyuv=y='16+(val-16)*0.65'[e];[c][e]concat",
            "-pix_fmt", "yuv420p", f"{folder}/{name}.y4m")
    run("ffmpeg", "-loop", "1", "-i", f"{folder}/left.png", "-t", "1", "-vf", "scale=640:360,fps=15", "-pix_fmt", "yuv420p",
        f"{folder}/empty.y4m")
    run("ffmpeg", "-f", "lavfi", "-i", "color=c=0x2060ff:s=640x360", "-frames:v", "1", f"{folder}/scene.png")


def run(*words):
    subprocess.run([words[0], "-loglevel", "error", "-y", *words[1:]], check=True)


class Server:
    """The conference, with a page for each browser."""

    def __init__(self, *options, **environment):
        self.process = subprocess.Popen(
            [PROGRAM, "--size=640x360", *options], stdout=subprocess.PIPE, text=True, env={**os.environ, **environment})
        self.address = self.process.stdout.readline().strip()

    def cpu_seconds(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text(encoding="ascii").rpartition(")")[2].split()
        return sum(int(ticks) for ticks in fields[11:13]) / os.sysconf("SC_CLK_TCK")

    def is_running(self):
        return self.process.poll() is None

    def close(self):
        self.process.send_signal(signal.SIGINT)
        status = self.process.wait(300)
        self.process.stdout.close()
        return status


class People(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        make_cameras(cls.folder.name)
        cls.server = Server(f"--background={cls.folder.name}/scene.png")
        cls.browsers = []

    @classmethod
    def tearDownClass(cls):
        for browser in cls.browsers:
            browser.close()
        status = cls.server.close()
        cls.folder.cleanup()
        assert status == 0, status

    def page(self, camera):
        """A browser that has opened the page, and watches each frame from the first on."""
        browser = Browser(width=700, height=500, camera=f"{self.folder.name}/{camera}.y4m")
        self.browsers.append(browser)
        browser.open(self.server.address)
        browser.run(WATCH)
        return browser

    def close(self, browser):
        self.browsers.remove(browser)
        browser.close()

    def wait(self, browser, condition, what):
        """Waits until five frames in a row are so, from now on."""
        browser.run("window.past = (window.past ?? []).concat(seen.splice(0))")
        browser.wait(LAST.replace("{}", condition), what)
        self.assert_no_room(browser, what)
        if PICTURES:
            browser.screenshot(f"{PICTURES}/{what}.png", "#scene")

    def assert_no_room(self, browser, what):
        """In no frame so far there was a room, or anything but the scene where nobody was."""
        worst = browser.run("""
            const all = (window.past ?? []).concat(seen);
            return [all.length, ...['magenta', 'green'].map((room) => Math.max(...all.map((frame) => frame[room])))];""")
        self.worst = max(*worst[1:], getattr(self, "worst", 0))
        self.assertGreater(worst[0], 0, what)
        self.assertLess(max(worst[1:]), TRACE, f"{what}: {worst}")

    def test_join_leave_and_come_back(self):
        one = self.page("left")
        one.click("#join")
        alone = f"frame.people > {SOMEBODY} && frame.scene > 0.5 && frame.tops.length === 1"
        self.wait(one, alone, "one person")
        # The judge knows a room.
        one.run(WATCH_CAMERA)
        room = one.wait("return own.length && own[0].magenta", "the camera's own picture")
        self.assertGreater(room, 0.3)
        load = {1: self.measured_load(one)}
        figures = {"latency_ms": self.latency(one)}

        two = self.page("right")
        two.click("#join")
        # Heads are of one height if their tops are, because their middles are.
        together = f"frame.people > {SOMEBODY} && frame.scene > 0.5 && frame.tops.length === 2 && "
        together += f"Math.abs(frame.tops[0] - frame.tops[1]) < {TOLERANCE}"
        for browser in (one, two):
            self.wait(browser, together, "two people")
        load[2] = self.measured_load(one)
        frames = one.run("return (past ?? []).concat(seen).length")
        two.click("#leave")
        self.wait(one, alone, "the other has left")
        self.assertGreater(one.run("return past.concat(seen).length"), frames)
        two.click("#join")
        for browser in (one, two):
            self.wait(browser, together, "the other is back")
        # Without a word.
        self.close(two)
        self.wait(one, alone, "the other's browser is gone")
        self.assertEqual(one.run("return [note.textContent, peer.connectionState]"), ["", "connected"])

        empty = self.page("empty")
        empty.click("#join")
        self.wait(empty, alone, "an empty room")
        # Its frames have come to the server.
        sent = "return (async () => [...await peer.getStats()].some(([, each]) => each.type === 'remote-inbound-rtp'))()"
        empty.wait(sent, "a report of the empty room's frames")
        self.wait(empty, alone, "an empty room again")
        self.close(empty)
        self.close(one)
        figures |= {"cpu_per_person": round(load[2] - load[1], 3), "cpu_of_scene_with_one": round(load[1], 3)}
        print(json.dumps({**figures, "most_of_a_room": round(self.worst, 5)}), flush=True)
        self.assertTrue(self.server.is_running())

    def measured_load(self, browser, seconds=8):
        """CPU seconds of the server for each second of the scene."""
        begin, count = self.server.cpu_seconds(), browser.run("return scene.currentTime")
        time.sleep(seconds)
        return (self.server.cpu_seconds() - begin) / (browser.run("return scene.currentTime") - count)

    def latency(self, browser):
        """Milliseconds from a camera's frame to the scene with it, both as one page shows them: from changes of the light."""
        time.sleep(8 * PHASE)
        own, scene = (changes(browser.run(f"return {name}.map((frame) => [frame.time, frame.light])")) for name in ("own", "seen"))
        found = [min((other - at for other, is_up in scene if is_up == was_up and other > at), default=None) for at, was_up in own]
        found = [each for each in found if each is not None and each < 2000 * PHASE]
        return round(statistics.median(found)) if found else None

    def test_wrong_messages_stop_nobody(self):
        browser = self.page("empty")
        for text in ["x", "[]", "5", '{"candidate": 5}', '{"candidate": {"sdpMLineIndex": -1, "candidate": "x"}}', '{"answer": 5}',
                     '{"answer": "x"}', '{"candidate": {"sdpMLineIndex": 0, "candidate": "x"}}', "{}"]:
            with self.subTest(text):
                browser.run("""
                    window.end = '';
                    const other = new WebSocket(location.href.replace(/^http/, 'ws') + '/talk');
                    other.onmessage = () => { other.send(arguments[0]); other.close(); };
                    other.onclose = () => window.end = 'closed';""", text)
                browser.wait("return window.end", "the end of the connection")
        self.assertTrue(self.server.is_running())
        self.close(browser)


class Failures(unittest.TestCase):
    def test_what_fails_for_one_is_said_on_the_page(self):
        """Without models nobody is shown, and the conference goes on."""
        with tempfile.TemporaryDirectory() as folder:
            run("ffmpeg", "-f", "lavfi", "-i", "testsrc=s=640x360:r=15:d=1", "-pix_fmt", "yuv420p", f"{folder}/camera.y4m")
            server = Server(GST_PEOPLE_MODELS="/nowhere")
            browser = Browser(width=700, height=500, camera=f"{folder}/camera.y4m")
            browser.open(server.address)
            for _ in range(2):
                browser.click("#join")
                browser.wait("return note.textContent", "a reason")
                browser.wait("return document.getElementById('join').checkVisibility()", "the page as before")
            browser.close()
            self.assertEqual(server.close(), 0)


def changes(series):
    """When the light goes up or down through the middle of a series, with which of both; in milliseconds."""
    light = sorted(value for _, value in series)
    middle = (light[len(light) // 10] + light[-len(light) // 10]) / 2
    return [(time, value > middle) for (_, before), (time, value) in zip(series, series[1:]) if (value > middle) != (before > middle)]


if __name__ == "__main__":
    unittest.main()
