"""The options of webcam and the other live programs. Does without GStreamer, so that --help always works."""
import argparse
import os
import pathlib
import re

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent
SETUP = pathlib.Path(os.environ.get("GST_PEOPLE_SETUP_DIR") or CHECKOUT / ".gst-people")
CLIP = SETUP / "media/demovideo.mp4"
STATUS = "exit status: 0 ended or stopped with Control-C, 1 failed, 2 wrong options, 3 no camera or screen"


def parser(program, description, camera):
    """A parser with what the programs know; `camera` is what they call the camera's option."""
    options = argparse.ArgumentParser(prog=f"pipelines/{program}", description=description, epilog=STATUS)
    options.add_argument(
        camera, dest="camera", metavar="/dev/videoN", help="the camera; the first one unless given"
    )
    options.add_argument(
        "--size",
        type=size,
        metavar="WxH",
        help="one of the camera's sizes; the one nearest to 1280x720 unless given",
    )
    options.add_argument("--quality", choices=["fast", "balanced", "accurate"], default="fast")
    options.add_argument("--mirror", action="store_true", help="swap left and right, as a mirror does")
    options.add_argument("--stand-in", action="store_true", help="use the packaged clip instead of a camera")
    tests = options.add_argument_group("for tests", "pieces of a gst-launch-1.0 line")
    tests.add_argument("--source", metavar="ELEMENTS", help="instead of a camera; must not end in caps")
    tests.add_argument("--sink", metavar="ELEMENTS", help="where the pictures go; the clip plays once")
    return options


def add_background(options):
    """Adds the choice of what stands behind the people."""
    behind = options.add_mutually_exclusive_group()
    behind.add_argument(
        "--background",
        metavar="FILE",
        default=str(CHECKOUT / "forest.jpg"),
        help="a picture or a clip behind the people; forest.jpg unless given",
    )
    behind.add_argument("--blur", type=blur, metavar="N", help="blur what is behind them, 1 to 100")
    behind.add_argument("--color", type=color, metavar="RRGGBB", help="a colour behind them, such as 00b140")
    return options


def size(text):
    numbers = re.fullmatch(r"([1-9]\d{0,4})x([1-9]\d{0,4})", text)
    if not numbers:
        raise argparse.ArgumentTypeError(f"{text!r} is not a size such as 1280x720")
    return int(numbers[1]), int(numbers[2])


def blur(text):
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 100:
        raise argparse.ArgumentTypeError(f"{text!r} is not a number from 1 to 100")
    return int(text)


def color(text):
    if not re.fullmatch("#?[0-9A-Fa-f]{6}", text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a colour such as 00b140 (red, green, blue)")
    return 0xFF000000 | int(text.lstrip("#"), 16)
