#!/usr/bin/python3
"""gst-people inside a Python program: the people of a clip, frame by frame.

    embed.py CLIP [FRAMES]

Frames go in through appsrc and come out of appsink with the people on another background. Prints
one line per frame: time in seconds, and the share of the picture that people cover.
Needs Debian's python3-gi, python3-numpy and gir1.2-gst-plugins-base-1.0, and gst_people.py beside it.
"""
import sys

try:
    import gi
    import gst_people
    gi.require_version("Gst", "1.0")
    gi.require_version("GstApp", "1.0")
except (ImportError, ValueError) as error:
    sys.exit(f"{sys.argv[0]}: {error}. Install Debian's packages python3-gi, python3-numpy and gir1.2-gst-plugins-base-1.0.")

from gi.repository import GLib, Gst, GstApp  # noqa: F401 (GstApp gives appsrc its methods)


def pull(pipeline, name):
    """The next frame of an appsink, or None at the end; a plain pull would wait for ever after an error."""
    sink = pipeline.get_by_name(name)
    while not sink.is_eos():
        sample = sink.try_pull_sample(50 * Gst.MSECOND)
        if sample is not None:
            return sample
        message = pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
        if message is not None:
            raise message.parse_error()[0]
    return None


def main(clip, frames=60):
    # Stands for whatever gives the program its frames.
    source = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! appsink name=sink max-buffers=1"
    )
    people = Gst.parse_launch(
        "appsrc name=in format=time ! personsegment quality=fast "
        "! blendmask name=blend keep-mask=true ! appsink name=out sync=false"
    )
    source.get_by_name("file").props.location = clip
    for pipeline in source, people:
        pipeline.set_state(Gst.State.PLAYING)
    done = 0
    try:
        while done < frames:
            sample = pull(source, "sink")
            if sample is None:
                break
            # Any property that says so in gst-inspect-1.0 may change while frames flow.
            if done == frames // 2:
                people.get_by_name("blend").props.background_color = 0xFF00B140
            people.get_by_name("in").push_sample(sample)
            result = pull(people, "out")
            if result is None:
                break
            frame = result.get_buffer()
            covered = gst_people.mask(frame).coverage.mean() / 255
            print(f"{frame.pts / Gst.SECOND:.3f} {covered:.4f}")
            done += 1
    finally:
        for pipeline in people, source:
            pipeline.set_state(Gst.State.NULL)
    return 0 if done else 1


if __name__ == "__main__":
    Gst.init(None)
    if len(sys.argv) < 2 or sys.argv[1] == "--help":
        sys.exit(__doc__)
    try:
        sys.exit(main(sys.argv[1], *map(int, sys.argv[2:3])))
    except GLib.Error as error:  # an element is missing, or a pipeline failed
        sys.exit(f"embed.py: {error.message} ({error.domain}, code {error.code})")
