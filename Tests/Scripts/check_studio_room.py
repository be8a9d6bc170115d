"""Checks that `gst-people studio` never shows the room behind the people, whatever is set. STUDIO_TOOL and STUDIO_PORTRAIT as in
check_studio.py; STUDIO_ROUNDS is the number of random settings."""

import os
import random
import re
import struct
import subprocess
import tempfile
import unittest
import zlib

import numpy
from studio_client import PORTRAIT, TOOL, Decoder, Gst, Studio

ROUNDS = int(os.environ.get("STUDIO_ROUNDS", "500"))
WIDTH, HEIGHT = 640, 360
# Pixels of a cell of the room's pattern: as fine as letters of a fifteenth of the frame's height.
CELL = 4
# Grey levels by which the pattern may be seen, of the 60 by which it stands out in the room.
SEEN = 4
# In numbers that hide nothing, or nearly so.
WILD = [0, 1e-9, 5e-324, 1e-3, 0.005, 0.01, 0.05, 0.1, 0.3, 0.49, 0.5, 1, 2, 5, 29.99, 30, 50, -1e-9, -1, -10]


def png(pixels):
    """A PNG of RGB or RGBA pixels."""
    height, width, channels = pixels.shape
    rows = numpy.concatenate([numpy.zeros((height, 1), numpy.uint8), pixels.reshape(height, -1).astype(numpy.uint8)], 1)

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    head = struct.pack(">IIBBBBB", width, height, 8, {3: 2, 4: 6}[channels], 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(rows.tobytes())) + chunk(b"IEND", b"")


