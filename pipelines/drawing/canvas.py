"""What drawings of backgrounds share: the size, noise, soft edges, layers, and the file."""

import pathlib
import subprocess
import tempfile

import numpy as np

WIDTH, HEIGHT = 1920, 1080
rows, columns = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)


def mix(below: np.ndarray, above: np.ndarray, coverage: np.ndarray | float) -> np.ndarray:
    return below + (above - below) * np.broadcast_to(coverage, (HEIGHT, WIDTH))[..., None]


def shade(colour: np.ndarray | tuple, amount: np.ndarray | float) -> np.ndarray:
    return np.asarray(colour, np.float32) * np.broadcast_to(amount, (HEIGHT, WIDTH))[..., None]


def ease(t: np.ndarray) -> np.ndarray:
    return t * t * (3 - 2 * t)


def step(low: float, high: float, value: np.ndarray) -> np.ndarray:
    return ease(np.clip((value - low) / (high - low), 0, 1))


def noise(rng, across: float, down: float, octaves: int = 4, height: int = HEIGHT) -> np.ndarray:
    """Smooth noise in 0...1 whose coarsest features are `across` by `down` pixels: its first `height` rows."""
    total, weight = np.zeros((height, WIDTH), np.float32), 0.0
    for octave in range(octaves):
        size = (int(HEIGHT / down * 2**octave) + 3, int(WIDTH / across * 2**octave) + 3)
        total += enlarge(rng.random(size, np.float32), height) / 2**octave
        weight += 1 / 2**octave
    return total / weight


def enlarge(grid: np.ndarray, height: int = HEIGHT) -> np.ndarray:
    """Bilinear, with smoothed steps, to the size of the picture; its first `height` rows."""
    y, x = (np.linspace(0, n - 1.001, m) for n, m in zip(grid.shape, (HEIGHT, WIDTH)))
    y = y[:height]
    top, left = y.astype(int), x.astype(int)
    v, u = ease(y - top)[:, None], ease(x - left)[None, :]
    wide = grid[:, left] * (1 - u) + grid[:, left + 1] * u
    return wide[top] * (1 - v) + wide[top + 1] * v


def ramp(value: np.ndarray, *stops: tuple) -> np.ndarray:
    """Colours between stops, each a place and a colour."""
    places = [place for place, _ in stops]
    return np.stack([np.interp(value, places, [colour[n] for _, colour in stops]) for n in range(3)], -1).astype(np.float32)


def rectangle(left: float, top: float, right: float, bottom: float, soft: float = 1) -> np.ndarray:
    """Coverage of a rectangle with soft edges, in pixels."""
    inside = np.minimum(np.minimum(columns - left, right - columns), np.minimum(rows - top, bottom - rows))
    return step(-soft, soft, inside)


def ellipse(x: float, y: float, width: float, height: float, soft: float = 0.05) -> np.ndarray:
    """Coverage of an ellipse with soft edges, which are a share of its radius."""
    away = np.hypot((columns - x) / width, (rows - y) / height)
    return 1 - step(1 - soft, 1 + soft, away)


def glow(x: float, y: float, width: float, height: float | None = None) -> np.ndarray:
    """Light that fades away from a place."""
    return np.exp(-(((columns - x) / width) ** 2) - ((rows - y) / (height or width)) ** 2)


def blur(picture: np.ndarray, radius: int) -> np.ndarray:
    """Out of focus: three means over squares, one after the other."""
    for _ in range(3):
        for axis in (0, 1):
            picture = mean(picture, radius, axis)
    return picture


def mean(picture: np.ndarray, radius: int, axis: int) -> np.ndarray:
    size = 2 * radius + 1
    edges = [(radius + 1, radius) if n == axis else (0, 0) for n in range(picture.ndim)]
    sums = np.cumsum(np.pad(picture.astype(np.float64), edges, mode="edge"), axis)
    length = picture.shape[axis]
    low, high = (np.take(sums, range(first, first + length), axis) for first in (0, size))
    return ((high - low) / size).astype(np.float32)


def vignette(picture: np.ndarray, amount: float = 0.8, x: float = 0.5, y: float = 0.45) -> np.ndarray:
    away = (columns / WIDTH - x) ** 2 + (rows / HEIGHT - y) ** 2
    return picture * (1 - amount * away)[..., None]


def developed(picture: np.ndarray, rng=None) -> np.ndarray:
    """Light as values of sRGB, with grain that hides steps in smooth places."""
    values = np.clip(picture, 0, 1) ** (1 / 2.2)
    if rng is not None:
        values = values + rng.normal(0, 0.006, (HEIGHT, WIDTH, 1)).astype(np.float32)
    return np.clip(values, 0, 1)


def save(picture: np.ndarray, out: pathlib.Path) -> None:
    """Writes values from 0 to 1 as a JPEG."""
    with tempfile.NamedTemporaryFile(suffix=".rgb") as raw:
        raw.write((picture * 255 + 0.5).astype(np.uint8).tobytes())
        raw.flush()
        caps = f"video/x-raw,format=RGB,width={WIDTH},height={HEIGHT},framerate=0/1"
        read = ["filesrc", f"location={raw.name}", f"blocksize={WIDTH * HEIGHT * 3}", "!", caps]
        write = ["videoconvert", "!", "jpegenc", "quality=90", "!", "filesink", f"location={out}"]
        subprocess.run(["gst-launch-1.0", "-q", *read, "!", *write], check=True)
