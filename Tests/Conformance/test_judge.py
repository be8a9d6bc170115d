"""Tests of the judge: what keeps everything passes, and each fault is found. Tests/conformance --self-test runs them."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import numpy

import conformance
import judge
import making
import media
import pattern
import rows
import stand_in
import tones
from difference import Difference, unexcused
from making import Lines, Sound, Source

RICH = Source(
    container="mkv",
    times="N/25+0.012*sin(N)+0.012",
    sounds=(Sound(language="deu"), Sound(language="eng")),
    subtitles=(Lines(language="fra", flags="forced"),),
    chapters=((0, 0.8, "One"), (0.8, 2, "Two")),
    tags=(("title", "A day"), ("comment", "at the sea")),
    options=("-timecode", "01:02:03:04"),
)
# Kinds of difference that a fault has to be found by.
KINDS = {
    "dropped frame": "frames", "last frames dropped": "frames", "doubled frame": "frames", "swapped frames": "frames",
    "frozen frame": "frames", "one frame 5 ms late": "frames", "constant rate": "frames", "picture 10 ms late": "sound",
    "half of the size": "size", "black": "frames", "sound 10 ms early": "sound", "sound of another second": "sound",
    "sound ends early": "sound", "sound has a gap": "sound", "sound is silent": "sound", "chapters lost": "chapters", "tags lost": "tags",
    "language lost": "language", "flag lost": "flags", "subtitles lost": "subtitles", "subtitles 1 s late": "subtitles",
    "second sound track lost": "sound tracks", "level too high": "level", "time code lost": "timecode",
}  # fmt: skip


class JudgeTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.holder = tempfile.TemporaryDirectory()
        cls.folder = pathlib.Path(cls.holder.name)
        cls.clips = {}

    @classmethod
    def tearDownClass(cls):
        cls.holder.cleanup()

    def differences(self, source, fault=None, ending="mkv", expectation=None):
        if source not in self.clips:
            self.clips[source] = media.Clip(making.make(source, self.folder))
        clip = self.clips[source]
        target = self.folder / f"out.{ending}"
        subprocess.run(stand_in.command(str(clip.path), str(target), fault), check=True)
        return judge.differences(clip, media.Clip(target), expectation or judge.Expectation())

    def test_aCopyThatKeepsEverythingPasses(self):
        self.assertEqual(self.differences(RICH), [])
        self.assertEqual(self.differences(Source(video="h264 with B-frames"), ending="mp4"), [])
        webm = Source(container="webm", video="vp9", sounds=(Sound("opus"),))
        self.assertEqual(self.differences(webm, ending="webm"), [])

    def test_eachFaultIsFound(self):
        self.assertEqual(KINDS.keys(), stand_in.FAULTS.keys())
        for fault, kind in KINDS.items():
            with self.subTest(fault):
                found = self.differences(RICH, fault)
                self.assertIn(kind, [difference.kind for difference in found])

    def test_inputsShowTheirNumbersAndTones(self):
        clip = media.Clip(making.make(Source(frames=60, rate="20"), self.folder))
        self.assertEqual([frame.number for frame in clip.frames], list(range(60)))
        found, _, _ = tones.strongest(clip.sounds[0][0].samples[:, 0])
        self.assertEqual([round(found[place]) for place in (0, 4, 8)], [tones.frequency(0, 0, second) for second in (0, 1, 2)])


class PatternTests(unittest.TestCase):
    def test_numbersAreReadBack(self):
        for number in (0, 1, 179_999, pattern.LIMIT - 1):
            frame = pattern.draw(number, (32, 16))
            self.assertEqual(pattern.read(pattern.block_means(frame)), number)

    def test_mixturesMirrorImagesAndNoiseAreNoNumbers(self):
        one, other = (pattern.draw(number, (160, 96)).astype(float) for number in (7, 8))
        self.assertIsNone(pattern.read(pattern.block_means((one + other) / 2)))
        self.assertNotEqual(pattern.read(pattern.block_means(one[:, ::-1])), 7)
        self.assertNotEqual(pattern.read(pattern.block_means(one[::-1])), 7)
        self.assertIsNone(pattern.read(numpy.full(32, 128.0)))

    def test_areaIsRead(self):
        frame = numpy.zeros((192, 160))
        frame[48:144] = pattern.draw(1234, (160, 96))
        self.assertEqual(pattern.read(pattern.block_means(frame, (0, 0.25, 1, 0.5))), 1234)


class ToneTests(unittest.TestCase):
    def sound(self, seconds=3, start=0.0):
        time = numpy.arange(seconds * tones.RATE) / tones.RATE
        frequency = numpy.array([tones.frequency(0, 0, int(second)) for second in time])
        return [tones.Run(start, numpy.sin(2 * numpy.pi * time * frequency)[:, None].astype("f4"))]

    def test_shiftsOfTwoMillisecondsAreFound(self):
        self.assertEqual(tones.differences(self.sound(), self.sound(start=0.0005), 0.02), [])
        self.assertTrue(tones.differences(self.sound(), self.sound(start=0.002), 0.02))
        self.assertTrue(tones.differences(self.sound(), self.sound(start=-0.002), 0.02))

    def test_channelsOfAnotherLayoutAreThoseOfTheirPlaces(self):
        samples = numpy.arange(8, dtype="f4").reshape(2, 4)
        one, other = ({"codec_name": name, "channels": 4, "channel_layout": layout} for name, layout in (("ac3", "4.0"), ("aac", "5.0")))
        run = tones.mixed([tones.Run(0, samples)], one, other)[0]
        numpy.testing.assert_allclose(run.samples[0], [0, 1, 2, 3 * tones.HALF, 3 * tones.HALF], rtol=1e-6)
        self.assertIs(tones.mixed([run], one, one)[0].samples, run.samples)

    def test_roundedTimesOfBlocksAreOneRun(self):
        samples = self.sound()[0].samples
        blocks = [(round(place / tones.RATE, 3), samples[place : place + 171]) for place in range(0, len(samples), 171)]
        self.assertEqual(len(tones.joined(blocks)), 1)


class NoteTests(unittest.TestCase):
    def test_notesExcuseWhatTheyName(self):
        lost = Difference("chapters", "chapters are none")
        self.assertEqual(unexcused([lost], ["chapters are left out"]), ([], []))
        self.assertEqual(unexcused([lost], ["the language is left out"]), ([lost], ["the language is left out"]))
        self.assertEqual(unexcused([Difference("frames", "frame 7 is missing")], ["a frame is missing"])[0][0].kind, "frames")


class TableTests(unittest.TestCase):
    def test_rowsHaveNamesOfTheirOwnAndAllSlices(self):
        self.assertEqual({row.slice for row in rows.table()}, {"quick", "whole", "slow"})

    def test_randomRowsAreTheSameForOneSeed(self):
        self.assertEqual(rows.drawn(20, 3), rows.drawn(20, 3))
        self.assertNotEqual(rows.drawn(20, 3), rows.drawn(20, 4))

    def test_documentsHaveTheTable(self):
        page = conformance.PAGE.read_text(encoding="utf-8")
        self.assertEqual(page, conformance.updated(page), "run Tests/conformance --update")

    def test_eachAreaIsInWords(self):
        text = conformance.table_text(rows.table())
        self.assertEqual([area for area in conformance.WHOLE if f"| {area} | " not in text.split("\n\n")[0]], [])
        self.assertEqual([words for words in conformance.LONG.values() if words not in text], [])


if __name__ == "__main__":
    unittest.main()
