"""Compares two pictures in sRGB: prints the mean and the largest difference of their samples, and how many differ by more than 2.

    python3 Tests/Scripts/compare_pictures.py ONE OTHER

Pillow decodes both, and LittleCMS applies their profiles.
"""

import io
import sys

import numpy as np
from PIL import Image, ImageCms


def samples(path: str) -> np.ndarray:
    image = Image.open(path)
    profile = image.info.get("icc_profile")
    if profile and image.mode == "RGB":
        source = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        image = ImageCms.profileToProfile(image, source, ImageCms.createProfile("sRGB"), outputMode="RGB")
    return np.asarray(image.convert("RGB")).astype(int)


def main() -> None:
    one, other = samples(sys.argv[1]), samples(sys.argv[2])
    if one.shape != other.shape:
        sys.exit(f"{one.shape} and {other.shape}")
    difference = np.abs(one - other)
    print(difference.mean(), difference.max(), int((difference > 2).sum()))


if __name__ == "__main__":
    main()
