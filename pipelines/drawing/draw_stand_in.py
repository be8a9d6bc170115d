"""Makes a clip that stands in for a camera: a portrait before a camera in somebody's hand.

usage: draw_stand_in.py PORTRAIT.png OUT.webm

The portrait has 512x512 pixels. The clip ends as it begins, and needs nothing but GStreamer's base and good plugins.
"""

import pathlib
import subprocess
import sys

import numpy as np

SIDE, WIDTH, HEIGHT, RATE, SECONDS = 512, 640, 480, 25, 8


def main(portrait: pathlib.Path, out: pathlib.Path) -> None:
    picture = read(portrait)
    source = ["fdsrc", f"blocksize={WIDTH * HEIGHT * 3}", "!", "rawvideoparse", "format=rgb"]
    source += [f"width={WIDTH}", f"height={HEIGHT}", f"framerate={RATE}/1"]
    encode = ["videoconvert", "!", "vp8enc", "end-usage=cq", "cq-level=14", "target-bitrate=1500000", "deadline=1", "cpu-used=2"]
    write = ["webmmux", "!", "filesink", f"location={out}"]
    with subprocess.Popen(["gst-launch-1.0", "-q", *source, "!", *encode, "!", *write], stdin=subprocess.PIPE) as program:
        for number in range(RATE * SECONDS):
            program.stdin.write(view(picture, number / (RATE * SECONDS)).tobytes())
        program.stdin.close()
    if program.returncode:
        sys.exit(f"{out} could not be written.")


def read(path: pathlib.Path) -> np.ndarray:
    line = ["filesrc", f"location={path}", "!", "pngdec", "!", "videoconvert", "!", "video/x-raw,format=RGB", "!", "fdsink"]
    bytes_ = subprocess.run(["gst-launch-1.0", "-q", *line], check=True, capture_output=True).stdout
    return np.frombuffer(bytes_, np.uint8).reshape(SIDE, SIDE, 3).astype(np.float32)


def view(picture: np.ndarray, time: float) -> np.ndarray:
    """The part of the picture that is seen at a time, 0 to 1 of the clip."""
    turn = 2 * np.pi * time
    scale = (436 + 20 * np.sin(turn)) / WIDTH
    angle = np.radians(1.6) * np.sin(2 * turn + 0.7)
    x, y = 248 + 13 * np.sin(turn + 1.9) + 4 * np.sin(3 * turn), 196 + 7 * np.sin(2 * turn) + 3 * np.sin(5 * turn + 1)
    down, across = np.mgrid[0:HEIGHT, 0:WIDTH].astype(np.float32)
    down, across = (down - HEIGHT / 2) * scale, (across - WIDTH / 2) * scale
    return sampled(picture, y + across * np.sin(angle) + down * np.cos(angle), x + across * np.cos(angle) - down * np.sin(angle))


def sampled(picture: np.ndarray, y: np.ndarray, x: np.ndarray) -> np.ndarray:
    """Bilinear; beyond the edges the picture is mirrored."""
    y, x = (np.clip(SIDE - 1.001 - np.abs(SIDE - 1.001 - np.abs(place)), 0, SIDE - 1.001) for place in (y, x))
    top, left = y.astype(int), x.astype(int)
    v, u = (y - top)[..., None], (x - left)[..., None]
    above = picture[top, left] * (1 - u) + picture[top, left + 1] * u
    below = picture[top + 1, left] * (1 - u) + picture[top + 1, left + 1] * u
    return (above * (1 - v) + below * v + 0.5).astype(np.uint8)


if __name__ == "__main__":
    main(pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2]))
