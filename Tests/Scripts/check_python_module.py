"""Reads the results of a clip with the module gst_people and with PyGObject alone, and compares them: check_python_module.py CLIP"""
import sys
import warnings
from pathlib import Path

import gi

gi.require_version("Gst", "1.0")
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "pipelines" / "examples"))
import gst_people  # noqa: E402
import numpy  # noqa: E402
from analysed_frame import frame  # noqa: E402
from gi.repository import Gst  # noqa: E402

warnings.filterwarnings("ignore", "GObject.ValueArray.get_nth is deprecated")
LINE = ("filesrc location={} ! decodebin ! videoconvert ! personsegment quality=fast instance-masks=true mask-format={} "
        "! bodypose pose-3d=true ! facepose landmarks=true mesh=true capture-quality=true ! handpose pose-3d=true "
        "! appsink name=sink sync=false max-buffers=2")


def main(clip):
    Gst.init(None)
    assert gst_people.mask(Gst.Buffer.new()) is None and gst_people.faces(Gst.Buffer.new()) == []
    for kind, format in ((numpy.uint8, "gray8"), (numpy.float16, "f16"), (numpy.float32, "f32")):
        buffer = frame(LINE.format(clip, format))
        check_mask(buffer, kind)
        check_faces(buffer)
        check_bodies(buffer)
        check_hands(buffer)
    first = next(gst_people.frames(clip, "fast"))
    assert first.picture.shape == (*first.coverage.shape, 3) and first.picture.flags.writeable and 0 <= first.time < 0.2
    print("the same")


def structure(buffer, name):
    return buffer.get_custom_meta(name).get_structure()


def entries(buffer, name, items):
    _, values = structure(buffer, name).get_list(items)
    return [values.get_nth(place).copy() for place in range(values.n_values)]


def numbers(fields, name):
    _, values = fields.get_array(name)
    return numpy.array([values.get_nth(place) for place in range(values.n_values)])


def bytes_of(fields, name):
    buffer = fields.get_value(name)
    return buffer.extract_dup(0, buffer.get_size())


def check_mask(buffer, kind):
    fields, mask = structure(buffer, "GstPeopleMask"), gst_people.mask(buffer)
    width, height, stride = (fields.get_value(name) for name in ("width", "height", "stride"))
    assert mask.coverage.shape == (height, width) and mask.coverage.dtype == kind
    data = bytes_of(fields, "mask")
    for row in (0, 1, height // 2, height - 1):
        length = width * mask.coverage.itemsize
        assert mask.coverage[row].tobytes() == data[row * stride:row * stride + length]
    data, stride = bytes_of(fields, "labels"), fields.get_value("labels-stride")
    assert mask.labels[height // 2].tobytes() == data[height // 2 * stride:height // 2 * stride + width]
    found = entries(buffer, "GstPeopleMask", "instances")
    assert len(found) == len(mask.instances) == 3
    for mine, other in zip(mask.instances, found):
        check(mine, other, "id", "label", "confidence", "person", "body")
        check_box(mine, other)
        assert mine.coverage.shape == (height, width) and mine.coverage.dtype == kind and mine.faces == tuple(numbers(other, "faces"))
    largest = {numpy.uint8: 255}.get(kind, 1)
    assert mask.coverage.min() >= 0 and 0.9 * largest < mask.coverage.max() <= largest
    assert mask.scaled(7, 5).shape == (5, 7) and mask.frame_size == (1080, 720) and mask.quality == "fast" and mask.age == 0
    assert mask.subjects is None


def check_faces(buffer):
    found = entries(buffer, "GstPeopleFaces", "faces")
    assert len(found) == len(gst_people.faces(buffer)) == 3
    for mine, other in zip(gst_people.faces(buffer), found):
        check(mine, other, "id", "confidence", "roll", "yaw", "pitch", "angles-reliable", "quality", "person")
        check_box(mine, other)
        assert (mine.mesh == numbers(other, "mesh").reshape(478, 3)).all()
        regions = other.get_value("landmarks")
        assert len(mine.landmarks) == regions.n_fields() == 12
        for name, points in mine.landmarks.items():
            assert (points == numbers(regions, name).reshape(-1, 3)).all()


def check_bodies(buffer):
    found = entries(buffer, "GstPeopleBodies", "bodies")
    assert len(found) == len(gst_people.bodies(buffer)) == 3
    for mine, other in zip(gst_people.bodies(buffer), found):
        check(mine, other, "id", "confidence", "upper-body-only", "body-height", "height-estimation", "person")
        check_box(mine, other)
        assert (mine.camera_position == numbers(other, "camera-position")).all()
        check_joints(mine, other, 19, 17)
    # A message has a structure of the same kind.
    of_structure = gst_people.bodies(structure(buffer, "GstPeopleBodies"))
    assert [body.box for body in of_structure] == [body.box for body in gst_people.bodies(buffer)]


def check_hands(buffer):
    found = entries(buffer, "GstPeopleHands", "hands")
    assert len(found) == len(gst_people.hands(buffer)) > 0
    for mine, other in zip(gst_people.hands(buffer), found):
        check(mine, other, "id", "confidence", "chirality", "chirality-confidence", "person")
        check_box(mine, other)
        check_joints(mine, other, 21, 21)


def check_joints(mine, other, flat, space):
    for points, name, count in ((mine.joints, "joints", flat), (mine.joints_3d, "joints-3d", space)):
        joints = other.get_value(name)
        assert len(points) == joints.n_fields() == count
        for joint, point in points.items():
            assert (point == numbers(joints, joint)).all()


def check(mine, other, *names):
    for name in names:
        assert getattr(mine, name.replace("-", "_")) == other.get_value(name), name


def check_box(mine, other):
    assert tuple(mine.box) == tuple(other.get_value(name) for name in ("x", "y", "width", "height"))


main(*sys.argv[1:])
