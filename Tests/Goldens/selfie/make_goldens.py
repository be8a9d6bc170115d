"""Writes the masks that MediaPipe itself makes, for comparison with ours.

    python3 -m venv .build-goldens
    .build-goldens/bin/pip install mediapipe==0.10.21
    .build-goldens/bin/python Tests/Goldens/selfie/make_goldens.py .gst-people/media/astronaut.png

(Python 3.9 to 3.12; MediaPipe 0.10.21 brings OpenCV and NumPy.)

Output, beside this script: `goldens.json`, a list, and one mask per entry.

    name            of the entry
    mask            file of the mask: binary PGM (P5), one header line "P5 WIDTH HEIGHT 255", then
                    WIDTH x HEIGHT bytes, row by row: coverage, 0 background to 255 person
    model           the model that made it: name of a manifest in pipelines/models
    crop            [x, y, width, height]: the part of the picture that is the frame, in pixels
    first, step     mask value (column, row) belongs to the centre of the frame's pixel
                    (first + step * column, first + step * row)
    tolerance       greatest mean absolute difference, of coverage 0 to 1, that counts as equal

Where the frame has the model's size, step is 1 and the mask is the model's own output. Elsewhere
MediaPipe scales the frame to the model and the mask back to the frame, both bilinearly, and the
file holds a grid of it. The tolerance leaves room for what is ours: the mask follows the picture's
edges, and MediaPipe's own scaling moves it by up to half a pixel.
"""

import json
import pathlib
import sys

import cv2
import mediapipe
import numpy as np

HERE = pathlib.Path(__file__).parent
GENERAL, LANDSCAPE = "selfie_segmentation", "selfie_segmentation_landscape"
# name, model, crop, first, step, tolerance
CASES = [
    ("general-exact", GENERAL, [96, 0, 256, 256], 0, 1, 0.01),
    ("landscape-exact", LANDSCAPE, [96, 60, 256, 144], 0, 1, 0.01),
    ("general-scaled", GENERAL, [0, 0, 512, 512], 1, 4, 0.01),
    ("landscape-scaled", LANDSCAPE, [0, 0, 512, 288], 1, 4, 0.01),
]


def main(picture: pathlib.Path) -> None:
    rgb = cv2.cvtColor(cv2.imread(str(picture), cv2.IMREAD_COLOR), cv2.COLOR_BGR2RGB)
    entries = [write_golden(rgb, *case) for case in CASES]
    (HERE / "goldens.json").write_text(json.dumps(entries, indent=2) + "\n")


def write_golden(
    rgb: np.ndarray, name: str, model: str, crop: list, first: int, step: int, tolerance: float
) -> dict:
    x, y, width, height = crop
    frame = np.ascontiguousarray(rgb[y : y + height, x : x + width])
    mask = segment(frame, model)[first::step, first::step]
    file = HERE / f"{name}.pgm"
    header = f"P5 {mask.shape[1]} {mask.shape[0]} 255\n".encode()
    file.write_bytes(header + np.rint(np.clip(mask, 0, 1) * 255).astype(np.uint8).tobytes())
    return {
        "name": name,
        "mask": file.name,
        "model": model,
        "crop": crop,
        "first": first,
        "step": step,
        "tolerance": tolerance,
    }


def segment(frame: np.ndarray, model: str) -> np.ndarray:
    """The mask of one frame, at the frame's size; a fresh object, so that no frame sees another."""
    selection = {GENERAL: 0, LANDSCAPE: 1}[model]
    with mediapipe.solutions.selfie_segmentation.SelfieSegmentation(selection) as segmentation:
        mask = segmentation.process(frame).segmentation_mask
    if mask.shape != frame.shape[:2]:
        sys.exit(f"the mask is {mask.shape}, the frame {frame.shape[:2]}")
    return mask


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
