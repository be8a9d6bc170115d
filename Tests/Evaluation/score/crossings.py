"""Clips of cut-out people who cross, hide behind each other and come back, with label maps, to score ids with.

  crossings.py SET OUTPUT_DIR [--seed N]

SET has images/ and alpha/ of the same base names, one upper body each. Every clip becomes OUTPUT_DIR/NAME/frames and
OUTPUT_DIR/NAME/truth: 150 frames of 640x360, 25 a second, with sensor noise.
"""
import argparse
import random
from pathlib import Path

import numpy as np
from PIL import Image

WIDTH, HEIGHT, FRAMES, RATE = 640, 360, 150, 25


def cross(t):
    """Both walk to where the other was."""
    return [(.18 + .64 * t / 6, .8), (.82 - .64 * t / 6, .75)]


def leave(t):
    """One leaves after a second and is back after four."""
    return [(.25, .75), (.8 + min(.5, max(0, t - 1) * .5) if t < 4 else max(.8, 1.3 - (t - 4) * .5), .8)]


def hide(t):
    """One steps in front of the other for a second and a half."""
    return [(.55, .7), (.15 + .4 * min(1, t / 2) if t < 3.5 else .55 + .35 * min(1, (t - 3.5) / 2), .95)]


def stay(t):
    """Three move a little."""
    return [(.25 + .1 * np.sin(t), .7), (.55 + .02 * np.sin(2 * t), .75), (.85 - .08 * np.sin(1.3 * t), .72)]


CLIPS = {"cross": cross, "leave": leave, "hide": hide, "stay": stay}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("set", type=Path)
    parser.add_argument("output", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for name, motion in CLIPS.items():
        mattes = sorted((arguments.set / "alpha").iterdir())
        people = [cut_out(arguments.set, m) for m in random.Random(arguments.seed).sample(mattes, 3)]
        write(arguments.output / name, people, motion, np.random.RandomState(arguments.seed))


def cut_out(data, matte):
    """A person and their alpha, without the margin."""
    alpha = Image.open(matte).convert("L")
    box = alpha.point(lambda value: 255 * (value > 127)).getbbox()
    picture = next((data / "images").glob(f"{matte.stem}.*"))
    return Image.open(picture).convert("RGB").crop(box), alpha.crop(box)


def write(folder, people, motion, noise):
    for name in ("frames", "truth"):
        (folder / name).mkdir(parents=True, exist_ok=True)
    room = wall(noise)
    for number in range(FRAMES):
        frame, labels = room.copy(), np.zeros((HEIGHT, WIDTH), np.uint8)
        for label, (person, place) in enumerate(zip(people, motion(number / RATE)), 1):
            paste(frame, labels, label, *person, *place)
        frame = np.clip(frame + noise.normal(0, 3, frame.shape), 0, 255).astype(np.uint8)
        Image.fromarray(frame).save(folder / "frames" / f"{number:03}.png")
        Image.fromarray(labels).save(folder / "truth" / f"{number:03}.png")


def wall(noise):
    """Soft patches on a gradient."""
    patches = Image.fromarray((noise.rand(12, 20, 3) * 60).astype(np.uint8)).resize((WIDTH, HEIGHT), Image.BICUBIC)
    light = np.linspace(40, 130, WIDTH)[None, :, None] + np.linspace(0, 40, HEIGHT)[:, None, None]
    return np.clip(light + [0, 10, 25] + np.asarray(patches, float), 0, 255)


def paste(frame, labels, label, person, alpha, x, height):
    """Puts a person, so high as a share of the frame, on its lower edge with the middle at `x`."""
    high = int(height * HEIGHT)
    wide = int(person.width * high / person.height)
    left = int(x * WIDTH - wide / 2)
    start, end = max(0, left), min(WIDTH, left + wide)
    if end <= start:
        return
    columns = slice(start - left, end - left)
    colors = np.asarray(person.resize((wide, high)), float)[:, columns]
    cover = np.asarray(alpha.resize((wide, high)), float)[:, columns, None] / 255
    below = frame[HEIGHT - high:, start:end]
    frame[HEIGHT - high:, start:end] = below + (colors - below) * cover
    labels[HEIGHT - high:, start:end][cover[..., 0] > .5] = label


if __name__ == "__main__":
    main()
