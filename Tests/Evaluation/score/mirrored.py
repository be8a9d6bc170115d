"""Writes the mirror image of a set: mirrored.py SET OUTPUT

Pictures, truth and what is left out are mirrored from left to right, and keep their base names.
"""
import sys
from pathlib import Path

from PIL import Image, ImageOps

FOLDERS = ("images", "frames", "alpha", "masks", "instances", "ignore")


def main():
    source, target = map(Path, sys.argv[1:])
    for name in FOLDERS:
        for path in sorted((source / name).glob("*")):
            mirror(path, target / name / f"{path.stem}.png")


def mirror(path, target):
    target.parent.mkdir(parents=True, exist_ok=True)
    with Image.open(path) as image:
        ImageOps.exif_transpose(image).transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(target, compress_level=1)


if __name__ == "__main__":
    main()
