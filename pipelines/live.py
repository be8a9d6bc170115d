"""A camera's pictures with another background, live. What webcam, virtual-camera and matte-effect share."""
import os
import sys
import time
from typing import NamedTuple

import gi

gi.require_version("Gst", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import Gst, GstVideo  # noqa: E402

from camera import Unavailable, camera, choose, offered, quoted  # noqa: E402
from live_options import CLIP  # noqa: E402
from playing import Playback  # noqa: E402

# A picture that is not analysed yet when the next one comes is late: the newer one takes its place.
NEWEST = "queue leaky=downstream max-size-buffers=1 max-size-bytes=0 max-size-time=0"


class Source(NamedTuple):
    """The elements that deliver pictures as they happen."""

    elements: str
    is_clip: bool


def source(options):
    """The camera, or what stands in for it. Prints which."""
    if options.stand_in:
        return stand_in()
    try:
        if options.source:
            elements, caps = options.source, offered(options.source)
        else:
            elements, caps = camera(options.camera)
    except Unavailable as missing:
        if not confirmed(f"{missing}\nPlay the packaged clip instead? [Y/n] "):
            raise Unavailable(f"{missing}\n  The packaged clip can stand in: --stand-in") from None
        return stand_in()
    mode = choose(caps, options.size)
    if mode is None:
        raise Unavailable(f"the camera has no such mode. It offers:\n{modes(caps)}")
    print(f"      camera: {summary(mode)}", flush=True)
    decoder = " ! jpegdec" if mode.get_structure(0).get_name() == "image/jpeg" else ""
    return Source(f"{elements} ! {mode.to_string()} ! {NEWEST}{decoder} ! videoconvert", False)


def stand_in():
    print("      stand-in: the packaged clip", flush=True)
    # The clock gives its frames the pace of a camera's.
    file = f"filesrc location={quoted(str(CLIP))}"
    return Source(f"{file} ! decodebin ! videoconvert ! clocksync ! {NEWEST}", True)


def confirmed(question):
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        return False
    try:
        return input(question).strip().lower() in ("", "y", "yes")
    except EOFError:
        return False


def summary(caps):
    structure = caps.get_structure(0)
    kind = structure.get_string("format") or "JPEG"
    _, numerator, denominator = structure.get_fraction("framerate")
    size = f"{structure.get_int('width')[1]}x{structure.get_int('height')[1]}"
    return f"{kind} {size} at {numerator / max(denominator, 1):g} frames/s"


def modes(caps):
    return "\n".join(f"  {caps.get_structure(n).to_string()}" for n in range(min(caps.get_size(), 20)))


def screen(options):
    """Where the pictures are shown."""
    if not (options.sink or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")):
        raise Unavailable("no screen: neither DISPLAY nor WAYLAND_DISPLAY is set")
    return options.sink or "autovideosink sync=false"


class Live(Playback):
    """Source, people, background and sink; measures frames where they enter the sink."""

    analysis = "personsegment"

    def __init__(self, options, convert, sink):
        pictures = source(options)
        mirror = "videoflip video-direction=horiz ! " if options.mirror else ""
        super().__init__(
            f"{pictures.elements} ! {mirror}{self.analysis} quality={options.quality} ! blendmask name=blend "
            f"! {convert} name=out ! {sink}"
        )
        self.repeats = pictures.is_clip and not options.sink
        self.delays = 0  # of all frames, in nanoseconds
        self.first = self.now()
        self.last = self.first  # progress line
        self.set_background(options)
        self.watch("out", "src", self.measure)

    def set_background(self, options):
        blend = self["blend"].props
        if options.blur:
            blend.blur = options.blur
        elif options.color is not None:
            blend.background_color = options.color
        else:
            blend.background = options.background

    def measure(self, pad, frame):
        """Counts the frame and the time since it was taken."""
        _, delay = self.times(pad, frame)
        if delay is None:
            return
        if self.frames == 0:
            self.first = self.last = self.now()
            print(f"      output: {summary(pad.get_current_caps())}", flush=True)
        self.delays += max(0, delay)
        self.frames += 1

    def times(self, pad, frame):
        """The running time at which the frame was taken, and how long that is ago; nothing without a clock."""
        clock = self.pipeline.get_clock()
        segment = pad.get_sticky_event(Gst.EventType.SEGMENT, 0).parse_segment()
        taken = segment.to_running_time(Gst.Format.TIME, frame.pts)
        if clock is None or taken == Gst.CLOCK_TIME_NONE:
            return None, None
        return taken, clock.get_time() - self.pipeline.get_base_time() - taken

    def now(self):
        """Where the run is: time in seconds, frames, and their delays."""
        return time.monotonic(), self.frames, self.delays

    def progress(self):
        before, self.last = self.last, self.now()
        return speed(before, self.last)

    def ended(self):
        if self.repeats:
            self.pipeline.seek_simple(Gst.Format.TIME, Gst.SeekFlags.FLUSH, 0)
        return not self.repeats

    def failed(self, message):
        error = message.parse_error()[0]
        closed = error.matches(Gst.ResourceError.quark(), Gst.ResourceError.NOT_FOUND)
        # This is how video sinks tell that their window was closed.
        if not (closed and self.frames and isinstance(message.src, GstVideo.VideoSink)):
            raise error

    def run(self):
        try:
            super().run()
        except KeyboardInterrupt:
            pass
        clear = "\n" if sys.stdout.isatty() else ""
        print(f"{clear}      {self.frames} frames, {speed(self.first, self.now())}")


def speed(before, now):
    seconds, frames, delays = (b - a for a, b in zip(before, now))
    latency = f"{delays / frames / 1e6:.0f} ms" if frames else "unknown"
    return f"{frames / max(seconds, 1e-3):.1f} frames/s, latency {latency}"
