"""Draws forest.jpg, a misty forest to stand in. usage: draw_forest.py OUT.jpg

Painted back to front: sky light, then layers of trees that fade into the mist with distance,
shafts of light, and the ground. The same picture every time.
"""

import pathlib
import sys

import numpy as np

import canvas
from canvas import HEIGHT, WIDTH, columns, mix, rows, save, shade, step

HORIZON = 700
MIST = np.array([0.84, 0.92, 0.74], np.float32)
BARK = np.array([0.085, 0.075, 0.055], np.float32)
LEAF = np.array([0.10, 0.20, 0.06], np.float32)
SUNLIT_LEAF = np.array([0.40, 0.46, 0.10], np.float32)
SUN = np.array([1.0, 0.97, 0.80], np.float32)

rng = np.random.default_rng(7)
# Light that comes in from above, right of the middle.
GLOW = np.exp(-(((columns - 1180) / 760) ** 2) - ((rows - 280) / 560) ** 2)


def main(out: pathlib.Path) -> None:
    picture = mist()
    for distance in np.linspace(1.0, 0.0, 7, dtype=np.float32):
        picture = paint_trees(picture, distance)
        picture = mix(picture, undergrowth(distance), ground_cover(distance))
        picture = mix(picture, shade(MIST, 1.0), 0.12 * distance * GLOW)
    picture = mix(picture, shade(SUN, 1.0), 0.34 * shafts())
    save(vignette(picture), out)


def noise(across: float, down: float, octaves: int = 4, height: int = HEIGHT) -> np.ndarray:
    return canvas.noise(rng, across, down, octaves, height)


def mist() -> np.ndarray:
    light = 0.62 + 0.42 * GLOW + 0.06 * (noise(700, 300) - 0.5)
    return shade(MIST, light)


def ground_line(distance: float) -> float:
    return HORIZON + (HEIGHT - HORIZON) * (1 - distance) ** 1.6 * 0.75


def fade(colour: np.ndarray, distance: float) -> np.ndarray:
    """Colour seen through the mist that lies between it and the camera."""
    clear = np.exp(-2.5 * distance)
    return shade(MIST, 0.55 + 0.38 * GLOW) * (1 - clear) + colour * clear


def undergrowth(distance: float) -> np.ndarray:
    texture = noise(60 * (1.4 - distance), 22 * (1.4 - distance), 5)
    lit = noise(500, 120, 3) * (0.4 + GLOW)
    colour = shade(LEAF, 0.35 + 1.4 * texture) + shade(SUNLIT_LEAF, 0.7 * lit * texture)
    return fade(colour, distance)


def ground_cover(distance: float) -> np.ndarray:
    hills = noise(260, 2000, 6, height=1) * 110 * (1.3 - distance)
    bushes = noise(30, 2000, 4, height=1) * 40 * (1.2 - distance)
    edge = ground_line(distance) - hills - bushes + 60 * (1.3 - distance)
    return step(-6, 6, rows - edge)


def paint_trees(picture: np.ndarray, distance: float) -> np.ndarray:
    trunks, across = np.zeros((2, HEIGHT, WIDTH), np.float32)
    for x in trunk_positions(distance):
        paint_trunk(trunks, across, x, distance)
    ridges = noise(14, 170)
    bark = shade(BARK, 0.5 + 1.5 * ridges) + shade(SUN, 0.22 * np.clip(across, 0, 1) * ridges)
    picture = mix(picture, fade(bark, distance), trunks)
    return mix(picture, fade(leaves(), distance), crown(distance))


def trunk_positions(distance: float) -> np.ndarray:
    """Where trunks stand; the near ones leave the middle, and the light, open."""
    x = rng.uniform(-40, WIDTH + 40, int(4 + 26 * distance))
    return x if distance > 0.3 else x[(x < 480) | (x > 1560)]


def paint_trunk(trunks: np.ndarray, across: np.ndarray, x: float, distance: float) -> None:
    """Adds one trunk to the coverage, and to the position across the trunk from -1 to 1."""
    width = 10 + 95 * (1 - distance) ** 2 * rng.uniform(0.6, 1.2)
    lean, sway = rng.uniform(-0.04, 0.04), rng.uniform(0, 6.28)
    window = np.s_[:, max(0, int(x - width - 70)) : max(0, int(x + width + 70))]
    height = (ground_line(distance) + 40 - rows[window]) / HEIGHT
    centre = x + lean * height * HEIGHT + 10 * np.sin(height * 3 + sway)
    half = width / 2 * (1 - 0.35 * height + 0.9 * np.exp(-np.maximum(height, 0) * 22))
    position = (columns[window] - centre) / half
    cover = step(1 + 1 / half, 1 - 1 / half, np.abs(position)) * (height > 0)
    across[window] = np.where(cover > 0.5, position, across[window])
    trunks[window] = np.maximum(trunks[window], cover)


def leaves() -> np.ndarray:
    dapple = step(0.35, 0.75, noise(26, 18, 3))
    light = (0.15 + GLOW) * (0.3 + 1.2 * noise(240, 130, 2))
    return shade(LEAF, 0.25 + 0.9 * dapple) + shade(SUNLIT_LEAF, 0.9 * light * dapple)


def crown(distance: float) -> np.ndarray:
    """Coverage of foliage: clumps of fine leaves that thin out downwards and in the middle."""
    reach = 230 + 130 * distance
    clumps = noise(260, 150, 3) + 0.9 * (0.25 - rows / reach) + 0.5 * np.abs(columns / WIDTH - 0.58)
    fine = noise(34 - 14 * distance, 24 - 10 * distance, 3)
    return step(0.49, 0.57, 0.62 * clumps + 0.5 * fine)


def shafts() -> np.ndarray:
    angle = (columns - 1300) / (rows + 500)
    pattern = np.interp(angle, np.linspace(-4, 4, 160), rng.random(160))
    return step(0.45, 1.0, pattern) * GLOW * step(60, 300, rows)


def vignette(picture: np.ndarray) -> np.ndarray:
    away = ((columns / WIDTH - 0.55) ** 2 + (rows / HEIGHT - 0.45) ** 2) * 1.1
    return np.clip(picture * (1 - away)[..., None], 0, 1) ** (1 / 1.25)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]))
