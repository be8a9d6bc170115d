"""Starts and stops a pipeline many times and writes the process's memory after each time.

    restart.py COUNT LINE

One number per line: resident memory in KiB.
"""

import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

LIMIT = 300 * Gst.SECOND


def resident() -> int:
    with open("/proc/self/status", encoding="ascii") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))


def main(count: int, line: str) -> None:
    Gst.init(None)
    pipeline = Gst.parse_launch(line)
    for _ in range(count):
        pipeline.set_state(Gst.State.PLAYING)
        message = pipeline.get_bus().timed_pop_filtered(
            LIMIT, Gst.MessageType.EOS | Gst.MessageType.ERROR
        )
        if message is None or message.type == Gst.MessageType.ERROR:
            sys.exit(f"did not end well: {message and message.parse_error()}")
        pipeline.set_state(Gst.State.NULL)
        print(resident())


main(int(sys.argv[1]), sys.argv[2])
