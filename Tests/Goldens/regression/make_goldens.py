#!/usr/bin/python3
"""Writes what this checkout makes of the packaged pictures, so that a change of results is seen.

    pipelines/setup && pipelines/build
    Tests/Goldens/regression/make_goldens.py

Run it when results are meant to change, look at the masks, and commit them with the change. The Swift tests
SegmentationRegressionTests, InstanceRegressionTests, FaceRegressionTests and JointRegressionTests compare a build with
them.

Output, beside this script: `segmentation.json`, `instances.json`, `faces.json`, `bodies.json` and `hands.json`, lists, and
one picture per mask.

    source          launch line of the frames; MEDIA stands for the folder of the packaged media
    element         launch line of the element that analyses them, as one stream
    frames          segmentation: by the number of a frame, from 0, the file of its mask: binary PGM (P5), one
                    header line "P5 WIDTH HEIGHT 255", then a grid of the mask, row by row; each value is the mean
                    coverage, 0 to 255, of the mask's pixels whose centres lie in the grid's cell
                    faces: by the number of a frame, its faces from left to right: box (x, y, width and height as
                    shares of the frame), confidence, and roll, yaw and pitch in radians
                    bodies and hands: likewise, with x, y and confidence of each joint; hands with `chirality`
                    instances: by the number of a frame, its people or subjects from left to right: id, box, confidence, and the
                    share of the label map that is theirs
"""
import json
import os
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent.parent
PRIVATE = Path(os.environ.get("GST_PEOPLE_SETUP_DIR") or ROOT / ".gst-people")
os.environ.setdefault("GST_PLUGIN_PATH", str(PRIVATE / "plugins"))
sys.path[:0] = [str(ROOT / "Tests/Evaluation"), str(ROOT / "pipelines/examples")]

import gst_people  # noqa: E402

from gstreamer import Pipeline  # noqa: E402

PORTRAIT = ("filesrc location=MEDIA/astronaut.png ! decodebin ! videoconvert "
            "! video/x-raw,format=RGB,colorimetry=sRGB")
#: Two frames a second, so that few of them show much of the clip.
CLIP = "filesrc location=MEDIA/demovideo.mp4 ! decodebin ! videorate ! video/x-raw,framerate=2/1"
#: Columns and rows of a mask's grid.
GRIDS = {"portrait": (48, 48), "clip": (64, 43)}
#: Frames that are kept. A mask of `accurate` takes about half a second of a core.
CLIP_FRAMES = {"fast": (0, 5, 11), "balanced": (0, 5, 11, 22), "accurate": (0, 4)}
#: Digits that are kept of a face's numbers.
DIGITS = 5


def main():
    segmentation = []
    for quality, numbers in CLIP_FRAMES.items():
        # Single precision is the same on every CPU.
        element = f"personsegment quality={quality} mask-format=gray8 precision=f32"
        segmentation.append(segment(f"portrait-{quality}", PORTRAIT, element, (0,), GRIDS["portrait"]))
        segmentation.append(segment(f"clip-{quality}", CLIP, element, numbers, GRIDS["clip"]))
    write_json("segmentation.json", segmentation)
    write_json("instances.json", [
        {"source": source, "element": element, "frames": {
            n: people(frame) for n, frame in analysed(source, element, numbers)}}
        for source, element, numbers in (
            (CLIP, "personsegment quality=fast instance-masks=true precision=f32", (0, 5, 11)),
            (PORTRAIT, "subjectsegment quality=fast precision=f32", (0,)))])
    for name, element, described in (("faces", "facepose", faces), ("bodies", "bodypose", bodies),
                                     ("hands", "handpose max-hands=4", hands)):
        write_json(f"{name}.json", [
            {"source": source, "element": element, "frames": {
                n: described(frame) for n, frame in analysed(source, element, numbers)}}
            for source, numbers in ((PORTRAIT, (0,)), (CLIP, (0, 5, 11)))])


def segment(name, source, element, numbers, grid):
    """Writes the masks of a stream and returns its entry."""
    files = {}
    for number, frame in analysed(source, element, numbers):
        files[number] = f"{name}-{number}.pgm"
        header = f"P5 {grid[0]} {grid[1]} 255\n".encode()
        (HERE / files[number]).write_bytes(header + mask_grid(frame, *grid))
    return {"source": source, "element": element, "frames": files}


def analysed(source, element, numbers):
    """Numbers and frames of a stream, with what the element attached to them."""
    line = f"{source.replace('MEDIA', str(PRIVATE / 'media'))} ! {element} ! appsink name=out sync=false"
    pipeline = Pipeline(line)
    for number in range(max(numbers) + 1):
        frame = pipeline.pull(f"{element} gave nothing")
        if number in numbers:
            yield number, frame
    pipeline.stop()


def mask_grid(frame, columns, rows):
    """Mean coverage in the cells of a grid, as bytes."""
    mask = gst_people.mask(frame.get_buffer()).coverage
    height, width = mask.shape
    sums, counts = [0] * (columns * rows), [0] * (columns * rows)
    for y in range(height):
        for x in range(width):
            cell = y * rows // height * columns + x * columns // width
            sums[cell] += int(mask[y, x])
            counts[cell] += 1
    return bytes((2 * total + count) // (2 * count) for total, count in zip(sums, counts))


def people(frame):
    """The people of a frame who were told apart, from left to right."""
    mask = gst_people.mask(frame.get_buffer())
    return [{"id": person.id, **placed(person), "share": round(float((mask.labels == person.label).mean()), DIGITS)}
            for person in in_order(mask.instances)]


def faces(frame):
    """The faces of a frame, from left to right."""
    return [{**placed(face), **{name: round(getattr(face, name), DIGITS) for name in ("roll", "yaw", "pitch")}}
            for face in in_order(gst_people.faces(frame.get_buffer()))]


def bodies(frame):
    """The people of a frame, from left to right."""
    return [{**placed(body), "joints": joints(body)} for body in in_order(gst_people.bodies(frame.get_buffer()))]


def hands(frame):
    """The hands of a frame, from left to right."""
    return [{**placed(hand), "chirality": hand.chirality, "joints": joints(hand)}
            for hand in in_order(gst_people.hands(frame.get_buffer()))]


def in_order(parts):
    """From left to right."""
    return sorted(parts, key=lambda part: part.box.x)


def joints(part):
    return {name: [round(value, DIGITS) for value in point.tolist()] for name, point in part.joints.items()}


def placed(part):
    return {"box": [round(value, DIGITS) for value in part.box], "confidence": round(part.confidence, DIGITS)}


def write_json(name, entries):
    (HERE / name).write_text(json.dumps(entries, indent=1) + "\n")


if __name__ == "__main__":
    main()
