"""Plays a launch line in a process that may open few more files.

    scarce.py LEFT LINE

All descriptors but LEFT are taken once the pipeline is READY. Writes one JSON object for the message that ends it: kind (error
or eos) and, for an error, domain, code and text.
"""

import json
import os
import resource
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

LIMIT = 60 * Gst.SECOND
KINDS = Gst.MessageType.ERROR | Gst.MessageType.EOS
MOST = 256


def report(message: Gst.Message) -> None:
    if message is None:
        sys.exit("the pipeline did not end")
    entry = {"kind": "eos"}
    if message.type == Gst.MessageType.ERROR:
        error, _ = message.parse_error()
        entry = {"kind": "error", "domain": error.domain, "code": error.code, "text": error.message}
    print(json.dumps(entry))


def main(left: int, line: str) -> None:
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.READY)
    pipeline.get_state(LIMIT)
    # The bus opens its own descriptors when it is first waited for.
    pipeline.get_bus().timed_pop_filtered(1, KINDS)
    resource.setrlimit(resource.RLIMIT_NOFILE, (MOST, MOST))
    taken = []
    try:
        while True:
            taken.append(os.dup(0))
    except OSError:
        for descriptor in taken[len(taken) - left :]:
            os.close(descriptor)
    pipeline.set_state(Gst.State.PLAYING)
    report(pipeline.get_bus().timed_pop_filtered(LIMIT, KINDS))
    for descriptor in taken[: len(taken) - left]:
        os.close(descriptor)
    pipeline.set_state(Gst.State.NULL)


main(int(sys.argv[1]), sys.argv[2])
