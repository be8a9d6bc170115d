"""Prints the faces of a film or picture as JSON, one line per frame, to be read by other programs."""
import argparse
import json
import sys

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from faces import UNITS, faces, frames  # noqa: E402
from playing import program  # noqa: E402


def parse():
    parser = argparse.ArgumentParser(prog="facepose-json", description=__doc__)
    parser.add_argument("input", metavar="IN", help="a film or picture")
    parser.add_argument("--landmarks", action="store_true", help="76 points in named regions")
    parser.add_argument("--mesh", action="store_true", help="the 478 points of the face mesh")
    parser.add_argument("--quality", action="store_true", help="capture quality")
    parser.add_argument("--field-of-view", type=float, default=0, metavar="DEGREES",
                        help="the camera's, from the upper to the lower edge; 0 for unknown")
    parser.add_argument("--max-faces", type=int, default=4)
    return parser.parse_args()


def main():
    options = parse()
    # The stream's own tags turn the analysis, not the picture: places are those of the stored frame.
    pipeline = Gst.parse_launch(
        "filesrc name=file ! decodebin ! videoconvert ! facepose name=faces ! appsink name=out sync=false "
        "max-buffers=4")
    pipeline.get_by_name("file").props.location = options.input
    element = pipeline.get_by_name("faces").props
    element.landmarks, element.mesh, element.capture_quality = options.landmarks, options.mesh, options.quality
    element.field_of_view, element.max_faces = options.field_of_view, options.max_faces
    for sample in frames(pipeline, "out"):
        frame = sample.get_buffer()
        time = None if frame.pts == Gst.CLOCK_TIME_NONE else frame.pts / Gst.SECOND
        print(json.dumps({"timestamp": time, "faces": faces(frame), "units": UNITS}))
    return 0


if __name__ == "__main__":
    try:
        program("facepose-json", main)
    except BrokenPipeError:
        # The reader closed the pipe.
        sys.stderr.close()
