"""Replaces the background of a clip: demo.py CLIP BACKGROUND DIR

Writes DIR/demo.mp4, and DIR/demo.png with a few moments before, as a mask, and after.
Run it through pipelines/demo, which sets everything up.
"""
import os
import signal
import sys
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import GLib, Gst  # noqa: E402

from contact_sheet import draw, mask, sample  # noqa: E402

MOMENTS = (0.03, 0.3, 0.55, 0.75, 0.97)  # of the clip, for the picture


class Demo:
    """The pipeline, its progress, and the frames that are kept for the picture."""

    def __init__(self, clip, background, video):
        self.pipeline = Gst.parse_launch(
            "filesrc name=clip ! decodebin ! videoconvert ! video/x-raw,format=I420 ! queue max-size-buffers=4 "
            "! personsegment name=people quality=balanced ! blendmask name=blend keep-mask=true ! queue "
            "max-size-buffers=4 ! x264enc pass=quant quantizer=20 speed-preset=veryfast ! h264parse "
            "! mp4mux faststart=true ! filesink name=video"
        )
        self["clip"].props.location = clip
        self["blend"].props.background = background
        self["video"].props.location = video
        self.kept = {}
        self.before = None
        self.frames = 0
        self.started = time.monotonic()
        for element, probe in ("people", self.remember), ("blend", self.count):
            pad = self[element].get_static_pad("src")
            pad.add_probe(Gst.PadProbeType.BUFFER, probe)

    def __getitem__(self, name):
        return self.pipeline.get_by_name(name)

    def remember(self, pad, info):
        """Keeps a copy of each frame as it was, until it comes out of blendmask."""
        self.before = sample(pad, info.get_buffer())
        return Gst.PadProbeReturn.OK

    def count(self, pad, info):
        """Counts frames, and keeps those that the picture shows."""
        frame = info.get_buffer()
        duration = self.duration()
        due = [m for m in MOMENTS if duration and m not in self.kept and frame.pts >= m * duration]
        if due:
            self.kept[due[0]] = (self.before, mask(frame), sample(pad, frame))
        self.frames += 1
        return Gst.PadProbeReturn.OK

    def duration(self):
        found, nanoseconds = self["clip"].query_duration(Gst.Format.TIME)
        if not found:
            found, nanoseconds = self.pipeline.query_duration(Gst.Format.TIME)
        return nanoseconds if found else 0

    def show_progress(self):
        elapsed = time.monotonic() - self.started
        found, position = self["video"].query_position(Gst.Format.TIME)
        share = min(1, position / self.duration()) if found and self.duration() else 0
        left = elapsed / share - elapsed if share else 0
        end = "\r" if sys.stdout.isatty() else "\n"
        rate = self.frames / elapsed
        print(f"      {100 * share:3.0f} %  {rate:5.1f} frames/s  {left:3.0f} s left  ", end=end, flush=True)

    def run(self):
        """Plays to the end; raises GLib.Error when the pipeline fails."""
        self.pipeline.set_state(Gst.State.PLAYING)
        types = Gst.MessageType.EOS | Gst.MessageType.ERROR
        step = (1 if sys.stdout.isatty() else 10) * Gst.SECOND
        try:
            while True:
                message = self.pipeline.get_bus().timed_pop_filtered(step, types)
                if message is None:
                    self.show_progress()
                elif message.type == Gst.MessageType.EOS:
                    return
                else:
                    raise message.parse_error()[0]
        finally:
            self.pipeline.set_state(Gst.State.NULL)


def main(clip, background, folder):
    video, picture = os.path.join(folder, "demo.mp4"), os.path.join(folder, "demo.png")
    # A name of its own until it is whole: an interrupted run leaves nothing that looks finished.
    unfinished = video + ".part"
    try:
        demo = Demo(clip, background, unfinished)
        demo.run()
        os.replace(unfinished, video)
        draw([demo.kept[moment] for moment in sorted(demo.kept)], picture, tile=(360, 240))
    finally:
        if os.path.exists(unfinished):
            os.remove(unfinished)
    elapsed = time.monotonic() - demo.started
    print(f"      {demo.frames} frames in {elapsed:.0f} s, {demo.frames / elapsed:.1f} frames/s")
    print(f"Look at {video} and {picture} (before, mask, after).")


if __name__ == "__main__":
    Gst.init(None)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        main(*sys.argv[1:4])
    except KeyboardInterrupt:
        sys.exit(130)
    except (GLib.Error, RuntimeError, OSError) as error:
        sys.exit(f"demo: failed: {getattr(error, 'message', error)}")