class Room:
    """The portrait's person in front of a wall with a fine random pattern, as elements that stand for a camera."""

    def __init__(self, folder):
        person = self.person(folder)
        chance = numpy.random.default_rng(3)
        signs = chance.integers(0, 2, (HEIGHT // CELL, WIDTH // CELL)) * 2 - 1
        self.pattern = numpy.kron(signs, numpy.ones((CELL, CELL)))
        wall = numpy.repeat((120 + 60 * self.pattern)[:, :, None], 3, 2)
        alpha = numpy.zeros((HEIGHT, WIDTH, 1))
        left = (WIDTH - HEIGHT) // 2
        alpha[:, left : left + HEIGHT] = person[:, :, 3:] / 255
        wall[:, left : left + HEIGHT] = (wall[:, left : left + HEIGHT] * (1 - alpha[:, left : left + HEIGHT])
                                         + person[:, :, :3] * alpha[:, left : left + HEIGHT])  # fmt: skip
        path = f"{folder}/room.png"
        with open(path, "wb") as file:
            file.write(png(wall.round()))
        self.elements = (
            f"filesrc location={path} ! pngdec ! imagefreeze is-live=true ! videoconvert "
            f"! capsfilter caps=video/x-raw,format=I420,width={WIDTH},height={HEIGHT},framerate=120/1"
        )
        self.windows = [
            (x, y) for y in range(0, HEIGHT - 39, 40) for x in range(0, WIDTH - 39, 40)
            if alpha[max(0, y - 40) : y + 80, max(0, x - 40) : x + 80].max() < 0.02
        ]  # fmt: skip

    def person(self, folder):
        """The person cut out, as RGBA, as large as the frame's height allows."""
        cut = f"{folder}/person.png"
        subprocess.run([TOOL, "photo", PORTRAIT, cut, "--transparent"], check=True, capture_output=True)
        line = f"filesrc location={cut} ! pngdec ! videoconvert ! videoscale ! video/x-raw,format=RGBA,width={HEIGHT},height={HEIGHT}"
        raw = subprocess.run(f"gst-launch-1.0 -q {line} ! fdsink", shell=True, capture_output=True, check=True).stdout
        return numpy.frombuffer(raw, numpy.uint8).reshape(HEIGHT, HEIGHT, 4).astype(float)

    def seen(self, frame):
        """By how many grey levels the pattern is seen in a frame, where it is seen most."""
        gray = frame.mean(axis=2)
        return max(likeness(self.pattern[y : y + 40, x : x + 40], gray[y : y + 40, x : x + 40]) for x, y in self.windows)


def likeness(signs, gray):
    """By how many grey levels a pattern of signs is seen; 0 where the image is of something else, such as an edge."""
    covariance = (signs * gray).mean() - signs.mean() * gray.mean()
    correlation = covariance / max(1e-9, signs.std() * gray.std())
    return abs(covariance) if abs(correlation) > 0.5 else 0


class TheRoomStaysHidden(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = folder.name
        self.room = Room(self.folder)
        self.decoder = Decoder()
        self.chance = random.Random(48)
        # The browser sends one setting after the other; a picture that is not opaque is one way to look through it.
        os.mkdir(f"{self.folder}/backgrounds")
        for name, color in [("plain.png", [40, 90, 160]), ("clear.png", [40, 90, 160, 0])]:
            with open(f"{self.folder}/backgrounds/{name}", "wb") as file:
                file.write(png(numpy.tile(numpy.array(color), (36, 64, 1))))

    def studio(self, *arguments, environment=None):
        own = [f"--source={self.room.elements}", f"--backgrounds={self.folder}/backgrounds"]
        studio = Studio(*own, *arguments, environment=environment)
        self.addCleanup(studio.close)
        return studio

    def look(self, viewer, what):
        seen = self.room.seen(self.decoder.pixels(viewer.newest()))
        self.assertLess(seen, SEEN, what)

    def settings(self, studio):
        page = studio.get("/settings")
        found = [setting for group in page["groups"] for setting in group["settings"]]
        # Other models take long to load, and overlays are drawn on what is there.
        found = [s for s in found if s["key"] != "personsegment.quality" and not s["key"].startswith("poseoverlay")]
        found += [
            {"key": "blendmask.background-source", "kind": "choice", "words": ["auto", "original", "picture", "clip", "color"]},
            {"key": "blendmask.background", "kind": "choice", "words": ["", *[b["name"] for b in page["backgrounds"]]]},
            {"key": "blendmask.invert", "kind": "flag"},
        ]
        return found, page["values"]

    def value(self, setting):
        kind = setting["kind"]
        if kind == "flag":
            return self.chance.random() < 0.5
        if kind == "choice":
            return self.chance.choice(setting["words"])
        if kind == "color":
            return 0xFF000000 | self.chance.randrange(1 << 24)
        low, high = setting["minimum"], setting["maximum"]
        number = self.chance.choice([*WILD, low, high, self.chance.uniform(low, high)])
        return round(number) if kind == "integer" else number

    def spelled(self, value):
        """One of the ways in which a key file may say it."""
        if isinstance(value, bool):
            return self.chance.choice(["true", "TRUE", "yes", "1", "t"] if value else ["false", "no", "0", "F"])
        if isinstance(value, str):
            return self.chance.choice([value, f'"{value}"', value.upper(), str(self.chance.randrange(7))])
        return self.chance.choice([str(value), f"{value:e}", f"{value:+f}", f"0{value}", hex(int(value)), "nan", "inf"])

    def preset(self, settings):
        """A preset as somebody might write it."""
        hand = [("blendmask", "no-mask", ["pass", "0", "1", "cover"]), ("blendmask", "max-mask-age", ["0", "-1", "9223372036854775807"]),
                ("blendmask", "hide-room", ["false", "no", "0"]), ("blendmask", "background-source", ["transparent", "5", "original", "1"]),
                ("personsegment", "inference-interval", ["1000", "3", "1"]), ("blendmask", "show", ["result", "0", "mask"])]  # fmt: skip
        lines = {}
        for setting in self.chance.sample(settings, self.chance.randrange(1, 5)):
            element, _, name = setting["key"].partition(".")
            lines.setdefault(element, {})[name] = self.spelled(self.value(setting))
        for element, name, words in self.chance.sample(hand, self.chance.randrange(3)):
            lines.setdefault(element, {})[name] = self.chance.choice(words)
        if lines.get("blendmask", {}).get("background"):
            lines["blendmask"]["background"] = f"{self.folder}/backgrounds/plain.png"
        return "".join(f"[{element}]\n" + "".join(f"{n}={v}\n" for n, v in own.items()) for element, own in lines.items())

    def test_no_setting_shows_the_room(self):
        studio = self.studio("--color=203040")
        folder = f"{studio.folder.name}/config/gst-people/presets"
        os.makedirs(folder)
        settings, initial = self.settings(studio)
        # Places that others choose by a click on them.
        initial = {key: value for key, value in initial.items() if key != "blendmask.instances-at"}
        answers = {}
        with studio.watch() as viewer:
            for number in range(ROUNDS):
                if number % 5 == 4:
                    what = self.preset(settings)
                    with open(f"{folder}/wild.ini", "w") as file:
                        file.write(what)
                    status = studio.do("load-preset", name="wild").status
                else:
                    what = {s["key"]: self.value(s) for s in self.chance.sample(settings, self.chance.randrange(1, 5))}
                    status = studio.post("/settings", what).status
                if number % 25 == 0:
                    studio.post("/settings", initial)
                answers[status] = answers.get(status, 0) + 1
                self.look(viewer, (number, status, what))
        self.assertGreater(answers.get(200, 0), ROUNDS / 4, answers)
        self.assertGreater(answers.get(403, 0) + answers.get(409, 0), ROUNDS / 50, answers)

    def test_the_measure_detects_the_room(self):
        studio = self.studio("--original", "--show-original")
        with studio.watch() as viewer:
            self.assertGreater(self.room.seen(self.decoder.pixels(viewer.newest())), 40)
            # So strong must a blur be to hide it.
            studio.set(blendmask__blur=2)
            viewer.newest()
            viewer.newest()
            self.assertGreater(self.room.seen(self.decoder.pixels(viewer.newest())), SEEN)

    def test_options_and_presets_from_the_start(self):
        folder = f"{self.folder}/config/gst-people/presets"
        os.makedirs(folder)
        own = {**os.environ, "XDG_CONFIG_HOME": f"{self.folder}/config", "XDG_DATA_HOME": f"{self.folder}/data"}
        wrong = [
            ["--original"], ["--original", "--blur=0"], ["--blur=0.3"], ["--blur=5e-324"], ["--original", "--blur=29.9"], ["--exposure=-1"],
            ["--exposure=1e-9", "--blur=1"], ["--desaturate=1"], ["--invert"], ["--color=ff0000", "--threshold=0.005"],
            ["--color=ff0000", "--expand=20"], ["--color=ff0000", "--feather=20"], ["--color=ff0000", "--inference-interval=1000"],
            ["--color=ff0000", "--model=/nowhere.xml"],
        ]  # fmt: skip
        for text in ["[blendmask]\ninvert=yes\n", "[blendmask]\ninvert=1\n", "[blendmask]\nbackground-source=original\nblur=5e-324\n",
                     "[blendmask]\nbackground-source=1\n", "[personsegment]\nthreshold=1e-9\n"]:  # fmt: skip
            name = f"p{len(wrong)}"
            with open(f"{folder}/{name}.ini", "w") as file:
                file.write(text)
            wrong.append([f"--preset={name}"])
        for options in wrong:
            result = subprocess.run([TOOL, "studio", f"--source={self.room.elements}", *options], env=own, capture_output=True, text=True)
            self.assertEqual(result.returncode, 2, f"{options} {result.stderr}")
            self.assertIn("--show-original", result.stderr)


    def test_presets_at_every_bound(self):
        # A preset that the running studio takes, or refuses, must never show the room.
        studio = self.studio("--color=203040")
        folder = f"{studio.folder.name}/config/gst-people/presets"
        os.makedirs(folder)
        answers = {}
        with studio.watch() as viewer:
            for element in ["blendmask", "personsegment", "poseoverlay"]:
                for name, texts in bounds(element).items():
                    for text in texts:
                        if (name, text) in [("quality", "balanced"), ("quality", "accurate")] or name == "background" and text:
                            continue
                        with open(f"{folder}/bound.ini", "w") as file:
                            file.write(f"[{element}]\n{name}={text}\n")
                        status = studio.do("load-preset", name="bound").status
                        answers.setdefault(status == 200, []).append(name)
                        self.look(viewer, (element, name, text, status))
        self.assertLessEqual({"hide-room", "no-mask", "max-mask-age", "keep-mask", "show", "name", "invert"}, set(answers[False]))
        self.assertLessEqual({"blur", "instances", "faces", "feather", "shadow-opacity"}, set(answers[True]))

    def start(self, options, environment):
        """Starts a studio; looks at its frames if it starts, and returns whether it does."""
        try:
            studio = self.studio(*options, environment=environment)
        except AssertionError as error:
            self.assertRegex(str(error), "gst-people|Usage|preset", options)
            return False
        with studio.watch() as viewer:
            for _ in range(3):
                self.look(viewer, options)
        studio.close()
        return True

    def test_presets_from_the_start_decide_on_no_frame_without_a_mask(self):
        folder = f"{self.folder}/config/gst-people/presets"
        os.makedirs(folder)
        own = {"XDG_CONFIG_HOME": f"{self.folder}/config", "XDG_DATA_HOME": f"{self.folder}/data"}
        lost, stale = "instances=77\n", "[personsegment]\ninference-interval=2\n"
        refused = [f"[blendmask]\n{line}\n{lost}" for line in
                   ["hide-room=false", "no-mask=pass", "keep-mask=true", "show=mask", "name=other", "hide-room=false\nno-mask=pass"]]
        refused += [f"[blendmask]\nhide-room=false\nmax-mask-age=0\nno-mask=pass\n{stale}", f"[blendmask]\nmax-mask-age=0\n{stale}"]
        accepted = [f"[blendmask]\n{lost}", stale, f"[blendmask]\n{lost}{stale}",
                    f"[blendmask]\nblur=30\nbackground-source=original\n{lost}{stale}"]
        for texts, starts in [(refused, False), (accepted, True)]:
            for text in texts:
                with open(f"{folder}/wild.ini", "w") as file:
                    file.write(text)
                self.assertEqual(self.start(["--preset=wild"], own), starts, text)

    def test_options_at_every_bound(self):
        usage = subprocess.run([TOOL, "studio", "--help"], check=True, capture_output=True, text=True).stdout
        found = re.findall(r"--([a-z-]+)=\w+ .*?: (-?\d+) to (\d+)", re.sub(r"\n {20,}", " ", usage))
        self.assertGreater(len(found), 15)
        alone = {"exposure", "desaturate", "blur", "threshold", "expand", "feather", "inference-interval"}
        for bound in (1, 2):
            options = [f"--{option[0]}={option[bound]}" for option in found if option[0] not in alone | {"threads", "port"}]
            self.assertTrue(self.start(["--color=203040", "--instances=77", *options], {}), options)
        refused = {
            f"{name}={value}" for name, *range_ in found if name in alone for value in range_ if not self.start([f"--{name}={value}"], {})
        }
        self.assertLessEqual({"expand=20", "feather=20", "inference-interval=1000"}, refused)



def bounds(element):
    """Texts of the bounds, or of all values, of each property of an element and of all elements."""
    found = {}
    for spec in Gst.ElementFactory.make(element).list_properties():
        kind = spec.value_type.name
        if kind == "gboolean":
            texts = ["false", "true"]
        elif kind == "gchararray":
            texts = ["", "77", "0.5,0.5", "other"]
        elif hasattr(spec, "enum_class"):
            texts = [value.value_nick for value in spec.enum_class.__enum_values__.values()]
        elif hasattr(spec, "minimum"):
            texts = [str(spec.minimum), str(spec.maximum)]
        else:
            continue
        found[spec.name] = texts
    return found


class WithoutAMask(unittest.TestCase):
    """What `blendmask` itself sees to, for frames without a mask and whatever is set in what order."""

    def test_no_property_shows_the_room(self):
        chance = random.Random(4)
        pattern = numpy.kron(chance_signs(chance), numpy.ones((CELL, CELL))) * 60 + 120
        line = (
            "appsrc name=in format=time caps=video/x-raw,format={},width={},height={},framerate=30/1 "
            "! blendmask name=blend hide-room=true ! appsink name=out sync=false"
        )
        for form, channels, height in [("RGB", 3, 120), ("RGBA", 4, 120), ("GRAY8", 1, 120), ("RGBA", 4, 16)]:
            frame = numpy.repeat(pattern[:height, :160, None], channels, 2).astype(numpy.uint8)
            pipeline = Gst.parse_launch(line.format(form, 160, height))
            blend = pipeline.get_by_name("blend")
            pipeline.set_state(Gst.State.PLAYING)
            signs = numpy.sign(pattern[:height, :160] - 120)
            for number in range(300):
                for name, text in chance.sample([
                    ("background-source", chance.choice(["auto", "original", "color", "transparent"])),
                    ("blur", str(chance.choice([0, 5e-324, 0.01, 1, 100]))), ("exposure", str(chance.choice([0, 1e-9, -1]))),
                    ("no-mask", chance.choice(["pass", "cover"])), ("invert", chance.choice(["true", "false"])),
                    ("max-mask-age", chance.choice(["0", "-1", "9223372036854775807"])),
                ], 3):  # fmt: skip
                    Gst.util_set_object_arg(blend, name, text)
                buffer = Gst.Buffer.new_wrapped(frame.tobytes())
                buffer.pts = number * Gst.SECOND // 30
                pipeline.get_by_name("in").emit("push-buffer", buffer)
                sample = pipeline.get_by_name("out").emit("try-pull-sample", 60 * Gst.SECOND)
                out = numpy.frombuffer(sample.get_buffer().extract_dup(0, frame.size), numpy.uint8).reshape(frame.shape)
                self.assertLess(likeness(signs, out[:, :, :3].mean(axis=2)), SEEN, (form, height, number))
            pipeline.set_state(Gst.State.NULL)


def chance_signs(chance):
    return numpy.array([[chance.choice([-1, 1]) for _ in range(40)] for _ in range(30)])


if __name__ == "__main__":
    unittest.main()
