"""Bodies in space as several cameras see them, by `Tests/evaluate cameras` and `Tests/evaluate bodies`.

There is no truth but the cameras: {"cameras": {NAME: {"matrix": 3x3, "distortion": [k1, k2, p1, p2], "rotation": 3x3,
"position": [x, y, z]}}}, pixels and metres. Pictures are named CAMERA_MOMENT; each shows the same person. Left and right
shoulder, elbow, wrist, hip, knee and ankle in the pictures of a moment are triangulated, without cameras that see a joint
elsewhere than the others, and compared with the joints in space that each picture has by itself:

agreement     share of joints in pictures that are within 20 pixels of the triangulated ones
rigid         mean distance of a picture's joints in space from the triangulated ones after the best rotation and
              translation, in millimetres
similarity    the same after the best scale, too
size          mean of that scale: above 1 where people are deemed smaller than they are
"""
import json

import numpy as np

import poses
from poses import align, array, distance, mean, median

#: Pixels by which a joint may be off in a picture: about 4 cm on a man who is 800 pixels tall.
TOLERANCE = 20


def add_options(command):
    """There are none."""


def score(arguments, _pool):
    """Means over all moments that two cameras or more have seen the person at."""
    cameras = {name: Camera(fields) for name, fields in json.loads(arguments.truth.read_text())["cameras"].items()}
    moments = moments_of(json.loads(arguments.pred.read_text())["images"])
    agreeing, rigid, similarity, sizes, missed = [], [], [], [], 0
    for views in moments.values():
        missed += len(cameras) - len(views)
        if len(views) < 2:
            continue
        seen = [(cameras[name], array(person["joints"], 2)) for name, person in views.items()]
        joints, agrees = consistent(seen)
        agreeing += agrees.ravel().tolist()
        known = agrees.sum(0) >= 2
        for person in views.values():
            places = array(person["joints-3d"], 3)[known]
            rigid.append(1000 * distance(places, joints[known], scaled=False))
            error, size = align(places, joints[known], scaled=True)
            similarity.append(1000 * error)
            sizes.append(size)
    return {"moments": len(moments), "missed": missed, "agreement": mean(agreeing), "rigid": mean(rigid),
            "rigid_median": median(rigid), "similarity": mean(similarity), "similarity_median": median(similarity),
            "size": mean(sizes)}


def moments_of(images):
    """The tallest person of each camera's picture, by moment."""
    moments = {}
    for name, image in images.items():
        camera, moment = name.rsplit(".", 1)[0].split("_")
        people = [person for person in image["people"] if "joints-3d" in person]
        views = moments.setdefault(moment, {})
        if people:
            views[camera] = max(people, key=lambda person: np.ptp(array(person["joints"], 2)[:, 1]))
    return moments


class Camera:
    """A pinhole camera with Brown's distortion."""

    def __init__(self, fields):
        self.matrix, self.rotation = np.array(fields["matrix"]), np.array(fields["rotation"])
        self.position, self.distortion = np.array(fields["position"]), fields["distortion"]

    def project(self, places):
        """Where places are seen, in pixels."""
        rays = (places - self.position) @ self.rotation.T
        return self.distorted(rays[:, :2] / rays[:, 2:]) @ self.matrix[:2, :2].T + self.matrix[:2, 2]

    def distorted(self, points):
        k1, k2, p1, p2 = self.distortion
        x, y = points.T
        square = x * x + y * y
        radial = 1 + k1 * square + k2 * square * square
        return np.stack([x * radial + 2 * p1 * x * y + p2 * (square + 2 * x * x),
                         y * radial + p1 * (square + 2 * y * y) + 2 * p2 * x * y], 1)

    def undistorted(self, pixels):
        """The directions of pixels, as points of the plane at distance 1; the inverse is found step by step."""
        target = (pixels - self.matrix[:2, 2]) @ np.linalg.inv(self.matrix[:2, :2]).T
        points = target
        for _ in range(5):
            points = points + target - self.distorted(points)
        return points


def consistent(views):
    """Each joint's place by the cameras that agree on it, at least two, and which these are (cameras x joints)."""
    count = len(views[0][1])
    joints, agrees = np.zeros((count, 3)), np.zeros((len(views), count), bool)
    for joint in range(count):
        used = list(range(len(views)))
        while True:
            place = triangulated([(views[n][0], views[n][1][joint]) for n in used])
            errors = [np.linalg.norm(camera.project(place[None])[0] - points[joint]) for camera, points in views]
            if len(used) == 2 or max(errors[n] for n in used) <= TOLERANCE:
                break
            used = best_without_one(views, joint, used)
        joints[joint], agrees[:, joint] = place, np.array(errors) <= TOLERANCE
    return joints, agrees


def best_without_one(views, joint, used):
    """The cameras without the one whose absence lets the others agree best."""
    def disagreement(left_out):
        rest = [views[n] for n in used if n != left_out]
        place = triangulated([(camera, points[joint]) for camera, points in rest])
        return sum(np.linalg.norm(camera.project(place[None])[0] - points[joint]) for camera, points in rest)
    worst = min(used, key=disagreement)
    return [n for n in used if n != worst]


def triangulated(views):
    """The place that is nearest to what all cameras see (direct linear transformation)."""
    rows = []
    for camera, pixel in views:
        outer = np.column_stack([camera.rotation, -camera.rotation @ camera.position])
        x, y = camera.undistorted(pixel[None])[0]
        rows += [x * outer[2] - outer[0], y * outer[2] - outer[1]]
    solution = np.linalg.svd(np.array(rows))[2][-1]
    return solution[:3] / solution[3]


def report(scores):
    """Prints the figures."""
    poses.report(scores)
