"""Jitter at rest and lag in motion, on clips that `Tests/evaluate motion` has rendered.

Truth: {"rate": FRAMES_PER_SECOND, "parts": [[KIND, FIRST, END]], "clips": {NAME: {"size": [WIDTH, HEIGHT], "motion":
[[x, y, angle]]}}}: per frame the shift in pixels and the turn in radians, clockwise about the frame's middle. Predictions:
{"images": {"NAME/NNNN.jpg": {...}}} with people, hands or faces, as `Tests/evaluate bodies|hands|faces` write them. In
each clip the largest one of its first frame is followed.

found            share of the frames in which it was found
jitter           mean distance of a point from where it was a frame before, in parts at rest after their first second, in
                 thousandths of the size: of the torso's diagonal, the hand's box, or the distance of the outer eye corners.
                 The median of the points. Points outside the frame do not count
jitter_shoulders the same of a person's shoulders, in thousandths of their distance
jitter_angles    the same of the angles of faces, in thousandths of a degree
lag_slow, lag_fast
                 milliseconds by which the points follow slow and fast motion: those with which the motion fits them best
error_fast       the distance, in fast motion, of a point from where it should be without any lag; in thousandths of the size
lag_angles       as lag_fast, of the roll of faces

Of each, the mean and the median over clips.
"""
import json

import numpy as np
from scipy.interpolate import CubicSpline
from scipy.optimize import minimize_scalar

from bodies import JOINTS

#: Seconds after which filters have settled.
SETTLED = 1
#: Lags that are looked for, in seconds.
LAGS = (-0.1, 0.4)
#: The corners of the eyes in iBUG's order.
EYES = (36, 45)


def add_options(command):
    """There are none."""


def score(arguments, pool):
    """Means and medians over clips."""
    truth, images = (json.loads(path.read_text()) for path in (arguments.truth, arguments.pred))
    jobs = [(clip, truth["parts"], truth["rate"], frames_of(images["images"], name, len(clip["motion"])))
            for name, clip in truth["clips"].items()]
    rows = pool.map(score_clip, jobs, 1)
    keys = dict.fromkeys(key for row in rows for key in row)
    figures = {key: [row[key] for row in rows if row.get(key) is not None] for key in keys}
    return {"clips": len(rows), **{key: {"mean": float(np.mean(values)), "median": float(np.median(values))}
                                    for key, values in figures.items() if values}}


def frames_of(images, name, count):
    """What was found in each frame of a clip."""
    frames = [{}] * count
    for path, found in images.items():
        clip, _, file = path.rpartition("/")
        if clip == name:
            frames[int(file.rsplit(".", 1)[0])] = found
    return frames


def score_clip(job):
    """The figures of one clip."""
    clip, parts, rate, frames = job
    things = followed([next(iter(found.values()), []) for found in frames])
    seen = [thing is not None for thing in things]
    scores = {"found": float(np.mean(seen))}
    if np.mean(seen) < 0.5:
        return scores
    points = arranged([thing and places(thing) for thing in things])
    motion = Motion(clip, rate)
    rest = [range(first + SETTLED * rate, end) for kind, first, end in parts if kind == "rest"]
    size = size_of(np.nanmedian(points[rest[0]], 0), next(thing for thing in things if thing))
    # A point at the edge leaves the frame when the picture moves.
    inside = ((points >= 0) & (points < clip["size"])).all(2)[np.concatenate(rest)].all(0)
    if not inside.any():
        return scores
    scores["jitter"] = 1000 * float(np.median(steps(points[:, inside], rest))) / size
    for kind, first, end in parts:
        if kind != "rest":
            scores[f"lag_{kind}"], error = motion.lag(points[:, inside], range(first, end))
        if kind == "fast":
            scores["error_fast"] = 1000 * error / size
    first = next(thing for thing in things if thing)
    if "joints" in first:
        width = np.linalg.norm(np.nanmedian(points[rest[0], 0] - points[rest[0], 1], 0))
        scores["jitter_shoulders"] = 1000 * float(np.mean(steps(points[:, :2], rest))) / width
    if "roll_deg" in first:
        names = ("roll_deg", "yaw_deg", "pitch_deg")
        angles = arranged([thing and np.array([[thing[name]] for name in names]) for thing in things])
        scores["jitter_angles"] = 1000 * float(np.mean(steps(angles, rest)))
        fast = next(range(first, end) for kind, first, end in parts if kind == "fast")
        scores["lag_angles"] = motion.lag_of_roll(np.radians(angles[:, 0, 0]), fast)
    return scores


