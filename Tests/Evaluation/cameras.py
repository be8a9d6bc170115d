"""One person, filmed by four cameras whose places are known."""
import json
import tempfile
import xml.etree.ElementTree as ElementTree
from pathlib import Path

from fetch import extract, wheels
from gstreamer import Pipeline

#: Pinned by hash; the wheel is opened, never installed.
REQUIREMENTS = Path(__file__).resolve().with_name("requirements-cameras.txt")
FOLDER = "Pose2Sim/Demo_SinglePerson"
CAMERAS = ["cam01", "cam02", "cam03", "cam04"]
#: The videos have so many frames, 60 a second.
FRAME_COUNT = 100
#: Frames by which a video runs ahead of the others: with them what is seen fits best.
AHEAD = {"cam03": 2}
#: Qualisys' files count lengths in the picture in 64ths of a pixel.
PIXEL = 64


def evaluate(arguments):
    """Runs `Tests/evaluate cameras`: pictures OUTPUT_DIR/images/CAMERA_FRAME.png, and OUTPUT_DIR/cameras.json."""
    images = arguments.output / "images"
    images.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        members = wheels(REQUIREMENTS, Path(folder))
        calibration = extract(members, f"{FOLDER}/calibration/Calib.qca.txt", Path(folder))
        cameras = calibrated(calibration)
        for name in CAMERAS:
            video = extract(members, f"{FOLDER}/videos/{name}.mp4", Path(folder))
            write_frames(video, images, name, arguments.step)
    (arguments.output / "cameras.json").write_text(json.dumps({"cameras": cameras}, indent=1) + "\n")
    print(f"{len(list(images.iterdir()))} pictures in {images}")


def write_frames(video, folder, name, step):
    """Every `step`th moment of a video as a picture."""
    ahead = AHEAD.get(name, 0)
    pipeline = Pipeline("filesrc name=file ! decodebin ! videoconvert ! pngenc ! appsink name=out sync=false", video)
    for number in range(-ahead, FRAME_COUNT - max(AHEAD.values())):
        sample = pipeline.pull(video.name)
        if number >= 0 and number % step == 0:
            buffer = sample.get_buffer()
            (folder / f"{name}_{number:04}.png").write_bytes(buffer.extract_dup(0, buffer.get_size()))


def calibrated(path):
    """Each camera's matrix (pixels), distortion (k1, k2, p1, p2), rotation (rows: right, down, forward) and position
    (metres), of the world that all share, from a file of Qualisys."""
    cameras = ElementTree.parse(path).getroot().findall("cameras/camera")
    return {camera.get("serial"): described(camera) for camera in cameras}


def described(camera):
    inner, outer = camera.find("intrinsic"), camera.find("transform")

    def pixels(name):
        return float(inner.get(name)) / PIXEL

    # Qualisys' cameras look along their negative z axis, with y up.
    signs = {1: 1, 2: -1, 3: -1}
    return {
        "matrix": [[pixels("focalLengthU"), 0, pixels("centerPointU")],
                   [0, pixels("focalLengthV"), pixels("centerPointV")], [0, 0, 1]],
        "distortion": [pixels(name) for name in ("radialDistortion1", "radialDistortion2", "tangentalDistortion1",
                                                 "tangentalDistortion2")],
        "rotation": [[sign * float(outer.get(f"r{row}{column}")) for column in (1, 2, 3)] for row, sign in signs.items()],
        "position": [float(outer.get(axis)) / 1000 for axis in "xyz"],
    }
