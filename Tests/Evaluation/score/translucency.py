"""Translucency: what is half transparent in the masks of a clip where no outline is, and flicker. Needs no truth.

Truth: a folder of frames, or a set with frames/. Columns: see-through, pixels with a coverage of 0.1 to 0.9 farther from the
outline of the mask (at 0.5) than 2 % of the frame's height, in thousandths of the frame, mean and worst frame; veil, those of
them outside of people; flicker, mean change of coverage from frame to frame, x1000, where the frame changes by less than 3/255.
Hair, glass and motion blur near an outline are no fault, and do not count.
"""
import numpy as np
from PIL import Image

from outlines import distance_to, outline
from pictures import ScoreError, predicted_mask
from pops import frames_in

#: Height at which frames and masks are compared, in pixels: enough for a limb, few enough for a quick look at a long clip.
HEIGHT = 240
#: Coverage that is neither person nor background.
HALF_TRANSPARENT = (0.1, 0.9)
#: How far from the outline soft edges reach, as a share of the height.
SOFT_EDGE = 0.02
#: Of 255: a smaller change of brightness is noise.
STILL = 3
COLUMNS = ("see-through", "worst", "veil", "flicker")


def add_options(command):
    """There are none."""


def score(arguments, pool):
    """The scores of the masks of a clip."""
    folder = arguments.truth / "frames"
    folder = folder if folder.is_dir() else arguments.truth
    paths = frames_in(folder)
    if not paths:
        raise ScoreError(f"{folder} has no frames (.jpg, .png).")
    pictures = [brightness(path) for path in paths]
    masks = [predicted_mask(arguments.pred, path.stem, picture.shape)[0] for path, picture in zip(paths, pictures)]
    return {arguments.truth.absolute().name: summary(pictures, masks)}


def brightness(path):
    """A frame at the height at which it is compared, 0 to 255."""
    with Image.open(path) as image:
        size = max(1, round(image.width * HEIGHT / image.height)), HEIGHT
        return np.asarray(image.convert("L").resize(size, Image.Resampling.BOX), np.float32)


def summary(pictures, masks):
    """The measures of a clip by their names."""
    inside, outside = zip(*map(translucency, masks))
    through = np.add(inside, outside)
    pairs = list(zip(zip(pictures, masks), zip(pictures[1:], masks[1:])))
    changes = [c for c in (flicker(*before, *after) for before, after in pairs) if c is not None]
    return {"see-through": float(through.mean()), "worst": float(through.max()), "veil": float(np.mean(outside)),
            "flicker": float(np.mean(changes)) if changes else None}


def translucency(mask):
    """Thousandths of the frame that are half transparent away from any outline: inside of people, and outside."""
    soft = (mask > HALF_TRANSPARENT[0]) & (mask < HALF_TRANSPARENT[1])
    person = mask > 0.5
    edges = outline(person)
    far = distance_to(edges) > SOFT_EDGE * mask.shape[0] if edges.any() else np.ones(mask.shape, bool)
    return 1000 * float((soft & person & far).mean()), 1000 * float((soft & ~person & far).mean())


def flicker(picture, mask, next_picture, next_mask):
    """The mean change of coverage where the picture stands still; None where it moves everywhere."""
    still = np.abs(next_picture - picture) < STILL
    return 1000 * float(np.abs(next_mask - mask)[still].mean()) if still.any() else None


def report(scores):
    """Prints a line for each clip."""
    for name, measures in scores.items():
        print(f"{name}: " + ", ".join(f"{column} {cell(measures[column])}" for column in COLUMNS))


def cell(value):
    return "-" if value is None else f"{value:.2f}"
