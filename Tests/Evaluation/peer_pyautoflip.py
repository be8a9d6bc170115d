"""Runs pyautoflip by itself. usage: peer_pyautoflip.py CLIP OUT.mp4 W:H

Prints the part of each frame that it shows as JSON: left, top, width and height as fractions of the frame.
"""
import contextlib
import importlib.util
import json
import sys
from pathlib import Path


def use_packaged_faces():
    """Lets pyautoflip find faces by MediaPipe: the weights of InsightFace, its first choice, are not in a package."""
    name = "pyautoflip.detection.face_detector"
    package = Path(importlib.util.find_spec("pyautoflip").origin).parent
    spec = importlib.util.spec_from_file_location(name, package / "detection" / "mediapipe_face_detector.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


def main(clip, output, shape):
    use_packaged_faces()
    import pyautoflip
    from pyautoflip.cropping.scene_cropper import SceneCropper

    parts = []
    process = SceneCropper.process_scene

    def recorded(*arguments):
        found = process(*arguments)
        parts.extend([float(number) for number in part] for part in found)
        return found

    SceneCropper.process_scene = recorded
    with contextlib.redirect_stdout(sys.stderr):
        pyautoflip.reframe_video(clip, output, target_aspect_ratio=shape, log_level="ERROR")
    print(json.dumps(parts))


if __name__ == "__main__":
    main(*sys.argv[1:])
