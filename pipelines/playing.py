"""Playing a pipeline while its speed is shown. Used by the programs beside it."""
import signal
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402


class Playback:
    """A pipeline that plays to its end. Subclasses say what to show meanwhile."""

    def __init__(self, description):
        self.pipeline = Gst.parse_launch(description)
        self.frames = 0
        self.started = time.monotonic()

    def __getitem__(self, name):
        return self.pipeline.get_by_name(name)

    def watch(self, name, pad, look):
        """Calls look(pad, frame) for each frame that passes a pad of the element called `name`."""

        def pass_on(pad, info):
            look(pad, info.get_buffer())
            return Gst.PadProbeReturn.OK

        self[name].get_static_pad(pad).add_probe(Gst.PadProbeType.BUFFER, pass_on)

    def progress(self):
        """The line to show."""
        raise NotImplementedError

    def ended(self):
        """Called at the end of the stream; true to stop there."""
        return True

    def failed(self, message):
        """Called with an error of the pipeline."""
        error, details = message.parse_error()
        # GStreamer's own elements name the file in the last line of the details only.
        last = (details or "").splitlines()[-1:]
        raise RuntimeError(" ".join([error.message, *last]))

    def run(self):
        """Plays until the end; raises RuntimeError when the pipeline fails."""
        self.started = time.monotonic()
        self.pipeline.set_state(Gst.State.PLAYING)
        try:
            self.follow()
        finally:
            self.pipeline.set_state(Gst.State.NULL)

    def follow(self):
        bus, progress = self.pipeline.get_bus(), ProgressLine()
        types = Gst.MessageType.EOS | Gst.MessageType.ERROR | Gst.MessageType.LATENCY
        while True:
            # Python sees signals only between calls: short ones, so that Control-C is heard.
            message = bus.timed_pop_filtered(100 * Gst.MSECOND, types)
            if message is None:
                if progress.is_due():
                    progress.show(self.progress())
            elif message.type == Gst.MessageType.LATENCY:
                self.pipeline.recalculate_latency()
            elif message.type == Gst.MessageType.ERROR:
                return self.failed(message)
            elif self.ended():
                return None


class ProgressLine:
    """One line that is rewritten every second on a terminal, or a line every ten seconds."""

    def __init__(self):
        self.on_terminal = sys.stdout.isatty()
        self.due = self.next()

    def next(self):
        return time.monotonic() + (1 if self.on_terminal else 10)

    def is_due(self):
        return time.monotonic() >= self.due

    def show(self, text):
        print(f"      {text}  ", end="\r" if self.on_terminal else "\n", flush=True)
        self.due = self.next()


def program(name, main):
    """Runs main() and ends with its exit code, or with one line about what failed."""
    Gst.init(None)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
    except (GLib.Error, RuntimeError, OSError) as error:
        print(f"{name}: failed: {getattr(error, 'message', error)}", file=sys.stderr)
        sys.exit(getattr(error, "status", 1))
