"""What rows of the table do with their file, and what they expect of it."""

import os
import random
import re
import signal
import subprocess
import time
from dataclasses import dataclass, replace

import numpy

import judge
import media
import pattern
import tones
import tool as tools
from difference import EXCUSES, unexcused

INPUT_ERROR = 3
NOT_INSTALLED = 5
STATUS_OF_SIGNAL = {signal.SIGINT: 130, signal.SIGTERM: 143, signal.SIGKILL: 137}


class Skipped(Exception):
    """The reason why a row cannot be judged here."""


class Case:
    """A row at work: its input, the folder for its outputs, and what is found."""

    def __init__(self, row, clip, folder, tool):
        self.row, self.clip, self.folder, self.tool = row, clip, folder, tool
        self.problems, self.commands = [], []

    @property
    def output(self):
        return self.folder / f"out.{self.row.output}"

    def run(self, command="video", arguments=None, options=(), stop=None, **files):
        arguments = [self.clip.path, self.output] if arguments is None else arguments
        # Two hours take longer than a limit that finds a run without an end.
        limit = tools.LIMIT_SECONDS + 2 * self.row.source.seconds
        run = self.tool.run(command, arguments, (*self.row.options, *options), stop, limit, **files)
        self.commands.append(run.words)
        return run

    def say(self, text):
        self.problems.append(text)

    def judge(self, run, output=None, expectation=None, source=None):
        """Compares an output with the input."""
        output = output or self.output
        if run.status or run.hangs:
            return self.say(f"expected status 0, found {run.outcome}")
        if not output.exists():
            return self.say(f"status 0, but there is no {output.name}")
        self.leftovers(output)
        expectation = expectation or self.row.expectation(self.clip)
        try:
            result = media.Clip(output)
            found = judge.differences(source or self.clip, result, expectation)
        except media.Unreadable as error:
            return self.say(f"the output cannot be read: {error}")
        self.excuse(run, found)
        told = run.values("finished", "frames")
        if told and told[-1] != len(result.frames):
            self.say(f"the tool tells of {told[-1]} frames, the output has {len(result.frames)}")

    def excuse(self, run, found):
        """Keeps the differences that no note names, or that the table does not know, and the notes that name none."""
        notes = [] if self.tool.stand_in else run.notes
        left, idle = unexcused(found, notes)
        for problem in left:
            allowed = self.tool.stand_in and problem.kind in self.row.lost
            if not allowed and (problem.kind != "damage"):
                self.say(problem.text + (", without a note" if problem.kind in EXCUSES else ""))
        for problem in found:
            if problem not in left and problem.kind not in self.row.lost:
                self.say(f"said in a note, but not in the table: {problem.kind} ({problem.text})")
        for note in idle:
            if not any(re.search(EXCUSES[kind], note, re.IGNORECASE) for kind in (*self.row.told, *self.row.lost)):
                self.say(f"a note names what is not lost: {note}")
        if not self.tool.stand_in:
            for kind in self.row.told:
                if not any(re.search(EXCUSES[kind], note, re.IGNORECASE) for note in notes):
                    self.say(f"no note about: {kind}; notes: {notes}")

    def leftovers(self, output):
        others = sorted(path.name for path in output.parent.iterdir() if path != output and path.name.startswith(output.name))
        if others:
            self.say(f"left behind: {', '.join(others)}")

    def clear(self):
        for path in sorted(self.folder.rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() and not path.is_symlink() else path.unlink()


@dataclass(frozen=True)
class Whole:
    """The whole video, with the row's options."""

    needs_tool = False

    def act(self, case):
        case.judge(case.run())


@dataclass(frozen=True)
class Beginning(Whole):
    """The whole video, whose sound is as loud from its first sample on as in the input."""

    def act(self, case):
        super().act(case)
        if not case.problems:
            result = media.Clip(case.output)
            origins = [clip.frames[0].time for clip in (case.clip, result)]
            pairs = zip(case.clip.sounds, result.sounds)
            case.problems += [text for wanted, got in pairs for text in tones.quiet_beginnings(wanted[0], got[0], *origins)]


def between_frames(clip, time):
    """A time that is not within a millisecond of a frame's beginning, which containers round."""
    while time is not None and any(abs(frame.time - clip.begin - time) < 0.001 for frame in clip.frames):
        time = round(time + 0.002, 3)
    return time


@dataclass(frozen=True)
class Parts:
    """Parts of the video: from and to the given seconds, or at random places."""

    count: int = 3
    places: tuple = ()
    needs_tool = True

    def act(self, case):
        for start, end in self.places or self.drawn(case):
            options = [f"--{name}={value}" for name, value in (("start", start), ("end", end)) if value is not None]
            before = len(case.problems)
            case.clear()
            expectation = replace(case.row.expectation(case.clip), part=(start, end))
            case.judge(case.run(options=options), expectation=expectation)
            case.problems[before:] = [f"{' '.join(options)}: {problem}" for problem in case.problems[before:]]

    def drawn(self, case):
        draw = random.Random(case.row.name)
        length = case.clip.frames[-1].time - case.clip.begin
        for _ in range(self.count):
            start, end = sorted((round(draw.uniform(0, length * 0.95), 3), round(draw.uniform(0, length), 3)))
            part = draw.choice([(start, max(end, start + 0.1)), (start, max(end, start + 0.1)), (start, None), (None, max(end, 0.1))])
            yield tuple(between_frames(case.clip, value) for value in part)


@dataclass(frozen=True)
class Segments:
    """The video in segments: by one run, and by a run for each segment, the last one first."""

    seconds: float
    # Whether it has key frames at which it can be divided.
    divides: bool = True
    needs_tool = True

    def act(self, case):
        length = f"--segment-length={self.seconds:g}"
        case.judge(case.run(options=[length, "--jobs=2"]))
        case.clear()
        plan = case.run(options=[length, "--plan"])
        counts = plan.values("plan", "segments")
        if plan.status or not counts:
            return case.say(f"--plan: expected a plan, found {plan.outcome}")
        expected = case.clip.frames[-1].time - case.clip.frames[0].time
        if self.divides and expected > 2.5 * self.seconds and counts[0] < 2:
            case.say(f"{counts[0]} segment of {self.seconds:g} s for {expected:.1f} s")
        for number in reversed(range(counts[0])) if counts[0] > 1 else []:
            run = case.run(options=[length, f"--segment={number}"])
            if run.status or run.hangs:
                return case.say(f"--segment={number}: expected status 0, found {run.outcome}")
        case.judge(case.run(options=[length]))


@dataclass(frozen=True)
class Interrupted:
    """The video in segments, stopped by a signal when some of them are there, then made again by the same command."""

    signal: int
    places: int = 10
    seconds: float = 1
    needs_tool = True

    def act(self, case):
        stopped = 0
        for place in range(self.places):
            case.clear()
            options = [f"--segment-length={self.seconds:g}", "--jobs=2"]
            run = case.run(options=options, stop=lambda process, place=place: self.stop(case, process, place))
            if run.status == STATUS_OF_SIGNAL[self.signal]:
                stopped += 1
                if case.output.exists():
                    case.say(f"stopped with {place} segments: the output is there already")
            elif run.status:
                case.say(f"stopped with {place} segments: expected status {STATUS_OF_SIGNAL[self.signal]}, found {run.outcome}")
            again = run
            if run.status:
                again = case.run(options=options)
            before = len(case.problems)
            case.judge(again)
            case.problems[before:] = [f"stopped with {place} segments, then again: {problem}" for problem in case.problems[before:]]
        if not stopped:
            case.say("no run was stopped before its end")

    def stop(self, case, process, place):
        """Sends the signal when the number of finished segments is there."""
        folder = case.output.with_name(case.output.name + ".segments")
        while process.poll() is None:
            names = os.listdir(folder) if folder.exists() else []
            finished = [name for name in names if re.match(r"\d+\.", name) and not name.endswith(".part")]
            if folder.exists() and len(finished) >= place:
                os.kill(process.pid, self.signal)
                return
            time.sleep(0.005)


@dataclass(frozen=True)
class Photos:
    """Photos of the video at random places, and of its first frame."""

    count: int = 3
    needs_tool = True

    def act(self, case):
        draw = random.Random(case.row.name)
        frames = case.clip.frames
        length = frames[-1].time - case.clip.begin
        for start in [None, *(between_frames(case.clip, round(draw.uniform(0, length), 3)) for _ in range(self.count))]:
            output = case.folder / f"{start}.png"
            options = [] if start is None else [f"--start={start}"]
            run = case.run("photo", [case.clip.path, output], options)
            if run.status or run.hangs or not output.exists():
                case.say(f"photo {' '.join(options)}: expected status 0, found {run.outcome}")
                continue
            expected = judge.cut(case.clip, frames, start or 0.0, None)[0].number
            found = pattern_of_picture(output)
            if found != expected:
                case.say(f"photo {' '.join(options)}: shows frame {found} instead of {expected}")
            self.check_shape(case, output, frames, expected, options)

    @staticmethod
    def check_shape(case, output, frames, number, options):
        """Compares width and height with those of the row, where they change."""
        if not case.row.changes:
            return
        change, *ratios = case.row.changes
        place = [frame.number for frame in frames].index(number)
        width, height = media.Clip(output).display_size()
        # ffmpeg's decoder of MPEG-2 gives the last frame before a change the aspect of the next one.
        allowed = ratios if place == change - 1 else [ratios[place >= change]]
        if all(abs(width / height - ratio) > 1 / height for ratio in allowed):
            case.say(f"photo {' '.join(options)}: has {width}x{height} pixels")


@dataclass(frozen=True)
class Lists:
    """Lists of what is seen in the frames: of the whole video, and of parts at random places."""

    count: int = 4
    needs_tool = True

    # Times that differ by less are of one frame.
    TOLERANCE = 0.0005

    def act(self, case):
        frames = case.clip.frames
        whole = self.times(case, tools.LISTS[0], [])
        # Lines count from the beginning of the file, where the sound may begin before.
        expected = [frame.time - frames[0].time + whole[0] for frame in frames] if whole else []
        self.compare(case, "the whole", whole, expected)
        draw = random.Random(case.row.name)
        for command in [tools.LISTS[place % len(tools.LISTS)] for place in range(self.count if expected else 0)]:
            start, end = sorted(round(draw.uniform(expected[0], expected[-1]), 3) for _ in range(2))
            end, every = round(end + 0.1, 3), draw.choice([None, round(draw.uniform(0.01, 0.7), 3)])
            # How long the last frame is shown is not known here.
            end = min(end, round(expected[-1], 3))
            options = [f"--start={start}", f"--end={end}", *([f"--every={every}"] if every else [])]
            self.compare(case, f"{command} {' '.join(options)}", self.times(case, command, options), self.part(whole, start, end, every))

    def times(self, case, command, options):
        run = case.run(command, [case.clip.path], options)
        if run.status or run.hangs:
            case.say(f"{command} {' '.join(options)}: expected status 0, found {run.outcome}")
        return [line["timestamp"] for line in run.events]

    def part(self, times, start, end, every):
        """The times of frames that are shown at the start, or every so many seconds from it on, before the end."""
        first = max((place for place, time in enumerate(times) if time <= start + self.TOLERANCE), default=0)
        times = [time for place, time in enumerate(times) if place >= first and time < end - self.TOLERANCE]
        if every is None:
            return times
        moments = [start + place * every for place in range(int((end - start) / every) + 1)]
        moments = [moment for moment in moments if moment < end - self.TOLERANCE]
        shown = [max((time for time in times if time <= moment + self.TOLERANCE), default=None) for moment in moments]
        return sorted({time for time in shown if time is not None})

    def compare(self, case, name, found, expected):
        if len(found) != len(expected):
            case.say(f"{name}: {len(found)} lines instead of {len(expected)}")
        wrong = [(one, other) for one, other in zip(found, expected) if abs(one - other) > case.row.tolerance]
        if wrong:
            case.say(f"{name}: {len(wrong)} lines at wrong times, the first at {wrong[0][0]} instead of {wrong[0][1]:.6f}")


@dataclass(frozen=True)
class Damaged:
    """A damaged input: an input error that says what is missing, and with --damaged all that can be read.

    - Parameter unnoticed: whether the container cannot tell that something is missing, so that status 0 is right.
    - Parameter measured: whether the container tells how long the file has been.
    """

    unnoticed: bool = False
    measured: bool = True
    needs_tool = True
    promise = "what can be read, with `--damaged`"

    def act(self, case):
        run = case.run()
        if run.status == 0 and self.unnoticed:
            return case.judge(run)
        if run.status != INPUT_ERROR or run.hangs:
            case.say(f"expected status {INPUT_ERROR}, found {run.outcome}")
        elif self.measured and not self.unnoticed and not re.search(r"\d+(\.\d+)?\s*(s\b|seconds?|frames?)", run.message):
            case.say(f"the message does not say how much is missing: {run.message}")
        elif "--damaged" not in run.message:
            case.say(f"the message does not advise --damaged: {run.message}")
        if case.output.exists() and run.status:
            case.say("the output is there in spite of the error")
        case.clear()
        case.judge(case.run(options=["--damaged"]))


@dataclass(frozen=True)
class Refused:
    """An input that cannot be read: a status and a message."""

    says: str
    status: int = INPUT_ERROR
    needs_tool = True
    promise = "nothing: an error that says why"

    def run(self, case):
        return case.run()

    def act(self, case):
        run = self.run(case)
        if run.status != self.status or run.hangs:
            case.say(f"expected status {self.status}, found {run.outcome}")
        elif not re.search(self.says, run.message):
            case.say(f"expected a message with {self.says!r}, found {run.message!r}")
        if case.output.exists():
            case.say("the output is there in spite of the error")


@dataclass(frozen=True)
class Stalled(Refused):
    """A file of which nothing comes any more, as from a server that does not answer."""

    says: str = r"nothing has happened for 30 s"

    def run(self, case):
        return case.run(stop=self.stop)

    @staticmethod
    def stop(process):
        """Stops the decoder as soon as it runs."""
        while process.poll() is None:
            found = subprocess.run(["pgrep", "-P", str(process.pid), "-f", "pipe:1"], capture_output=True, text=True)
            if found.stdout:
                os.kill(int(found.stdout.split()[0]), signal.SIGSTOP)
                return
            time.sleep(0.005)


@dataclass(frozen=True)
class Farm:
    """Two videos by farm, with two workers."""

    seconds: float = 2
    needs_tool = True

    def act(self, case):
        other = case.clip.path.with_name(f"other-{case.clip.path.name}")
        if not other.exists():
            os.link(case.clip.path, other)
        folder = case.folder / "done"
        run = case.run("farm", [case.clip.path, other, folder], [f"--segment-length={self.seconds:g}", "--jobs=2"])
        if run.status == NOT_INSTALLED:
            raise Skipped("Ray is not set up; pipelines/setup --with-farm does that")
        for path in (case.clip.path, other):
            done = replace_status(run)
            case.judge(done, folder / path.with_suffix(f".{case.row.output}").name)


def replace_status(run):
    """A run of which the frames of one video are not known."""
    return tools.Run(run.words, run.status, [event for event in run.events if event.get("event") != "finished"], run.errors, run.hangs)


def pattern_of_picture(path):
    command = ["ffmpeg", "-v", "error", "-i", path, "-vf", "scale=8:4:flags=area,format=gray", "-f", "rawvideo", "-"]
    data = subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL).stdout
    return pattern.read(numpy.frombuffer(data, numpy.uint8)[: pattern.BLOCKS].astype(float))
