"""The scene in which all people of a conference sit: a background, a seat for each person, and one encoder for all who watch."""
import time

import gst_people
from gi.repository import Gst

# RTP of the scene, as each participant gets it. Browsers agree with any number from 96 on.
PACKETS = "application/x-rtp,media=video,encoding-name=VP8,payload=96,clock-rate=90000"
# Lengths below are those of a head, hair and all. A head is a third of the scene high, less where many sit there.
HEAD_HEIGHT = 0.33
SEAT_WIDTH = 1.75
# How far the middles of heads are above the scene's lower edge: as far as the picture that ends first goes on, within limits.
LOWEST, HIGHEST = 0.8, 1.8
# Parts of the way that people go with each frame of the scene: to another seat, and to another size or place in their pictures.
GLIDE, SETTLE = 0.15, 0.05
# Seconds without a picture of somebody, after which the seat is taken away.
PATIENCE = 3


class Scene:
    """Composes the people who are there, and gives the packets of the encoded picture to all listeners (appsrc)."""

    def __init__(self, background, width, height, rate):
        self.width, self.height, self.rate = width, height, rate
        self.people, self.listeners = [], []
        size = f"width={width},height={height}"
        self.pipeline = Gst.parse_launch(
            f"{background} ! videoconvert ! videoscale add-borders=false ! video/x-raw,{size} ! imagefreeze is-live=true "
            f"! video/x-raw,framerate={rate}/1 ! compositor name=seats emit-signals=true "
            f"! video/x-raw,format=AYUV,{size},framerate={rate}/1 ! videoconvert ! video/x-raw,format=I420 "
            "! queue max-size-buffers=2 leaky=downstream "
            f"! vp8enc name=encoder deadline=1 cpu-used=8 target-bitrate={width * height * 4} keyframe-max-dist=300 "
            # It keeps to the clock, so that frames are left out where the processor cannot follow.
            f"! rtpvp8pay mtu=1200 picture-id-mode=15-bit ! {PACKETS} ! appsink name=packets sync=true qos=true emit-signals=true")
        self.seats, self.encoder = (self.pipeline.get_by_name(name) for name in ("seats", "encoder"))
        # Each frame is arranged before it is composed.
        self.seats.connect("samples-selected", self.arrange)
        self.pipeline.get_by_name("packets").connect("new-sample", self.send)

    def send(self, sink):
        packet = sink.emit("pull-sample")
        for listener in tuple(self.listeners):
            listener.emit("push-sample", packet)
        return Gst.FlowReturn.OK

    def arrange(self, *_):
        """Seats people side by side, with heads of one height on one line."""
        people = tuple(self.people)
        shown = [person for person in people if person.is_there()]
        head = min(HEAD_HEIGHT * self.height, self.width / SEAT_WIDTH / max(len(shown), 1))
        reach = min((person.reach() for person in shown), default=HIGHEST)
        line = self.height - head * min(max(reach, LOWEST), HIGHEST)
        for person in people:
            person.fade(person in shown)
        for index, person in enumerate(shown):
            person.sit(self.width / 2 + (index - (len(shown) - 1) / 2) * SEAT_WIDTH * head, line, head)


class Person:
    """A person of the scene, whose frames have an alpha channel and are cut out already."""

    def __init__(self, scene):
        self.scene = scene
        self.source = Gst.ElementFactory.make("appsrc")
        for name, value in {"is-live": True, "format": Gst.Format.TIME, "max-buffers": 2, "leaky-type": 2}.items():
            self.source.set_property(name, value)
        scene.pipeline.add(self.source)
        self.pad = scene.seats.request_pad_simple("sink_%u")
        self.pad.set_property("alpha", 0)
        self.source.get_static_pad("src").link(self.pad)
        self.source.sync_state_with_parent()
        # The head's middle and height, as fractions of the frame: as seen last, and smoothed. The same in pixels of the scene.
        self.seen, self.head, self.seat = None, None, None
        self.aspect, self.time = 1, 0  # Width over height of the frame, and when somebody was in it.
        scene.people.append(self)

    def show(self, sample, is_somebody, head):
        """Shows a frame from now on; `head` is a box of it, or None where none is seen. Called by the person's own thread."""
        buffer, caps = sample.get_buffer(), gst_people.fields(sample.get_caps().get_structure(0))
        buffer.pts = self.scene.pipeline.get_clock().get_time() - self.scene.pipeline.get_base_time()
        buffer.dts, buffer.duration = Gst.CLOCK_TIME_NONE, Gst.SECOND // self.scene.rate
        self.source.emit("push-sample", sample)
        self.aspect = caps["width"] / caps["height"]
        self.time = time.monotonic() if is_somebody else self.time
        if head:
            self.seen = (head.x + head.width / 2, head.y + head.height / 2, head.height)

    def is_there(self):
        """Whether there is a head to seat, and a picture of somebody."""
        return self.seen is not None and time.monotonic() - self.time < PATIENCE

    def reach(self):
        """How many heights of the head the picture goes on below its middle."""
        self.head = nearer(self.head, self.seen, SETTLE)
        return (1 - self.head[1]) / self.head[2]

    def fade(self, is_shown):
        self.pad.set_property("alpha", nearer((self.pad.get_property("alpha"),), (float(is_shown),), 2 * GLIDE)[0])

    def sit(self, *seat):
        """Moves the head's middle and height towards a seat, in pixels of the scene."""
        self.seat = nearer(self.seat, seat, GLIDE)
        height = self.seat[2] / self.head[2]
        place = {
            "width": height * self.aspect, "height": height, "xpos": self.seat[0] - self.head[0] * height * self.aspect,
            # No picture ends above the scene's lower edge.
            "ypos": max(self.seat[1] - self.head[1] * height, self.scene.height - height)}
        for name, value in place.items():
            self.pad.set_property(name, round(value))

    def leave(self):
        self.scene.people.remove(self)
        # Frames that wait for the composition are refused from here on, so that the source can stop.
        self.scene.seats.release_request_pad(self.pad)
        self.source.set_state(Gst.State.NULL)
        self.scene.pipeline.remove(self.source)


def nearer(now, wanted, part):
    """Values that are nearer to those that are wanted; these themselves at first."""
    return wanted if now is None else tuple(a + part * (b - a) for a, b in zip(now, wanted))
