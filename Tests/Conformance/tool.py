"""Runs of the tool: exit status, events, notes."""

import contextlib
import json
import os
import shlex
import signal
import subprocess
import threading
from dataclasses import dataclass, field

# A run without an end is a failure of its row. Rows take seconds; those of hours have a limit by their length.
LIMIT_SECONDS = 900
# Commands that print a line of JSON for each frame.
LISTS = ("faces", "bodies", "hands", "people")


@dataclass
class Run:
    """What a run of the tool ended with."""

    words: list
    status: int = 0
    events: list = field(default_factory=list)
    errors: str = ""
    hangs: bool = False

    @property
    def notes(self):
        """All notes of the run, each once."""
        found = []
        for event in self.events:
            videos = event.get("videos", [])
            inner = [note for video in videos for note in video.get("notes", [])] if isinstance(videos, list) else []
            for note in [*event.get("notes", []), *inner, *([event["note"]] if "note" in event else [])]:
                if note not in found:
                    found.append(note)
        return found

    @property
    def message(self):
        """What the tool says about a failure."""
        messages = [event.get("message", "") for event in self.events if event.get("event") == "failed"]
        for event in self.events:
            videos = event.get("videos", [])
            messages += [video["message"] for video in videos if "message" in video] if isinstance(videos, list) else []
        return "\n".join([*messages, self.errors]).strip()

    def values(self, event, name):
        return [entry[name] for entry in self.events if entry.get("event") == event and name in entry]

    @property
    def outcome(self):
        if self.hangs:
            return "without an end"
        text = self.message.strip().splitlines()
        return f"status {self.status}" + (f": {' '.join(text)[:400]}" if text else "")


class Tool:
    """The tool of the checkout, or a program that stands in for it and is given IN and OUT only."""

    def __init__(self, program, stand_in=None):
        self.program = program
        self.stand_in = shlex.split(stand_in) if stand_in else None

    def words(self, command, arguments, options):
        if self.stand_in:
            return [*self.stand_in, *map(str, arguments)]
        if command in LISTS:
            return [self.program, command, *map(str, arguments), *options]
        return [self.program, command, *map(str, arguments), "--quality=fast", "--original", *options, "--json"]

    def run(self, command, arguments, options=(), stop=None, limit=LIMIT_SECONDS, reads=None, writes=None):
        """Runs a command of the tool.

        - Parameter stop: called with the running process in a thread of its own; it may send signals.
        - Parameter reads: a file that is its standard input.
        - Parameter writes: a file that gets its standard output; events are then on the standard error output.
        """
        result = Run(self.words(command, arguments, options))
        environment = {**os.environ, "TMPDIR": str(arguments[-1].parent)} if hasattr(arguments[-1], "parent") else None
        with contextlib.ExitStack() as files:
            process = subprocess.Popen(
                result.words,
                stdin=files.enter_context(open(reads, "rb")) if reads else subprocess.DEVNULL,
                stdout=files.enter_context(open(writes, "wb")) if writes else subprocess.PIPE,
                stderr=subprocess.PIPE,
                env=environment,
                start_new_session=True,
            )
        watcher = threading.Thread(target=stop, args=[process], daemon=True) if stop else None
        if watcher:
            watcher.start()
        try:
            output, errors = process.communicate(timeout=limit)
        except subprocess.TimeoutExpired:
            result.hangs = True
            os.killpg(process.pid, signal.SIGKILL)
            output, errors = process.communicate()
        if watcher:
            watcher.join()
        result.status = process.returncode if process.returncode >= 0 else 128 - process.returncode
        lines = [*(output or b"").decode(errors="replace").splitlines(), *errors.decode(errors="replace").splitlines()]
        result.events = [json.loads(line) for line in lines if line.startswith("{")]
        result.errors = "\n".join(line for line in errors.decode(errors="replace").splitlines() if not line.startswith("{"))
        return result


def shown(words, checkout):
    """A command as a user types it."""
    text = shlex.join(map(str, words))
    return text.replace(f"{checkout}/.build/release/gst-people", "pipelines/gst-people")
