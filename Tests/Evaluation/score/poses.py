"""Bodies in space: JSON files as `Tests/evaluate renders` and `Tests/evaluate bodies` write them, metres.

{"field-of-view": DEGREES, "images": {NAME: {"size": [WIDTH, HEIGHT], "people": [{"joints": {JOINT: [x, y, ...]},
"joints-3d": {JOINT: [x, y, z]}, "height": METRES, "camera-position": [x, y, z], "body-height": METRES,
"height-estimation": "measured"}]}}}; x to the right, y up, z towards the camera. Compared are left and right shoulder,
elbow, wrist, hip, knee and ankle of each picture's only person:

rigid       mean distance of the joints after the best rotation and translation, in millimetres
similarity  the same after the best scale, too
in_image    how far joints in space are seen from the joints in the picture, in shares of the body's height; a camera
            position is needed
height      mean error of measured heights, in shares of the true one

Of the first two also the medians.
"""
import json

import numpy as np

from bodies import JOINTS


def add_options(command):
    """There are none."""


def score(arguments, _pool):
    """Means over all pictures; pictures without a prediction are counted, and left aside."""
    truth, prediction = (json.loads(path.read_text()) for path in (arguments.truth, arguments.pred))
    rigid, similarity, heights, seen, missed = [], [], [], [], 0
    for name, image in truth["images"].items():
        person = image["people"][0]
        guess = nearest(person, prediction["images"].get(name, {"people": []})["people"])
        if guess is None:
            missed += 1
            continue
        places, expected = array(guess["joints-3d"], 3), array(person["joints-3d"], 3)
        rigid.append(1000 * distance(places, expected, scaled=False))
        similarity.append(1000 * distance(places, expected, scaled=True))
        if guess.get("height-estimation") == "measured":
            heights.append(abs(guess["body-height"] / person["height"] - 1))
        if "camera-position" in guess:
            seen += in_image(guess, truth["field-of-view"], image["size"])
    return {"pictures": len(truth["images"]), "missed": missed, "rigid": mean(rigid), "rigid_median": median(rigid),
            "similarity": mean(similarity), "similarity_median": median(similarity),
            "in_image": mean(seen), "in_image_most": max(seen, default=None), "height": mean(heights),
            "measured": len(heights)}


def nearest(person, guesses):
    """The guess whose joints in the picture are nearest; none if all are farther than half of the body."""
    joints = array(person["joints"], 2)
    errors = [np.linalg.norm(array(guess["joints"], 2) - joints, axis=1).mean() for guess in guesses]
    if not errors or min(errors) > 0.5 * np.ptp(joints, 0).max():
        return None
    return guesses[int(np.argmin(errors))]


def array(joints, count):
    """The first `count` numbers of the compared joints, one joint a row."""
    return np.array([joints[name][:count] for name in JOINTS], float)


def distance(places, expected, scaled):
    """Mean distance after the best alignment."""
    return align(places, expected, scaled)[0]


def align(places, expected, scaled):
    """Mean distance after the best alignment (Kabsch, Umeyama), and the scale of the places in it."""
    source, target = places - places.mean(0), expected - expected.mean(0)
    left, sizes, right = np.linalg.svd(source.T @ target)
    signs = np.array([1, 1, np.sign(np.linalg.det(left @ right))])
    factor = (sizes * signs).sum() / (source ** 2).sum() if scaled else 1
    return np.linalg.norm(factor * source @ (left * signs) @ right - target, axis=1).mean(), factor


def in_image(guess, field_of_view, size):
    """Distances from joints in the picture to where the camera sees the joints in space."""
    focal = size[1] / 2 / np.tan(np.radians(field_of_view / 2))
    places = array(guess["joints-3d"], 3) - guess["camera-position"]
    pixels = np.stack([size[0] / 2 - focal * places[:, 0] / places[:, 2],
                       size[1] / 2 + focal * places[:, 1] / places[:, 2]], 1)
    height = guess["body-height"] * focal / guess["camera-position"][2]
    return (np.linalg.norm(pixels - array(guess["joints"], 2), axis=1) / height).tolist()


def mean(values):
    """None where there is nothing to average."""
    return float(np.mean(values)) if values else None


def median(values):
    """None where there is nothing."""
    return float(np.median(values)) if values else None


def report(scores):
    """Prints the figures."""
    for key, value in scores.items():
        print(f"{key:16}", f"{value:.4f}" if isinstance(value, float) else value)
