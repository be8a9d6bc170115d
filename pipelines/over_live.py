"""Shows the people of a camera's pictures over another live stream. Run it through pipelines/over-live."""
from live_options import parser

# First of all: help and wrong options need no GStreamer.
offer = parser(
    "over-live", "Shows the people of a camera's pictures over another live stream.", camera="--device"
)
offer.add_argument("stream", metavar="URI", help="what is behind them: rtsp://, http://, file:// and others")
options = offer.parse_args()

from camera import Gst, quoted  # noqa: E402
from live import NEWEST, Live, screen  # noqa: E402
from playing import program  # noqa: E402


# Frames that are older than that give way to newer ones, as they do everywhere before the compositor.
LATE = 200 * Gst.MSECOND


class OverLive(Live):
    """The people above, the other stream below, at the size of the camera's pictures."""

    def __init__(self, sink):
        stream = f"uridecodebin uri={quoted(options.stream)} ! videoconvert ! clocksync ! {NEWEST} ! over.sink_0"
        over = f"compositor name=over background=black sink_0::zorder=0 sink_1::zorder=1 ! {NEWEST} ! videoconvert"
        super().__init__(options, f"{NEWEST} ! over.sink_1 {stream} {over}", sink)
        self.has_size = False
        people, both = (self[name].get_static_pad("src") for name in ("blend", "over"))
        people.add_probe(Gst.PadProbeType.EVENT_DOWNSTREAM, self.follow_size)
        both.add_probe(Gst.PadProbeType.BUFFER, self.wait_for_size)
        self.watch("over", "src", self.keep_up)

    def set_background(self, _):
        self["blend"].props.background_source = "transparent"

    def follow_size(self, _, info):
        """Scales what is below to the camera's pictures."""
        event = info.get_event()
        if event.type == Gst.EventType.CAPS:
            size = event.parse_caps().get_structure(0)
            below = self["over"].get_static_pad("sink_0").props
            below.width, below.height = size.get_int("width")[1], size.get_int("height")[1]
            self.has_size = True
        return Gst.PadProbeReturn.OK

    def keep_up(self, pad, frame):
        """Tells the compositor that it is late: it makes every frame, however long ago its time was, until a sink
        reports that; ours waits for nothing and reports nothing."""
        taken, delay = self.times(pad, frame)
        if delay is not None and delay > LATE:
            pad.send_event(Gst.Event.new_qos(Gst.QOSType.UNDERFLOW, 1, delay, taken))

    def wait_for_size(self, *_):
        """Keeps back what the compositor makes before the camera's first picture."""
        return Gst.PadProbeReturn.OK if self.has_size else Gst.PadProbeReturn.DROP


def main():
    OverLive(screen(options)).run()


program("over-live", main)
