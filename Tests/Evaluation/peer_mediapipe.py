"""Runs MediaPipe's Pose, Hands (complexity 1) or Face Mesh. usage: peer_mediapipe.py bodies|hands|faces INPUT_DIR OUTPUT [--video]

With --video the pictures, in name order, are a stream of 30 frames a second, which is what MediaPipe takes them for; those of
each folder, where there are folders.
"""
import json
import sys
from pathlib import Path

import cv2
import mediapipe

from ibug import IBUG

LIMBS = ("shoulder", "elbow", "wrist", "hip", "knee", "ankle")
#: MediaPipe's numbers; the right one follows the left one.
POINTS = {f"{side}-{limb}": first + (side == "right")
          for limb, first in zip(LIMBS, (11, 13, 15, 23, 25, 27)) for side in ("left", "right")}


def main(kind, folder, output, *options):
    make, name = {"bodies": (bodies, "people"), "hands": (hands, "hands"), "faces": (faces, "faces")}[kind]
    folder, is_stream = Path(folder), "--video" in options
    streams = sorted(path for path in folder.iterdir() if path.is_dir()) if is_stream else []
    images = {}
    for stream in streams or [folder]:
        find = make(not is_stream)
        for path in sorted(stream.iterdir()):
            picture = cv2.imread(str(path))
            if picture is not None:
                images[str(path.relative_to(folder))] = {name: find(picture)}
    Path(output).write_text(json.dumps({"images": images}, indent=1) + "\n")


def bodies(are_single):
    finder = mediapipe.solutions.pose.Pose(static_image_mode=are_single, model_complexity=1)

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


def hands(are_single):
    finder = mediapipe.solutions.hands.Hands(static_image_mode=are_single, model_complexity=1, max_num_hands=4)

    def find(picture):
        height, width = picture.shape[:2]
        found = finder.process(picture[..., ::-1].copy())
        # MediaPipe takes pictures for mirrored ones.
        return [{"points": [[width * point.x, height * point.y] for point in hand.landmark],
                 "chirality": {"Left": "right", "Right": "left"}[side.classification[0].label]}
                for hand, side in zip(found.multi_hand_landmarks or [], found.multi_handedness or [])]

    return find


def faces(are_single):
    finder = mediapipe.solutions.face_mesh.FaceMesh(static_image_mode=are_single, max_num_faces=4)

    def find(picture):
        height, width = picture.shape[:2]
        found = finder.process(picture[..., ::-1].copy())
        return [{"points": [[width * face.landmark[n].x, height * face.landmark[n].y] for n in IBUG]}
                for face in found.multi_face_landmarks or []]

    return find


if __name__ == "__main__":
    main(*sys.argv[1:])
