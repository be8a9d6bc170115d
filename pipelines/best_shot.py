"""Writes the best frame of each person of a film as OUT_DIR/person-N.png.

The best one has the highest capture quality, which can be compared only within one person: sharp, well lit,
looking into the camera with open eyes. A person who was lost and comes back later counts as another one.
"""
import argparse
import os

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from faces import faces, frames  # noqa: E402
from outputs import finished, refuse_existing  # noqa: E402
from playing import program  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(
        prog="best-shot", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("clip", metavar="CLIP", help="a film")
    parser.add_argument("folder", metavar="OUT_DIR", nargs="?", default="best-shots")
    parser.add_argument("--crop", action="store_true", help="the face and what is around it, not the whole frame")
    parser.add_argument("--force", action="store_true", help="write over pictures that are there")
    parser.add_argument("--max-faces", type=int, default=4)
    parser.add_argument("--at-least", type=int, default=10, metavar="FRAMES",
                        help="leave out who is seen in fewer frames (default 10)")
    return parser.parse_args()


class Best:
    """The best frame of one person so far."""

    def __init__(self):
        self.quality, self.sample, self.face, self.count = -1, None, None, 0

    def consider(self, face, sample):
        self.count += 1
        if face["quality"] > self.quality:
            # The pipeline no longer uses the frame, so it can be kept without a copy.
            self.quality, self.sample, self.face = face["quality"], sample, face


def best_of(options):
    """{id: Best} of each person in the clip."""
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=RGB ! facepose name=faces "
        "capture-quality=true ! appsink name=out sync=false max-buffers=2")
    pipeline.get_by_name("file").props.location = options.clip
    pipeline.get_by_name("faces").props.max_faces = options.max_faces
    people = {}
    for sample in frames(pipeline, "out"):
        for face in faces(sample.get_buffer()):
            people.setdefault(face["id"], Best()).consider(face, sample)
    return {number: best for number, best in people.items() if best.count >= options.at_least}


def crop(best):
    """A videocrop for the face and as much around it, of the frame's proportions no more."""
    caps = best.sample.get_caps().get_structure(0)
    width, height = caps.get_int("width")[1], caps.get_int("height")[1]
    x, y, w, h = (best.face[name] for name in ("x", "y", "width", "height"))
    left, top = max(0, x - 0.6 * w) * width, max(0, y - 0.8 * h) * height
    right, bottom = max(0, 1 - x - 1.6 * w) * width, max(0, 1 - y - 1.7 * h) * height
    return f"videocrop left={int(left)} top={int(top)} right={int(right)} bottom={int(bottom)} !"


def write(best, path, is_cropped):
    pipeline = Gst.parse_launch(
        f"appsrc name=in format=time ! {crop(best) if is_cropped else ''} videoconvert "
        "! pngenc snapshot=true ! filesink name=file")
    pipeline.get_by_name("file").props.location = path
    pipeline.set_state(Gst.State.PLAYING)
    source = pipeline.get_by_name("in")
    source.emit("push-sample", best.sample)
    source.emit("end-of-stream")
    types = Gst.MessageType.EOS | Gst.MessageType.ERROR
    message = pipeline.get_bus().timed_pop_filtered(30 * Gst.SECOND, types)
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        raise RuntimeError(f"{path} could not be written")


def main():
    options = parse()
    people = best_of(options)
    if not people:
        raise RuntimeError(f"no face is seen in {options.at_least} frames of {options.clip}")
    os.makedirs(options.folder, exist_ok=True)
    for number, best in sorted(people.items()):
        path = os.path.join(options.folder, f"person-{number}.png")
        refuse_existing(path, options.force)
        with finished(path) as part:
            write(best, part, options.crop)
        time = best.sample.get_buffer().pts / Gst.SECOND
        print(f"{path}: {time:.2f} s, quality {best.quality:.2f}, the best of {best.count} frames")
    return 0


if __name__ == "__main__":
    program("best-shot", main)
