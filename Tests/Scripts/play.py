"""Plays launch lines as pipelines of one process, all at once, until each has ended.

    play.py LINE...

Writes one JSON object per line: messages of kind error, warning or eos with pipeline (its number),
domain, code and text; at the end, kind "usage" with the seconds of processor time ("cpu") and of
wall-clock time ("wall") from the first frame to the last message.
"""

import json
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

LIMIT = 300 * Gst.SECOND
KINDS = Gst.MessageType.ERROR | Gst.MessageType.WARNING | Gst.MessageType.EOS


def report(number: int, message: Gst.Message) -> bool:
    """Prints a message; true when the pipeline has ended with it."""
    if message.type == Gst.MessageType.EOS:
        print(json.dumps({"pipeline": number, "kind": "eos"}))
        return True
    is_error = message.type == Gst.MessageType.ERROR
    error, _ = message.parse_error() if is_error else message.parse_warning()
    kind = "error" if is_error else "warning"
    entry = {"pipeline": number, "kind": kind, "domain": error.domain, "code": error.code}
    print(json.dumps(entry | {"text": error.message}))
    return is_error


def finish(number: int, pipeline: Gst.Pipeline) -> None:
    while message := pipeline.get_bus().timed_pop_filtered(LIMIT, KINDS):
        if report(number, message):
            return
    sys.exit("a pipeline did not end")


def main(lines: list) -> None:
    Gst.init(None)
    pipelines = [Gst.parse_launch(line) for line in lines]
    for pipeline in pipelines:
        pipeline.set_state(Gst.State.PAUSED)
    for pipeline in pipelines:
        pipeline.get_state(LIMIT)
    cpu, wall = time.process_time(), time.monotonic()
    for pipeline in pipelines:
        pipeline.set_state(Gst.State.PLAYING)
    for number, pipeline in enumerate(pipelines):
        finish(number, pipeline)
    cpu, wall = time.process_time() - cpu, time.monotonic() - wall
    for pipeline in pipelines:
        pipeline.set_state(Gst.State.NULL)
    print(json.dumps({"kind": "usage", "cpu": cpu, "wall": wall}))


main(sys.argv[1:])
