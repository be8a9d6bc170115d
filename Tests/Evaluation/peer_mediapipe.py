"""Runs MediaPipe's Pose or Hands, complexity 1, on single pictures. usage: peer_mediapipe.py bodies|hands INPUT_DIR OUTPUT"""
import json
import sys
from pathlib import Path

import cv2
import mediapipe

LIMBS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
#: MediaPipe's numbers; the right one follows the left one.
POINTS = {f"{side}-{limb}": first + (side == "right")
          for limb, first in zip(LIMBS, (11, 13, 15, 23, 25, 27)) for side in ("left", "right")}


def main(kind, folder, output):
    find = {"bodies": bodies, "hands": hands}[kind]()
    images = {}
    for path in sorted(Path(folder).iterdir()):
        picture = cv2.imread(str(path))
        if picture is not None:
            images[path.name] = {"people" if kind == "bodies" else "hands": find(picture)}
    Path(output).write_text(json.dumps({"images": images}, indent=1) + "\n")


def bodies():
    finder = mediapipe.solutions.pose.Pose(static_image_mode=True, model_complexity=1)

    def find(picture):
        height, width = picture.shape[:2]
        found = finder.process(picture[..., ::-1].copy())
        if not found.pose_landmarks:
            return []
        places, world = found.pose_landmarks.landmark, found.pose_world_landmarks.landmark
        # MediaPipe's y points down, its z away from the camera.
        return [{"joints": {name: [width * places[n].x, height * places[n].y] for name, n in POINTS.items()},
                 "joints-3d": {name: [world[n].x, -world[n].y, -world[n].z] for name, n in POINTS.items()}}]

    return find


def hands():
    finder = mediapipe.solutions.hands.Hands(static_image_mode=True, model_complexity=1, max_num_hands=4)

    def find(picture):
        height, width = picture.shape[:2]
        found = finder.process(picture[..., ::-1].copy())
        # MediaPipe takes pictures for mirrored ones.
        return [{"points": [[width * point.x, height * point.y] for point in hand.landmark],
                 "chirality": {"Left": "right", "Right": "left"}[side.classification[0].label]}
                for hand, side in zip(found.multi_hand_landmarks or [], found.multi_handedness or [])]

    return find


if __name__ == "__main__":
    main(*sys.argv[1:])
