"""Plays a launch line in a process that may open few more files.

    scarce.py LEFT LINE

All descriptors but LEFT are taken once the pipeline is READY. Writes one JSON object for the message that ends it, as
play.py does.
"""

import os
import resource
import sys

import gi
from play import LIMIT, finish

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

MOST = 256


def main(left: int, line: str) -> None:
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    pipeline.set_state(Gst.State.READY)
    pipeline.get_state(LIMIT)
    resource.setrlimit(resource.RLIMIT_NOFILE, (MOST, MOST))
    taken = []
    try:
        while True:
            taken.append(os.dup(0))
    except OSError:
        for descriptor in taken[len(taken) - left :]:
            os.close(descriptor)
    pipeline.set_state(Gst.State.PLAYING)
    finish(0, pipeline)
    for descriptor in taken[: len(taken) - left]:
        os.close(descriptor)
    pipeline.set_state(Gst.State.NULL)


main(int(sys.argv[1]), sys.argv[2])
