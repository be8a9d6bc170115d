#!/usr/bin/python3
"""A hand raised above the head goes to the next background.

    raised_hand.py SOURCE SINK BACKGROUND...

SOURCE and SINK are launch lines: `v4l2src ! videoconvert`, `videoconvert ! autovideosink`. A hand counts as raised while
its wrist is above the nose of the nearest person; each raising changes the background once, and is printed with its time.
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


class RaisedHand:
    """Follows the messages of `bodypose` and `handpose`, which come frame by frame in this order."""

    def __init__(self):
        self.noses = []
        self.is_up = False

    def raised(self, message):
        """True when a message tells of the first frame with a raised hand."""
        if message.get_structure().get_name() == "bodypose":
            self.noses = [body.joints["nose"][:2] for body in gst_people.bodies(message.get_structure())]
            return False
        wrists = [hand.joints["wrist"][:2] for hand in gst_people.hands(message.get_structure())]
        was_up, self.is_up = self.is_up, any(self.is_above(*wrist) for wrist in wrists)
        return self.is_up and not was_up

    def is_above(self, x, y):
        """Whether a wrist is higher than the nose next to it."""
        nearest = min(self.noses, key=lambda nose: abs(nose[0] - x), default=None)
        return nearest is not None and y < nearest[1]


def main(source, sink, *backgrounds):
    pipeline = Gst.parse_launch(
        f"{source} ! bodypose post-messages=true ! handpose max-hands=4 post-messages=true "
        f"! personsegment quality=fast ! blendmask name=blend ! {sink}")
    blend, bus, shown = pipeline.get_by_name("blend"), pipeline.get_bus(), 0
    blend.props.background = backgrounds[0]
    pipeline.set_state(Gst.State.PLAYING)
    gesture = RaisedHand()
    try:
        while True:
            message = bus.timed_pop(Gst.CLOCK_TIME_NONE)
            if message.type == Gst.MessageType.ERROR:
                raise message.parse_error()[0]
            if message.type == Gst.MessageType.EOS:
                return 0
            if message.type == Gst.MessageType.LATENCY:
                pipeline.recalculate_latency()
            is_pose = message.type == Gst.MessageType.ELEMENT and message.src.get_factory().get_name() in (
                "bodypose", "handpose")
            if is_pose and gesture.raised(message):
                shown += 1
                blend.props.background = backgrounds[shown % len(backgrounds)]
                time = message.get_structure().get_uint64("stream-time")[1]
                print(f"{time / Gst.SECOND:.2f} {blend.props.background}", flush=True)
    finally:
        pipeline.set_state(Gst.State.NULL)


if __name__ == "__main__":
    Gst.init(None)
    if len(sys.argv) < 4:
        sys.exit(__doc__)
    try:
        sys.exit(main(*sys.argv[1:]))
    except GLib.Error as error:  # an element is missing, or a pipeline failed
        sys.exit(f"raised_hand.py: {error.message} ({error.domain}, code {error.code})")
