"""Renders clips of pictures that rest, sway and shake as a camera in the hand does, each frame with noise of its own.

usage: render_motion.py INPUT_DIR OUTPUT_DIR

OUTPUT_DIR gets NAME/NNNN.jpg for each picture, 30 frames a second, and truth.json:
{"rate": 30, "parts": [[KIND, FIRST, END]], "clips": {NAME: {"size": [WIDTH, HEIGHT], "motion": [[x, y, angle]]}}}.
A clip's motion has one entry a frame: the shift in pixels and the turn in radians, clockwise about the picture's middle.
Parts are `rest`, `slow` and `fast`, in frames. Motion and noise are the same on every machine.
"""
import json
import multiprocessing
import sys
from pathlib import Path

import numpy as np
from PIL import Image

RATE = 30
#: Seconds of each part, in turn. The last rest follows fast motion.
PARTS = (("rest", 3), ("slow", 4), ("rest", 2), ("fast", 3), ("rest", 2))
#: Amplitudes of shift (shares of the shorter side) and turn (degrees), and cycles a second: at most 0.08 sides and 6 degrees a
#: second in slow motion, 0.8 sides and 80 degrees a second in fast motion.
MOTIONS = {"rest": (0, 0, 1), "slow": (0.05, 4, 0.25), "fast": (0.1, 10, 1.25)}
#: The shorter side of a frame in pixels, at most.
SIDE = 480
#: Standard deviation of the noise, of 255: that of a webcam indoors.
NOISE = 3
#: Pillow's, about that of cameras that send JPEG.
JPEG_QUALITY = 90


def main(folder, output):
    paths = sorted(path for path in folder.iterdir() if path.suffix.lower() in (".jpg", ".jpeg", ".png"))
    with multiprocessing.Pool() as pool:
        clips = dict(pool.starmap(render, [(path, output / path.stem) for path in paths]))
    truth = {"rate": RATE, "parts": parts(), "clips": clips}
    (output / "truth.json").write_text(json.dumps(truth) + "\n")
    print(f"{len(clips)} clips of {len(path_of_motion())} frames in {output}")


def parts():
    """Kind, first frame and end of each part."""
    ends = np.cumsum([round(seconds * RATE) for _, seconds in PARTS]).tolist()
    return [[kind, first, end] for (kind, _), first, end in zip(PARTS, [0, *ends], ends)]


def path_of_motion():
    """Shift in shares of the shorter side, and turn in radians, of each frame."""
    rows = []
    for kind, seconds in PARTS:
        shift, angle, rate = MOTIONS[kind]
        time = np.arange(round(seconds * RATE)) / RATE
        # Starts and ends at rest.
        swell = np.sin(np.pi * time / seconds) ** 2
        phase = 2 * np.pi * rate * time
        rows.append(np.stack([shift * np.sin(phase), 0.5 * shift * np.sin(phase + 1),
                              np.radians(angle) * np.sin(phase + 2)], 1) * swell[:, None])
    return np.concatenate(rows)


def render(path, folder):
    """Writes a picture's clip; its name, and its entry of the truth."""
    folder.mkdir(parents=True, exist_ok=True)
    picture = Image.open(path).convert("RGB")
    scale = min(1, SIDE / min(picture.size))
    picture = picture.resize([round(scale * side) for side in picture.size], Image.LANCZOS)
    side = min(picture.size)
    margin = side // 3
    # Beyond the picture's edges, their colours go on.
    wide = Image.fromarray(np.pad(np.asarray(picture), ((margin, margin), (margin, margin), (0, 0)), mode="edge"))
    motion = path_of_motion() * [side, side, 1]
    random = np.random.default_rng(0)
    for number, (x, y, angle) in enumerate(motion):
        frame = np.asarray(moved(wide, margin, x, y, angle), np.float32)
        frame = frame + NOISE * random.standard_normal(frame.shape, np.float32)
        Image.fromarray(frame.round().clip(0, 255).astype(np.uint8)).save(
            folder / f"{number:04}.jpg", quality=JPEG_QUALITY)
    return path.stem, {"size": picture.size, "motion": motion.round(6).tolist()}


def moved(wide, margin, x, y, angle):
    """A picture that has margins, without them, after it was turned about its middle and then shifted."""
    size = wide.width - 2 * margin, wide.height - 2 * margin
    cosine, sine = np.cos(angle), np.sin(angle)
    middle_x, middle_y = size[0] / 2, size[1] / 2
    # From a place of the frame back to the picture's.
    left = middle_x - cosine * (middle_x + x) - sine * (middle_y + y) + margin
    top = middle_y + sine * (middle_x + x) - cosine * (middle_y + y) + margin
    return wide.transform(size, Image.AFFINE, (cosine, sine, left, -sine, cosine, top), Image.BICUBIC)


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
