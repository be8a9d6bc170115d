"""Face landmarks: JSON files {"images": {NAME: {"faces": [{"box": [x, y, w, h], "points": [[x, y], ... 68]}]}}}.

Pixels of the image; iBUG's order of 68 points (0-16 jaw, 17-26 brows, 27-35 nose, 36-47 eyes, 48-67 mouth), the
person's right side first. box: the tight box round the points, taken from them when there is none. Faces are
paired by the overlap of their boxes (Hungarian method). NME: mean distance of the points / distance of the outer
corners of the eyes (points 36 and 45), in percent.
"""
import json

import numpy as np
from scipy.optimize import linear_sum_assignment

POINTS = 68
#: The points within the face: all but the jaw.
INNER = slice(17, POINTS)
EYE_CORNERS = (36, 45)
#: IoU of boxes at which a face counts as found, and at which its points are compared.
FOUND, COMPARED = 0.5, 0.3
#: A larger NME is a failure, in percent.
FAILURE = 10
WORST = 5


def add_options(command):
    """There are none."""


def score(arguments, _pool):
    """Recall and precision of boxes, errors of points."""
    truth, prediction = (json.loads(path.read_text())["images"] for path in (arguments.truth, arguments.pred))
    found, rows = 0, []
    true_faces = [(name, image["faces"]) for name, image in truth.items()]
    guesses = {name: prediction.get(name, {}).get("faces", []) for name in truth}
    for name, faces in true_faces:
        for i, face, overlap, guess in matched(faces, guesses[name]):
            found += overlap >= FOUND
            if overlap >= COMPARED and len(guess.get("points") or []) == POINTS:
                rows.append((f"{name}#{i}", *errors(face, guess)))
    return summary(sum(len(f) for _, f in true_faces), sum(map(len, guesses.values())), found, rows)


def matched(faces, guesses):
    """Number and face, and overlap and guess, of each pair."""
    if not faces or not guesses:
        return []
    overlaps = np.array([[box_iou(box_of(face), box_of(guess)) for guess in guesses] for face in faces])
    return [(i, faces[i], overlaps[i, j], guesses[j]) for i, j in zip(*linear_sum_assignment(-overlaps))]


def box_of(face):
    if face.get("box"):
        return np.asarray(face["box"], float)
    points = np.asarray(face["points"], float)
    return np.concatenate([points.min(0), points.max(0) - points.min(0)])


def box_iou(a, b):
    low, high = np.maximum(a[:2], b[:2]), np.minimum(a[:2] + a[2:], b[:2] + b[2:])
    both = np.prod(np.maximum(high - low, 0))
    return both / max(a[2] * a[3] + b[2] * b[3] - both, 1e-9)


def errors(face, guess):
    """NME of all points, of the inner ones, and of all by the size of the face, in percent."""
    truth, points = (np.asarray(f["points"], float)[:, :2] for f in (face, guess))
    distances = np.linalg.norm(truth - points, axis=1)
    eyes = max(np.linalg.norm(truth[EYE_CORNERS[0]] - truth[EYE_CORNERS[1]]), 1.0)
    size = np.sqrt(np.prod(np.ptp(truth, 0)))
    return 100 * distances.mean() / eyes, 100 * distances[INNER].mean() / eyes, 100 * distances.mean() / size


def summary(faces, guesses, found, rows):
    values = np.array([row[1:] for row in rows]) if rows else np.zeros((0, 3))
    worst = sorted(rows, key=lambda row: -row[1])[:WORST]
    return {
        "faces": faces,
        "box_recall_0.5": found / max(faces, 1),
        "box_precision_0.5": found / max(guesses, 1),
        "scored": len(rows),
        **{name: center(values[:, i]) for i, name in enumerate(("NME", "NME_inner51", "NME_by_box"))},
        "over_10_percent": float((values[:, 0] > FAILURE).mean()) if rows else None,
        "worst": [(name, round(float(error), 1)) for name, error, *_ in worst],
    }


def center(values):
    return {"mean": float(values.mean()), "median": float(np.median(values))} if values.size else None


def report(scores):
    """Prints one number a line."""
    for key, value in scores.items():
        print(f"{key:18}", round(value, 3) if isinstance(value, float) else value)
