#!/usr/bin/python3
"""Counts squats.

    squats.py SOURCE

SOURCE is a launch line: `v4l2src ! videoconvert`. The person with the largest box counts. One goes down when the hips come
near the height of the knees, and up when they are well above them again, compared with the length of the trunk; each time
up prints the time and the number of squats. Works from any side on which hips, knees and shoulders are seen.
Needs Debian's python3-gi and python3-numpy, and gst_people.py beside it.
"""
import sys

try:
    import gi
    import gst_people
    gi.require_version("Gst", "1.0")
except (ImportError, ValueError) as error:
    sys.exit(f"{sys.argv[0]}: {error}. Install Debian's packages python3-gi, python3-numpy and gir1.2-gst-plugins-base-1.0.")

from gi.repository import GLib, Gst

#: Height of the hips above the knees, in lengths of the trunk: a standing person's is about .8, and 0 with level thighs.
DOWN, UP = 0.35, 0.6
#: Joints of less confidence are hidden or outside of the picture.
LEAST_CONFIDENCE = 0.5


def largest(structure):
    """The person with the largest box in a message; None without any."""
    return max(gst_people.bodies(structure), key=lambda body: body.box.width * body.box.height, default=None)


def hip_height(body):
    """Height of the hips above the knees, in lengths of the trunk; None where they are not seen."""
    sides = []
    for side in ("left", "right"):
        shoulder, hip, knee = (body.joints[f"{side}-{name}"] for name in ("shoulder", "hip", "knee"))
        trunk = hip[1] - shoulder[1]
        # A trunk that is not upright is no measure.
        if min(shoulder[2], hip[2], knee[2]) >= LEAST_CONFIDENCE and trunk > 0:
            sides.append((knee[1] - hip[1]) / trunk)
    return sum(sides) / len(sides) if sides else None


class Squats:
    """Follows one person through the messages of `bodypose`."""

    def __init__(self):
        self.count = 0
        self.is_down = False

    def follow(self, fields):
        """True when a message tells of the first frame in which the person is up again."""
        body = largest(fields)
        height = hip_height(body) if body else None
        if height is None:
            return False
        was_down = self.is_down
        # Two thresholds, so that somebody who trembles at one of them does not count twice.
        self.is_down = height < DOWN or was_down and height < UP
        if was_down and not self.is_down:
            self.count += 1
            return True
        return False


def main(source):
    pipeline = Gst.parse_launch(f"{source} ! bodypose post-messages=true ! fakesink")
    bus, squats = pipeline.get_bus(), Squats()
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while True:
            message = bus.timed_pop(Gst.CLOCK_TIME_NONE)
            if message.type == Gst.MessageType.ERROR:
                raise message.parse_error()[0]
            if message.type == Gst.MessageType.EOS:
                return 0
            fields = message.get_structure()
            if message.type == Gst.MessageType.ELEMENT and fields.get_name() == "bodypose" and squats.follow(fields):
                print(f"{fields.get_uint64('stream-time')[1] / Gst.SECOND:.2f} {squats.count}", flush=True)
    finally:
        pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    Gst.init(None)
    if len(sys.argv) != 2 or sys.argv[1] == "--help":
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1]))
    except GLib.Error as error:  # an element is missing, or a pipeline failed
        sys.exit(f"squats.py: {error.message} ({error.domain}, code {error.code})")
