"""Reads the results of a clip with gst-people.h and in Python, and compares them: check_header.py CLIP HEADER_FOLDER"""
import ctypes
import pathlib
import subprocess
import sys
import tempfile

import gi

gi.require_version("Gst", "1.0")
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "pipelines/examples"))
import gst_people  # noqa: E402
from analysed_frame import frame  # noqa: E402
from gi.repository import Gst  # noqa: E402

LINE = ("filesrc location={} ! decodebin ! videoconvert ! personsegment quality=fast instance-masks=true mask-format={} "
        "! bodypose pose-3d=true ! facepose landmarks=true mesh=true capture-quality=true ! handpose pose-3d=true max-hands=6 "
        "! appsink name=sink sync=false max-buffers=2")
SOURCE = ROOT / "Tests/Fixtures/people_header.c"
DIALECTS = (["gcc", "-std=c99", "-pedantic"], ["gcc", "-std=c17"], ["g++", "-x", "c++", "-std=c++17"])


def main(clip, headers):
    Gst.init(None)
    with tempfile.TemporaryDirectory() as folder:
        # The last one that is compiled is the one that is called.
        for compiler in reversed(DIALECTS):
            library = compiled(compiler, headers, pathlib.Path(folder) / "header.so")
        reader = ctypes.CDLL(str(library))
        reader.people_header_text.restype = ctypes.c_char_p
        reader.people_header_text.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        reader.people_header_attach.argtypes = [ctypes.c_void_p, ctypes.c_void_p]
        depth, empty = Gst.Buffer.new_wrapped(bytes(24)), Gst.Buffer.new()
        assert not reader.people_header_attach(hash(empty), hash(depth)), "the plugin is not loaded"
        assert text(reader, empty, []) == [], "a buffer without results"
        for form in ("gray8", "f16", "f32"):
            check(reader, frame(LINE.format(clip, form)))
        assert reader.people_header_attach(hash(empty), hash(depth))
        fields = empty.get_custom_meta("GstPeopleDepth").get_structure()
        assert fields.get_int("width").value == 4 and fields.get_int("stride").value == 8, fields.to_string()
        assert fields.get_value("depth").get_size() == 24 and fields.get_string("format") == "GRAY16_LE"
        check_damaged(reader, frame(LINE.format(clip, "gray8")))
    print("the same")


def compiled(compiler, headers, library):
    flags = subprocess.run(["pkg-config", "--cflags", "--libs", "gstreamer-1.0"], check=True, capture_output=True, text=True).stdout
    words = [*compiler, "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC", "-I", headers, str(SOURCE), "-o", str(library)]
    if compiler[0] == "g++":
        # Names of C++ functions have their types in them.
        words += ["-c"]
    subprocess.run([*words, *flags.split()], check=True)
    return library


def text(reader, buffer, names):
    array = (ctypes.c_char_p * (len(names) + 1))(*(name.encode() for name in names), None)
    return reader.people_header_text(hash(buffer), ctypes.cast(array, ctypes.c_void_p)).decode().splitlines()


def check(reader, buffer):
    fields = {name: gst_people.fields(buffer.get_custom_meta(name).get_structure())
              for name in ("GstPeopleMask", "GstPeopleFaces", "GstPeopleBodies", "GstPeopleHands")}
    mask, faces, bodies, hands = fields.values()
    names = sorted({name for items in (faces["faces"], bodies["bodies"], hands["hands"]) for item in items
                    for key in ("landmarks", "joints", "joints-3d") for name in item.get(key, {})})
    expected = [*lines_of_mask(mask, buffer), *lines_of_faces(faces, names), *lines_of_bodies(bodies, names), *lines_of_hands(hands, names)]
    found = text(reader, buffer, names)
    assert len(found) == len(expected) > 1500, (len(found), len(expected))
    for mine, other in zip(found, expected):
        assert mine.split() == [word if isinstance(word, str) else f"{float(word):.17g}" for word in other], (mine, other)


def lines_of_mask(mask, buffer):
    yield "mask", mask["format"], mask["quality"]
    yield "size", mask["width"], mask["height"], mask["stride"]
    yield "times", mask["age"], mask["motion-age"], mask["interval"]
    yield "timestamp", mask["timestamp"]
    assert mask["timestamp"] == buffer.pts
    yield "frame", mask["frame-width"], mask["frame-height"], mask["orientation"]
    yield "bytes", len(mask["mask"])
    yield "labels", len(mask["labels"]), mask["crowd-label"], mask["people"]
    for each in mask["instances"]:
        yield from box(each)
        yield "instance", each["label"], each["body"], len(each["mask"])
        yield from ids(each)


def lines_of_faces(faces, names):
    yield "faces", len(faces["faces"])
    for face in faces["faces"]:
        yield from box(face)
        yield "angles", face["roll"], face["yaw"], face["pitch"]
        yield "reliable", face["angles-reliable"]
        yield "quality", face["quality"]
        for name in names:
            yield from ((name, *point) for point in triples(face["landmarks"].get(name, ())))
        yield from (("mesh", *point) for point in triples(face["mesh"]))


def lines_of_bodies(bodies, names):
    yield "bodies", len(bodies["bodies"])
    for body in bodies["bodies"]:
        yield from box(body)
        yield "upper", body["upper-body-only"]
        yield body["height-estimation"], body["body-height"]
        yield "camera", *body["camera-position"]
        yield from joints(body, names)
        yield from ids(body)


def lines_of_hands(hands, names):
    yield "hands", len(hands["hands"])
    for hand in hands["hands"]:
        yield from box(hand)
        yield hand["chirality"], hand["chirality-confidence"]
        yield from joints(hand, names)


def box(each):
    return ((name, each[name]) for name in ("id", "x", "y", "width", "height", "confidence", "person"))


def ids(each):
    return ((name, number) for name in ("faces", "hands") for number in each[name])


def joints(each, names):
    return ((name, *each[key][name]) for name in names for key in ("joints", "joints-3d") if name in each[key])


def triples(numbers):
    return zip(*[iter(numbers)] * 3)


def check_damaged(reader, buffer):
    """Fields that contradict each other are no mask, so that programs read no memory behind it."""
    gst = gst_people._gst
    gst.gst_structure_remove_field.argtypes = [ctypes.c_void_p, ctypes.c_char_p]
    gst.gst_structure_set_value.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
    meta = gst.gst_buffer_get_custom_meta(hash(buffer), b"GstPeopleMask")
    structure = gst.gst_custom_meta_get_structure(meta)
    for name, value in ((b"height", 100000), (b"stride", 1), (b"width", -5), (b"width", 2 ** 31 - 1), (b"height", 0)):
        kept = gst_people.fields(buffer.get_custom_meta("GstPeopleMask").get_structure())[name.decode()]
        for number in (value, kept):
            gst.gst_structure_set_value(structure, name, hash(held(number)))
            first = (text(reader, buffer, []) or [""])[0]
            assert first.startswith("mask") == (number == kept), (name, number, first)
    gst.gst_structure_remove_field(structure, b"format")
    assert not text(reader, buffer, [])[0].startswith("mask")


HELD = []


def held(number):
    """A GValue that lives until the end."""
    from gi.repository import GObject

    HELD.append(GObject.Value(int, number))
    return HELD[-1]


main(*sys.argv[1:])
