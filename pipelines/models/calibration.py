"""Makes the inputs that show networks what is typical for them, of raw RGB files named *_WIDTHxHEIGHT_*.rgb."""

import pathlib

import numpy as np

#: Width and height of inputs, in pixels; cut out of every frame that is large enough and not much larger.
SIZES = [(448, 288), (384, 256), (320, 288), (256, 352), (224, 416), (192, 480)]
#: A frame's area is at most so many times that of a cut: a crop is laid around people.
LARGEST_RATIO = 4
#: For reproducible places of the cuts.
SEED = 20


def cuts(folder: pathlib.Path) -> list[np.ndarray]:
    """MODNet's inputs of shape [1, 3, height, width] from -1 to 1: a whole frame, or a part as around a person."""
    random = np.random.default_rng(SEED)
    found = []
    for number, file in enumerate(sorted(folder.glob("*.rgb"))):
        frame = _frame(file)
        height, width = frame.shape[:2]
        fitting = [
            (w, h) for w, h in SIZES if w <= width and h <= height and width * height <= LARGEST_RATIO * w * h]
        if fitting:
            w, h = fitting[number % len(fitting)]
            left, top = random.integers(width - w + 1), random.integers(height - h + 1)
            found.append(_tensor(frame[top : top + h, left : left + w]))
    return found


def squares(folder: pathlib.Path) -> list[np.ndarray]:
    """U2-Net's inputs of shape [1, height, width, 3] from 0 to 1: every file as it is."""
    return [_frame(file)[None] / np.float32(255) for file in sorted(folder.glob("*.rgb"))]


def _frame(file: pathlib.Path) -> np.ndarray:
    width, height = map(int, file.stem.split("_")[1].split("x"))
    return np.fromfile(file, np.uint8).reshape(height, width, 3)


def _tensor(pixels: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(pixels.transpose(2, 0, 1)[None] / np.float32(127.5) - np.float32(1))
