"""Pops: what appears in the mask of one frame, or disappears from it, beside both neighbours.

Truth: a folder of frames, or a set with frames/; no mask of it is needed. Both neighbouring masks are moved along the
motion of the frames (block matching). Where they agree and the frames match, coverage beyond both of them counts, unless
it lies as near to their outline as two equal outlines may (0.75 % of the diagonal). Columns: the worst frame's share of
the person in per cent, that frame, and the share of frames above 3 %.
"""
import numpy as np
from PIL import Image
from scipy import ndimage

from outlines import BOUNDARY_TOLERANCE
from pictures import ScoreError, predicted_mask

ENDINGS = (".jpg", ".jpeg", ".png")
#: Frames: one with both neighbours.
FEWEST = 3
#: A share of the person that is seen as a pop.
VISIBLE = 0.03
#: Longer side of the frames in which motion is searched for, in pixels.
LONGEST_SIDE = 320
#: The fastest motion that is found, in pixels of such a frame, in each direction.
FASTEST = 16
#: Side of the square that is compared, in the same pixels.
BLOCK = 9
#: What a pixel of motion must gain in mean absolute difference, of 255, so that flat areas stand still.
COST_OF_MOTION = 0.1
#: A mean absolute difference, of 255, up to which frames match; sensor noise of a sigma of 3 makes 3.4.
MATCHING = 12
#: Coverage by which both neighbours may differ and agree.
AGREEMENT = 0.25


def add_options(command):
    """There are none."""


def has_frames(folder):
    """Whether a set has enough frames to be scored."""
    return (folder / "frames").is_dir() and len(frames_in(folder / "frames")) >= FEWEST


def frames_in(folder):
    """The pictures of a clip, in name order."""
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in ENDINGS)


def score(arguments, pool):
    """The pops of the masks of a clip."""
    folder = arguments.truth / "frames"
    folder = folder if folder.is_dir() else arguments.truth
    name = arguments.truth.absolute().name
    inner = arguments.pred / name
    return {name: score_clip(folder, inner if inner.is_dir() else arguments.pred, pool)}


def score_clip(folder, predictions, pool):
    """What is said about the masks in `predictions` of the frames in `folder`."""
    paths = frames_in(folder)
    if len(paths) < FEWEST:
        raise ScoreError(f"{folder} has fewer than {FEWEST} frames (.jpg, .png).")
    jobs = [(paths[n - 1:n + 2], predictions) for n in range(1, len(paths) - 1)]
    return summary(pool.map(score_frame, jobs, 1))


def score_frame(job):
    """Base name and pop of the middle one of three frames."""
    paths, predictions = job
    frames = [picture(path) for path in paths]
    shape = frames[1].shape
    masks = [predicted_mask(predictions, path.stem, shape)[0] for path in paths]
    return paths[1].stem, pop(frames, masks)


def picture(path):
    """The brightness of a frame at the size at which motion is searched for, 0 to 255."""
    with Image.open(path) as image:
        scale = min(1, LONGEST_SIDE / max(image.size))
        size = [max(2 * BLOCK, round(side * scale)) for side in image.size]
        return np.asarray(image.convert("L").resize(size, Image.Resampling.BOX), np.float32)


def pop(frames, masks):
    """The coverage of the middle mask beyond both neighbours, as a share of the person."""
    frame, mask = frames[1], masks[1]
    moved = [moved_along(frame, frames[n], masks[n]) for n in (0, 2)]
    (before, matches_before), (after, matches_after) = moved
    counts = matches_before & matches_after & (np.abs(before - after) <= AGREEMENT)
    side = 2 * round(max(1, BOUNDARY_TOLERANCE * np.hypot(*mask.shape))) + 1
    most = ndimage.maximum_filter(np.maximum(before, after), side)
    least = ndimage.minimum_filter(np.minimum(before, after), side)
    beyond = np.maximum(np.maximum(mask - most, least - mask), 0)
    person = np.mean([m.sum() for m in masks])
    return float(beyond[counts].sum() / person) if person else 0.0


def moved_along(frame, other, mask):
    """The mask of `other` moved to where things are in `frame`, and where the two frames match."""
    rows, columns, difference = motion(frame, other)
    return ndimage.map_coordinates(mask, [rows, columns], order=1, mode="nearest"), difference <= MATCHING


def motion(frame, other):
    """For each pixel of `frame` its row and column in `other`, and the mean absolute difference of its block there."""
    half = [ndimage.zoom(f, 0.5, order=1) for f in (frame, other)]
    steps = range(-FASTEST // 2, FASTEST // 2 + 1)
    still = np.zeros(half[0].shape, np.int32)
    down, right, _ = best(*half, still, still, [(y, x) for y in steps for x in steps])
    grid = np.indices(frame.shape)
    place = tuple(np.minimum(g // 2, s - 1) for g, s in zip(grid, half[0].shape))
    near = [(y, x) for y in (-1, 0, 1) for x in (-1, 0, 1)]
    down, right, difference = best(frame, other, 2 * down[place], 2 * right[place], near)
    return grid[0] + down, grid[1] + right, difference


def best(frame, other, down, right, steps):
    """The best of the motions `steps` away from (down, right), and the mean absolute difference of the blocks."""
    height, width = frame.shape
    rows, columns = np.indices(frame.shape)
    found = [down, right, np.full(frame.shape, np.inf, np.float32)]
    lowest = found[2].copy()
    # Standing still is tried as well, because the coarse search may have missed it.
    trials = [(down + y, right + x) for y, x in steps] + [(np.zeros_like(down), np.zeros_like(right))]
    for y, x in trials:
        there = other[np.clip(rows + y, 0, height - 1), np.clip(columns + x, 0, width - 1)]
        difference = ndimage.uniform_filter(np.abs(frame - there), BLOCK, mode="nearest")
        cost = difference + COST_OF_MOTION * np.hypot(y, x)
        better = cost < lowest
        lowest = np.where(better, cost, lowest)
        found = [np.where(better, new, old) for new, old in zip((y, x, difference), found)]
    return found


def summary(rows):
    worst = max(rows, key=lambda row: row[1])
    above = [(stem, round(100 * share, 2)) for stem, share in rows if share > VISIBLE]
    return {"worst": 100 * worst[1], "frame": worst[0], "share": len(above) / len(rows), "above": above}


def report(scores):
    """Prints a line for each clip."""
    for name, s in scores.items():
        print(line(name, s))


def line(name, s):
    frames = "".join(f"  {stem} {share:.1f} %" for stem, share in s["above"])
    return f"{name}: worst pop {s['worst']:.2f} % (frame {s['frame']}), above {VISIBLE:.0%}: {s['share']:.3f} of the frames{frames}"
