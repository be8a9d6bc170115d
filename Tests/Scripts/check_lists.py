"""Reads lists of gst-people with pandas, pycocotools and pyarrow, in whose environment it runs: check_lists.py TOOL"""
import contextlib
import io
import json
import math
import os
import pathlib
import pty
import shutil
import subprocess
import sys
import tempfile
import unittest

import numpy
import pandas
import pyarrow.parquet
from pycocotools.coco import COCO
from pycocotools.cocoeval import COCOeval

ROOT = pathlib.Path(__file__).resolve().parents[2]
PRIVATE = pathlib.Path(os.environ.get("GST_PEOPLE_SETUP_DIR") or ROOT / ".gst-people")
PORTRAIT, CLIP = PRIVATE / "media/astronaut.png", PRIVATE / "media/demovideo.mp4"
TOOL = pathlib.Path(sys.argv.pop()).resolve()
#: The commands with all options that add fields.
COMMANDS = {
    "faces": ["--landmarks", "--mesh", "--capture-quality"], "bodies": ["--pose-3d"], "hands": ["--pose-3d", "--max-hands=6"],
    "people": ["--pose-3d", "--quality=fast"],
}
#: Columns of each row that say which frame it is of.
FRAME = ["file", "frame", "timestamp", "frame_width", "frame_height"]
FORMATS = ("jsonl", "csv", "coco", "parquet")


def run(*words, path=None, **options):
    """Runs the tool; its Python is that of this environment, unless there is another path."""
    environment = {**os.environ, "GST_PLUGIN_PATH": str(PRIVATE / "plugins"),
                   "PATH": path or f"{pathlib.Path(sys.executable).parent}:{os.environ['PATH']}"}
    options = {"stdout": subprocess.PIPE, **options}
    return subprocess.run([TOOL, *map(str, words)], env=environment, stderr=subprocess.PIPE, check=False, **options)


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-nostdin", "-v", "error", "-y", *map(str, words)], check=True)


def leaves(value):
    """All values of a JSON value that are no lists and no null."""
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [leaf for item in value for leaf in leaves(item)]
    return [] if value is None else [value]


def sortable(values):
    return sorted((str(type(value) is str), float(value) if not isinstance(value, str) else 0, str(value)) for value in values)


def same(one, other):
    return len(one) == len(other) and all(
        first[0] == second[0] and math.isclose(first[1], second[1], rel_tol=1e-12) and (first[0] == "False" or first[2] == second[2])
        for first, second in zip(sortable(one), sortable(other)))


