"""What a MediaPipe script does with frames: RGB, 1280x720, from standard input.

usage: peer_mediapipe.py none|selfie|blend|faces|pose|hands PICTURE
"""

import sys

import cv2
import mediapipe
import numpy as np

WIDTH, HEIGHT = 1280, 720


def main(task, picture):
    work = {"none": lambda: lambda frame: None, "selfie": selfie, "blend": lambda: blend(picture), "faces": faces,
            "pose": pose, "hands": hands}
    step = work[task]()
    while data := sys.stdin.buffer.read(3 * WIDTH * HEIGHT):
        step(np.frombuffer(data, np.uint8).reshape(HEIGHT, WIDTH, 3))


def selfie():
    segmenter = mediapipe.solutions.selfie_segmentation.SelfieSegmentation(model_selection=1)
    return lambda frame: segmenter.process(frame).segmentation_mask


def blend(picture):
    """The blending of MediaPipe's own example, softly."""
    segment = selfie()
    background = cv2.resize(cv2.imread(picture)[..., ::-1], (WIDTH, HEIGHT)).astype(np.float32)

    def step(frame):
        mask = segment(frame)[..., None]
        return (frame * mask + background * (1 - mask)).astype(np.uint8)

    return step


def faces():
    mesh = mediapipe.solutions.face_mesh.FaceMesh(max_num_faces=4, refine_landmarks=True)
    return lambda frame: mesh.process(frame).multi_face_landmarks


def pose():
    body = mediapipe.solutions.pose.Pose(model_complexity=1)
    return lambda frame: body.process(frame).pose_landmarks


def hands():
    finder = mediapipe.solutions.hands.Hands(model_complexity=1, max_num_hands=2)
    return lambda frame: finder.process(frame).multi_hand_landmarks


if __name__ == "__main__":
    main(*sys.argv[1:])
