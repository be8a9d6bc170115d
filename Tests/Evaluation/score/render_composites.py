"""Puts cut-out people before pieces of photos without people.

usage: render_composites.py PORTRAITS PHOTOS OUTPUT SEED [NAME]...

PORTRAITS is a set with images/ and alpha/, PHOTOS one with images/ and instances/. OUTPUT gets images/ and alpha/, a picture for
each portrait, of its name. Backgrounds are taken in turns, in an order that SEED decides; every second is mirrored by chance.
Photos of the names NAME are left out.
"""
import sys
from pathlib import Path

import numpy as np
from PIL import Image
from scipy import ndimage

#: The shorter side of a background in pixels, at least: less would be blurred before a portrait.
SMALLEST = 160
#: Pixels of a photo by which the places of a background are rounded.
STEP = 16
#: Alpha from which a pixel has the person's own colour.
OPAQUE = 0.98
#: About that of cameras.
JPEG_QUALITY = 92


def main():
    portraits, photos, output = map(Path, sys.argv[1:4])
    random = np.random.default_rng(int(sys.argv[4]))
    paths = [path for path in sorted((photos / "images").iterdir()) if path.stem not in sys.argv[5:]]
    backgrounds = [found for path in paths if (found := background(path, photos)) is not None]
    if not backgrounds:
        sys.exit(f"{photos} has no photo with a large piece without people.")
    order = random.permutation(len(backgrounds))
    for name in ("images", "alpha"):
        (output / name).mkdir(parents=True, exist_ok=True)
    mattes = sorted((portraits / "alpha").glob("*.png"))
    for number, path in enumerate(mattes):
        alpha = np.asarray(Image.open(path).convert("L"), np.float32) / 255
        image = np.asarray(Image.open(next((portraits / "images").glob(f"{path.stem}.*"))).convert("RGB"), np.float32)
        behind = piece(backgrounds[order[number % len(order)]], alpha.shape, random)
        picture = behind + alpha[..., None] * (own_colors(image, alpha) - behind)
        Image.fromarray(np.rint(picture).astype(np.uint8)).save(output / "images" / f"{path.stem}.jpg", quality=JPEG_QUALITY)
        Image.open(path).save(output / "alpha" / path.name)
    print(f"{len(mattes)} portraits before {len(backgrounds)} backgrounds in {output}")


def background(path, photos):
    """The largest piece of a photo without people; None if it is small."""
    people = np.asarray(Image.open(photos / "instances" / f"{path.stem}.png")) > 0
    left, top, right, bottom = largest_empty(people, STEP)
    if min(right - left, bottom - top) < SMALLEST:
        return None
    return Image.open(path).convert("RGB").crop((left, top, right, bottom))


def largest_empty(occupied, step):
    """The largest rectangle without a true value, its corners multiples of `step`: left, top, right, bottom."""
    rows, columns = (side // step for side in occupied.shape)
    cells = occupied[:rows * step, :columns * step].reshape(rows, step, columns, step).any((1, 3))
    best, found = 0, (0, 0, 0, 0)
    heights = np.zeros(columns, int)
    for bottom in range(rows):
        heights = np.where(cells[bottom], 0, heights + 1)
        for left in range(columns):
            lowest = np.minimum.accumulate(heights[left:])
            areas = lowest * np.arange(1, columns - left + 1)
            width = int(areas.argmax()) + 1
            if areas[width - 1] > best:
                best = areas[width - 1]
                found = (left, bottom + 1 - lowest[width - 1], left + width, bottom + 1)
    return tuple(int(side) * step for side in found)


def piece(background, shape, random):
    """A part of a background that fills a picture of `shape`, enlarged or reduced to it."""
    height, width = shape
    scale = max(width / background.width, height / background.height)
    size = [max(side, round(scale * length)) for side, length in zip((width, height), background.size)]
    left, top = (random.integers(0, length - side + 1) for length, side in zip(size, (width, height)))
    samples = np.asarray(background.resize(size, Image.Resampling.LANCZOS), np.float32)[top:top + height, left:left + width]
    return samples[:, ::-1] if random.random() < 0.5 else samples


def own_colors(image, alpha):
    """The person's colours: soft pixels, which show the old background too, have that of the nearest opaque one."""
    places = ndimage.distance_transform_edt(alpha < OPAQUE, return_distances=False, return_indices=True)
    return image[tuple(places)]


if __name__ == "__main__":
    main()