class ListTests(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(cls.enterClassContext(tempfile.TemporaryDirectory()))
        cls.clip = cls.folder / "clip.mp4"
        ffmpeg("-i", CLIP, "-frames:v", 12, "-an", "-c:v", "libx264", "-preset", "ultrafast", cls.clip)
        cls.lists = {}
        for command, options in COMMANDS.items():
            for form in FORMATS:
                done = run(command, cls.clip, *options, f"--format={form}")
                assert done.returncode == 0 and not done.stderr, done.stderr
                path = cls.folder / f"{command}.{form}"
                path.write_bytes(done.stdout)
                cls.lists[command, form] = path

    def lines(self, command):
        return [json.loads(line) for line in self.lists[command, "jsonl"].read_text(encoding="utf-8").splitlines()]

    def table(self, command):
        return pandas.read_csv(self.lists[command, "csv"])

    def coco(self, path):
        with contextlib.redirect_stdout(io.StringIO()):
            return COCO(path)

    def test_a_table_has_a_row_for_each_finding_with_all_its_values(self):
        for command in COMMANDS:
            with self.subTest(command):
                lines, table = self.lines(command), self.table(command)
                found = [(number, line["timestamp"], item) for number, line in enumerate(lines, 1) for item in line[command]]
                self.assertEqual(len(lines), 12)
                self.assertGreater(len(found), 5)
                self.assertEqual(len(table), len(found))
                self.assertEqual(list(table.columns[:5]), FRAME)
                self.assertTrue(table.columns.is_unique)
                self.assertEqual(set(table["file"]), {str(self.clip)})
                self.assertEqual(set(zip(table["frame_width"], table["frame_height"])), {(1080, 720)})
                for (number, time, item), (_, row) in zip(found, table.iterrows()):
                    self.assertEqual((row["frame"], row["timestamp"]), (number, time))
                    cells = [cell for cell in row.drop(FRAME) if not pandas.isna(cell)]
                    self.assertTrue(same(leaves(item), cells), f"{command}, frame {number}")

    def test_columns_have_the_names_of_fields_and_the_types_of_numbers(self):
        faces, bodies, hands, people = (self.table(command) for command in COMMANDS)
        face, body, hand, person = (next(line[command][0] for line in self.lines(command) if line[command]) for command in COMMANDS)
        self.assertEqual(faces["left_eye_0_x"][0], face["landmarks"]["left-eye"][0][0])
        self.assertEqual(faces["mesh_477_depth"][0], face["mesh"][477][2])
        self.assertEqual(faces["yaw"][0], face["yaw"])
        self.assertEqual(bodies["left_wrist_confidence"][0], body["joints"]["left-wrist"][2])
        self.assertEqual(bodies["top_head_3d_y"][0], body["joints-3d"]["top-head"][1])
        self.assertEqual(bodies["camera_position_z"][0], body["camera-position"][2])
        self.assertEqual(hands["index_tip_y"][0], hand["joints"]["index-tip"][1])
        self.assertEqual(people["body_nose_x"][0], person["body"]["joints"]["nose"][0])
        self.assertEqual(people["face_pitch"][0], person["face"]["pitch"])
        for table in (faces, bodies, hands):
            self.assertEqual(table["id"].dtype, "int64")
            others = set(table.columns) - {"file", "chirality", "height_estimation"}
            self.assertFalse([name for name in others if table[name].dtype.kind not in "ifb"])
        self.assertEqual(faces["angles_reliable"].dtype, "bool")

    def test_ids_count_from_one(self):
        for command in COMMANDS:
            ids = self.table(command)["id"].dropna()
            self.assertEqual(ids.min(), 1, command)

    def test_parquet_is_the_same_table_with_units(self):
        for command in COMMANDS:
            path = self.lists[command, "parquet"]
            pandas.testing.assert_frame_equal(self.table(command), pandas.read_parquet(path), check_dtype=False)
            schema = pyarrow.parquet.read_schema(path)
            units = {field.name: (field.metadata or {}).get(b"unit") for field in schema}
            self.assertEqual((units["timestamp"], units["x"], units["id"]), (b"s", b"frame width", None))
            self.assertEqual([str(schema.field(name).type) for name in FRAME], ["string", "int64", "double", "int64", "int64"])
        self.assertEqual(units["face_yaw"], b"rad")
        self.assertEqual(units["body_left_knee_3d_x"], b"m")

    def test_pycocotools_loads_keypoints_in_pixels(self):
        for command, category in (("bodies", 1), ("hands", 3), ("faces", 2)):
            document, lines = self.coco(self.lists[command, "coco"]), self.lines(command)
            self.assertEqual(len(document.getImgIds()), 12)
            self.assertEqual(sorted(document.getAnnIds()), list(range(1, 1 + sum(len(line[command]) for line in lines))))
            names = document.loadCats(category)[0]["keypoints"]
            for number, line in enumerate(lines, 1):
                image = document.loadImgs(number)[0]
                self.assertEqual((image["width"], image["height"], image["timestamp"]), (1080, 720, line["timestamp"]))
                for item, annotation in zip(line[command], document.loadAnns(document.getAnnIds(imgIds=number)), strict=True):
                    box = numpy.array([item[name] for name in ("x", "y", "width", "height")]) * [1080, 720, 1080, 720]
                    numpy.testing.assert_allclose(annotation["bbox"], box, atol=0.01)
                    self.check_keypoints(annotation, names, self.points(item))

    def points(self, item):
        """The points of a finding by the names that COCO's document gives them."""
        if "joints" in item:
            return {name.replace("-", "_"): point for name, point in item["joints"].items()}
        return {f"{region.replace('-', '_')}_{index}": point
                for region, points in item["landmarks"].items() for index, point in enumerate(points)}

    def check_keypoints(self, annotation, names, points):
        found = numpy.array(annotation["keypoints"]).reshape(-1, 3)
        self.assertEqual(len(found), len(names))
        self.assertEqual(annotation["num_keypoints"], (found[:, 2] > 0).sum())
        for name, (x, y, visibility) in zip(names, found):
            point = points[name]
            if min(point[:2]) < 0 or max(point[:2]) > 1:
                self.assertEqual((x, y, visibility), (0, 0, 0), name)
            else:
                numpy.testing.assert_allclose((x, y), (point[0] * 1080, point[1] * 720), atol=0.01)
                self.assertEqual(visibility, 2 if point[2] >= 0.5 else 1, name)

    def test_people_have_annotations_of_all_their_parts(self):
        document, lines = self.coco(self.lists["people", "coco"]), self.lines("people")
        counts = [sum(bool(person.get(name)) if name != "hands" else len(person["hands"]) for line in lines for person in line["people"])
                  for name in ("body", "face", "hands")]
        self.assertEqual([len(document.getAnnIds(catIds=category)) for category in (1, 2, 3)], counts)
        self.assertEqual([category["name"] for category in document.loadCats([1, 2, 3])], ["person", "face", "hand"])
        person = document.loadAnns(document.getAnnIds(catIds=1))[0]
        self.assertAlmostEqual(person["area"], lines[0]["people"][0]["mask-area"] * 1080 * 720, delta=10)
        self.assertEqual(person["person_id"], lines[0]["people"][0]["id"])

    def test_cocoeval_scores_a_document_against_itself(self):
        document = self.coco(self.lists["bodies", "coco"])
        results = [{key: annotation[key] for key in ("image_id", "category_id", "keypoints", "score")}
                   for annotation in document.loadAnns(document.getAnnIds())]
        with contextlib.redirect_stdout(io.StringIO()):
            evaluation = COCOeval(document, document.loadRes(results), "keypoints")
            evaluation.evaluate()
            evaluation.accumulate()
            evaluation.summarize()
        self.assertAlmostEqual(evaluation.stats[0], 1, places=6)


class FolderTests(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))

    def pictures(self, *names):
        for name in names:
            shutil.copy(PORTRAIT, self.folder / name)

    def test_a_folder_of_pictures_and_videos_is_one_list(self):
        names = ['a, "b".png', "c\nd.png", "\u00e9.png"]
        # No UTF-8; it comes last in the order of names.
        shutil.copy(PORTRAIT, os.fsencode(self.folder) + b"/\xff.png")
        self.pictures(*names)
        ffmpeg("-loop", 1, "-r", 10, "-i", PORTRAIT, "-frames:v", 10, "-pix_fmt", "yuv420p", self.folder / "video.mp4")
        (self.folder / "notes.txt").write_text("no picture", encoding="utf-8")
        done = run("faces", self.folder, "--every=0.5", "--format=csv")
        self.assertEqual(done.returncode, 0)
        self.assertRegex(done.stderr, rb"notes\.txt: not taken, no video or image\n.*5 files listed, 0 failed, 1 not taken\n$")
        table = pandas.read_csv(io.BytesIO(done.stdout))
        files = [str(self.folder / name) for name in [*names[:2], "video.mp4", "video.mp4", names[2], "\ufffd.png"]]
        self.assertEqual(list(table["file"]), files)
        self.assertEqual(list(table["frame"]), [1, 1, 1, 6, 1, 1])
        self.assertEqual(list(table["timestamp"]), [0, 0, 0, 0.5, 0, 0])
        self.assertEqual(list(table["id"]), [1] * 6)
        parquet = run("faces", self.folder, "--every=0.5", "--format=parquet").stdout
        pandas.testing.assert_frame_equal(table, pandas.read_parquet(io.BytesIO(parquet)), check_dtype=False)
        lines = [json.loads(line) for line in run("faces", self.folder, "--every=0.5").stdout.splitlines()]
        self.assertEqual([line["file"] for line in lines], files)
        self.assertEqual(["units" in line for line in lines], [True] + [False] * 5)

    def test_a_file_that_fails_is_named_and_stops_nothing(self):
        self.pictures("1.png", "3.png")
        (self.folder / "2.png").write_bytes(PORTRAIT.read_bytes()[:5000])
        for form in FORMATS:
            done = run("faces", self.folder, f"--format={form}")
            self.assertEqual(done.returncode, 1, form)
            self.assertIn(b"2.png cannot be read", done.stderr)
            self.assertIn(b"2 files listed, 1 failed", done.stderr)
            self.assertEqual(done.stdout.count(b"1.png") > 0 and done.stdout.count(b"3.png") > 0, True)
            self.assertEqual(done.stdout.count(b"2.png"), 0)
        done = run("faces", self.folder / "1.png", self.folder / "none.png")
        self.assertEqual((done.returncode, len(done.stdout.splitlines())), (1, 1))

    def test_one_file_has_lines_without_its_name(self):
        self.pictures("1.png")
        lines = run("faces", self.folder / "1.png").stdout.splitlines()
        self.assertEqual([list(json.loads(line)) for line in lines], [["timestamp", "faces", "units"]])

    def test_a_list_of_nothing_has_columns(self):
        grey = self.folder / "grey.png"
        ffmpeg("-f", "lavfi", "-i", "color=gray:s=96x64", "-frames:v", 1, grey)
        for command in COMMANDS:
            table = pandas.read_csv(io.BytesIO(run(command, grey, "--format=csv").stdout))
            parquet = pandas.read_parquet(io.BytesIO(run(command, grey, "--format=parquet").stdout))
            self.assertEqual((len(table), list(table.columns)), (0, list(parquet.columns)))
            self.assertEqual((len(parquet), parquet["id"].dtype), (0, "int64"))
            document = self.folder / "list.json"
            document.write_bytes(run(command, grey, "--format=coco").stdout)
            with contextlib.redirect_stdout(io.StringIO()):
                coco = COCO(document)
            self.assertEqual((coco.getImgIds(), coco.getAnnIds()), ([1], []))
        done = run("faces", self.folder / "none", "--format=csv")
        self.assertEqual((done.returncode, done.stdout), (3, b""))

    def test_without_pyarrow_the_message_says_what_to_install(self):
        without = self.folder / "python3"
        # Python without its packages.
        without.write_text(f'#!/bin/sh\nexec {sys.executable} -S "$@"\n', encoding="utf-8")
        without.chmod(0o755)
        empty = self.folder / "empty"
        empty.mkdir()
        for path in (f"{self.folder}:{os.environ['PATH']}", str(empty)):
            done = run("faces", PORTRAIT, "--format=parquet", path=path)
            self.assertEqual((done.returncode, done.stdout), (5, b""))
            self.assertIn(b"pip install pyarrow", done.stderr)

    def test_parquet_is_not_written_to_a_terminal(self):
        terminal, end = pty.openpty()
        done = run("faces", PORTRAIT, "--format=parquet", stdout=end)
        os.close(end)
        os.close(terminal)
        self.assertEqual(done.returncode, 2)
        self.assertIn(b"redirect", done.stderr)

    def test_a_full_disk_is_an_error(self):
        for form in FORMATS:
            with open("/dev/full", "wb") as full:
                self.assertEqual(run("faces", PORTRAIT, f"--format={form}", stdout=full).returncode, 4, form)

    def test_long_work_begins_with_an_estimate(self):
        clip = self.folder / "long.mp4"
        ffmpeg("-f", "lavfi", "-i", "color=gray:s=64x64:r=25", "-frames:v", 300, "-pix_fmt", "yuv420p", clip)
        done = run("hands", clip)
        self.assertRegex(done.stderr.decode(), rf"^gst-people hands: the rest of {clip} will take about \d+:\d\d:\d\d\n$")
        self.assertEqual(len(done.stdout.splitlines()), 300)
        self.assertEqual(run("hands", clip, "--end=8").stderr, b"", "200 frames are no long work")
        many = self.folder / "many"
        many.mkdir()
        for number in range(50):
            ffmpeg("-f", "lavfi", "-i", "color=gray:s=64x64", "-frames:v", 1, many / f"{number}.png")
        self.assertRegex(run("hands", many).stderr.decode(), r"^gst-people hands: the other 40 files will take about \d+:\d\d:\d\d\n$")


if __name__ == "__main__":
    unittest.main(verbosity=2)
