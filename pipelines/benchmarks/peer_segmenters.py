"""Segments people with other programs: frames of a pipe, or a folder of pictures.

usage: peer_segmenters.py TASK MODELS                  RGB frames of 1280x720 from standard input, as one video
       peer_segmenters.py TASK MODELS IN OUT [--video | --twice]
                                                       the pictures of a folder; with --video they are one in name order, with
                                                       --twice each is shown twice, for networks that remember the last frame

TASK is `none` (frames are only read), `selfie` and `selfie-general` (MediaPipe's landscape and general model),
`modnet` (whole frames, a short side of 512 pixels), or `rvm288` and `rvm512` (a longer side of 288 or 512 pixels
inside, with the refinement). MODELS is the folder of modnet.onnx or rvm.xml. MODNet and RVM run by OpenVINO in 32-bit
floats on one thread.
"""
import pathlib
import sys

import cv2
import numpy as np

WIDTH, HEIGHT = 1280, 720


def main(task, models, *folders):
    segmenters = {"none": Nothing, "selfie": Selfie, "selfie-general": SelfieGeneral, "modnet": Modnet, "rvm288": Rvm288,
                  "rvm512": Rvm512}  # fmt: skip
    segmenter = segmenters[task](models)
    if folders:
        runs = 2 if "--twice" in folders else 1
        return write_masks(segmenter, *map(pathlib.Path, folders[:2]), is_video="--video" in folders, runs=runs)
    while data := sys.stdin.buffer.read(3 * WIDTH * HEIGHT):
        segmenter.segment(np.frombuffer(data, np.uint8).reshape(HEIGHT, WIDTH, 3))


def write_masks(segmenter, source, target, is_video, runs):
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.iterdir()):
        picture = cv2.imread(str(path))
        if picture is None:
            continue
        if not is_video:
            segmenter.reset()
        for _ in range(runs):
            mask = segmenter.segment(np.ascontiguousarray(picture[..., ::-1]))
        mask = cv2.resize(mask, picture.shape[1::-1], interpolation=cv2.INTER_LINEAR)
        cv2.imwrite(str(target / f"{path.stem}.png"), np.round(255 * mask.clip(0, 1)).astype(np.uint8))


class Nothing:
    def __init__(self, models):
        pass

    def reset(self):
        """Forgets the last frame."""

    def segment(self, frame):
        """Coverage of an RGB frame by people, 0 to 1, of any size."""


class Selfie(Nothing):
    MODEL = 1

    def __init__(self, models):
        self.models = models
        self.reset()

    def reset(self):
        import mediapipe

        self.network = mediapipe.solutions.selfie_segmentation.SelfieSegmentation(model_selection=self.MODEL)

    def segment(self, frame):
        return self.network.process(frame).segmentation_mask


class SelfieGeneral(Selfie):
    MODEL = 0


class Network(Nothing):
    """A network of free size that OpenVINO compiles for each size of its input."""

    OPTIONS = {"INFERENCE_NUM_THREADS": 1, "INFERENCE_PRECISION_HINT": "f32"}

    def __init__(self, models):
        import openvino

        self.core, self.path, self.requests = openvino.Core(), pathlib.Path(models) / self.FILE, {}

    def request(self, shape):
        if shape not in self.requests:
            model = self.core.read_model(self.path)
            self.reshape(model, shape)
            # Photos have many sizes, and each takes tens of megabytes.
            self.requests = {shape: self.core.compile_model(model, "CPU", self.OPTIONS).create_infer_request()}
        return self.requests[shape]

    def reshape(self, model, shape):
        model.reshape({self.INPUT: shape})


def planes(frame, width, height, scale, offset):
    """A frame at another size, channels first, as floats."""
    method = cv2.INTER_AREA if width < frame.shape[1] else cv2.INTER_LINEAR
    scaled = cv2.resize(frame, (width, height), interpolation=method).astype(np.float32) * scale + offset
    return np.ascontiguousarray(scaled.transpose(2, 0, 1)[None])


class Modnet(Network):
    FILE, INPUT = "modnet.onnx", "input"
    #: Of the input, in pixels; its sides are multiples of 32.
    SHORT_SIDE, MULTIPLE = 512, 32

    def segment(self, frame):
        scale = self.SHORT_SIDE / min(frame.shape[:2])
        height, width = (self.MULTIPLE * max(1, round(side * scale / self.MULTIPLE)) for side in frame.shape[:2])
        image = planes(frame, width, height, 1 / 127.5, -1)
        return self.request(image.shape).infer({self.INPUT: image})[0][0, 0]


class Rvm(Network):
    FILE, INPUT = "rvm.xml", "src"
    STATES = ("r1", "r2", "r3", "r4")
    #: From the input to the frame inside; it is a part of the prepared network.
    RATIO = 0.375

    def __init__(self, models):
        super().__init__(models)
        self.zeros, self.states, self.shape = {}, None, None

    def reset(self):
        self.states = None

    def reshape(self, model, shape):
        # The shapes of the states follow from those of a first run, whose states are single values.
        states = {f"{name}i": [1, 1, 1, 1] for name in self.STATES}
        model.reshape({self.INPUT: shape, **states})
        states = {f"{name}i": list(model.output(f"{name}o").shape) for name in self.STATES}
        model.reshape({self.INPUT: shape, **states})
        self.zeros[shape] = {name: np.zeros(sides, np.float32) for name, sides in states.items()}

    def segment(self, frame):
        scale = self.LONGER_SIDE / self.RATIO / max(frame.shape[:2])
        height, width = (round(side * scale) for side in frame.shape[:2])
        image = planes(frame, width, height, 1 / 255, 0)
        request = self.request(image.shape)
        if self.states is None or self.shape != image.shape:
            self.states, self.shape = self.zeros[image.shape], image.shape
        results = request.infer({self.INPUT: image, **self.states})
        self.states = {f"{name}i": results[f"{name}o"] for name in self.STATES}
        return results["pha"][0, 0]


class Rvm288(Rvm):
    LONGER_SIDE = 288


class Rvm512(Rvm):
    LONGER_SIDE = 512


if __name__ == "__main__":
    main(*sys.argv[1:])