def followed(frames):
    """The largest thing of the first frame that has any, from frame to frame; None where it is missing."""
    last, things = None, []
    for found in frames:
        if last is None:
            thing = max(found, key=extent, default=None)
        else:
            thing = min(found, key=lambda one: distance(one, last), default=None)
            if thing and distance(thing, last) > extent(last):
                thing = None
        things.append(thing)
        last = thing or last
    return things


def places(thing):
    """The points of a thing, or the joints of a person."""
    if "joints" in thing:
        return np.array([thing["joints"][joint][:2] for joint in JOINTS], float)
    return np.array([point[:2] for point in thing["points"]], float)


def extent(thing):
    """The longer side of the box around the points."""
    return np.ptp(places(thing), 0).max()


def distance(one, other):
    """Mean distance of the points."""
    return np.linalg.norm(places(one) - places(other), axis=1).mean()


def arranged(rows):
    """Frames x points x coordinates; NaN where nothing was found."""
    shape = next(row.shape for row in rows if row is not None)
    return np.array([np.full(shape, np.nan) if row is None else row for row in rows])


def size_of(points, thing):
    """The size of a thing to which distances are related, in pixels."""
    if "joints" in thing:
        places = dict(zip(JOINTS, points))
        return max(np.linalg.norm(places["left-shoulder"] - places["right-hip"]),
                   np.linalg.norm(places["right-shoulder"] - places["left-hip"]))
    if len(points) == 68:
        return np.linalg.norm(points[EYES[0]] - points[EYES[1]])
    return np.ptp(points, 0).max()


def steps(points, parts):
    """The mean distance of each point from where it was a frame before."""
    return np.nanmean(np.concatenate(
        [np.linalg.norm(np.diff(points[part], axis=0), axis=2) for part in parts]), 0)


class Motion:
    """The motion of a clip, at any time."""

    def __init__(self, clip, rate):
        motion = np.array(clip["motion"], float)
        self.rate, self.middle = rate, np.array(clip["size"]) / 2
        self.at = CubicSpline(np.arange(len(motion)) / rate, motion)

    def lag(self, points, part):
        """The lag of points in milliseconds, and their mean distance in pixels from where they would be without lag.

        Each point keeps its place in the picture, which is what fits best.
        """
        part, places = np.array(part), points[part]
        result = minimize_scalar(lambda lag: self.misfit(places, part, lag), bounds=LAGS, method="bounded")
        return 1000 * float(result.x), float(np.nanmean(np.linalg.norm(self.errors(places, part, 0), axis=2)))

    def misfit(self, places, part, lag):
        """The mean squared distance of the points from where they would be with this lag."""
        return np.nanmean(self.errors(places, part, lag) ** 2)

    def errors(self, places, part, lag):
        """Differences from the mean places in the picture, as the motion with this lag shows them."""
        moved = self.at(part / self.rate - lag)
        shift, angle = moved[:, None, :2], moved[:, None, 2]
        x, y = np.moveaxis(places - self.middle - shift, 2, 0)
        still = np.stack([np.cos(angle) * x + np.sin(angle) * y, np.cos(angle) * y - np.sin(angle) * x], 2)
        return still - np.nanmean(still, 0)

    def lag_of_roll(self, roll, part):
        """The lag of an angle in milliseconds; its sign may be the other one."""
        part, roll = np.array(part), np.unwrap(roll[part])

        def misfit(lag, sign):
            rest = roll - sign * self.at(part / self.rate - lag)[:, 2]
            return np.nanvar(rest)
        results = [minimize_scalar(misfit, bounds=LAGS, method="bounded", args=(sign,)) for sign in (-1, 1)]
        return 1000 * float(min(results, key=lambda result: result.fun).x)


def report(scores):
    """Prints the figures."""
    for key, value in scores.items():
        if isinstance(value, dict):
            value = "  ".join(f"{name} {number:.2f}" for name, number in value.items())
        print(f"{key:16}", value)
