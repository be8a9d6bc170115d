"""Scores of tiny masks, poses and points whose right values are known by hand.

    Tests/Evaluation/setup && .gst-people/score/bin/python -m unittest discover Tests/Evaluation/score
"""
import json
import math
import tempfile
import unittest
from argparse import Namespace
from pathlib import Path

import numpy as np
from PIL import Image

import bodies
import hands
import identities
import instances
import landmarks
import masks
import mirror
import motion
import oks
import outlines
import parts
import pops
import pose
import poses
import render_composites
import render_motion
import translucency
import video
import views


def square(left, size=40, side=10):
    """A mask of one square, ten pixels below the upper edge."""
    mask = np.zeros((size, size), np.float32)
    mask[10:10 + side, left:left + side] = 1
    return mask


class InProcess:
    """Stands for a pool of processes."""

    def map(self, function, jobs, _chunk):
        return [function(job) for job in jobs]


class Folder(unittest.TestCase):
    """Tests on files."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.path = Path(scratch.name)

    def write(self, name, samples):
        path = self.path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        Image.fromarray(np.asarray(samples, np.uint8)).save(path)

    def arguments(self, **more):
        defaults = {"strict": False, "min_area": 0.0, "by_clip": False, "faces": None}
        return Namespace(truth=self.path / "set", pred=self.path / "out", **{**defaults, **more})


class OutlineTests(unittest.TestCase):
    def test_a_shift_within_the_tolerance_is_none(self):
        every = np.ones((40, 40), bool)
        self.assertEqual(outlines.boundary_f(square(10) > 0, square(11) > 0, every), 1)
        self.assertLess(outlines.boundary_f(square(10) > 0, square(14) > 0, every), 0.7)

    def test_empty_masks(self):
        every, empty = np.ones((40, 40), bool), np.zeros((40, 40), bool)
        self.assertEqual(outlines.boundary_f(empty, empty, every), 1)
        self.assertEqual(outlines.boundary_f(square(10) > 0, empty, every), 0)

    def test_the_edge_of_the_picture_is_no_outline(self):
        self.assertFalse(outlines.outline(np.ones((5, 5), bool)).any())


class CatastropheTests(Folder):
    def test_counts_pictures_people_and_faces(self):
        faces = {"images": {"images/a.jpg": {"faces": [{"points": [[5, 10], [14, 19]]}]},
                            "images/b.jpg": {"faces": [{"points": [[5, 10], [14, 19]]}, {"points": [[25, 30], [34, 39]]}]}}}
        (self.path / "faces.json").write_text(json.dumps(faces))
        for name, left in (("a", 5), ("b", 10)):
            self.write(f"set/instances/{name}.png", square(5))
            self.write(f"out/{name}.png", 255 * square(left))
        scores = masks.score(self.arguments(faces=self.path / "faces.json"), InProcess())["set"]["catastrophes"]
        self.assertEqual(scores["pictures"], {"bad": 1, "of": 2, "in": ["b"]})
        self.assertEqual(scores["people"], {"bad": 1, "of": 2, "in": ["b"]})
        # The second face of b is on nobody.
        self.assertEqual(scores["faces"], {"bad": 1, "of": 2, "in": ["b"]})


class MirrorTests(Folder):
    def test_masks_that_are_mirror_images_do_not_differ(self):
        self.write("set/a.png", 255 * square(5))
        self.write("out/a.png", 255 * square(5)[:, ::-1])
        self.write("set/b.png", 255 * square(5))
        self.write("out/b.png", 255 * square(5))
        scores = mirror.score(self.arguments(), InProcess())["set"]
        self.assertEqual(scores["n"], 2)
        self.assertAlmostEqual(scores["mean"], 1000 * 200 / 1600 / 2)


class MaskTests(Folder):
    def test_half_overlap(self):
        scores = masks.compare(square(10), square(15), np.ones((40, 40), bool))
        self.assertAlmostEqual(scores["IoU"], 50 / 150)
        self.assertAlmostEqual(scores["MAE"], 1000 * 100 / 1600, places=3)
        self.assertAlmostEqual(scores["SAD"], 0.1, places=6)
        self.assertGreater(scores["Grad"], 0)

    def test_ignored_parts_are_left_out(self):
        counts = (square(10) == 1) == (square(15) == 1)
        scores = masks.compare(square(10), square(15), counts)
        self.assertEqual((scores["IoU"], scores["MAE"], scores["BF"]), (1, 0, 1))

    def test_sets_with_ignored_pixels_and_missing_predictions(self):
        for name in ("a", "b"):
            self.write(f"set/masks/{name}.png", square(10) * 255)
        self.write("set/ignore/a.png", (square(10) != square(15)) * 255)
        self.write("out/a.png", square(15) * 255)
        scores = masks.score(self.arguments(), InProcess())["set"]
        self.assertEqual((scores["n"], scores["missing"]), (2, 1))
        self.assertEqual(scores["mean"]["IoU"], 0.5)
        strict = self.arguments()
        strict.strict = True
        self.assertAlmostEqual(masks.score(strict, InProcess())["set"]["mean"]["IoU"], 50 / 150 / 2)

    def test_predictions_of_another_size_and_small_people(self):
        self.write("set/alpha/a.png", square(10) * 255)
        self.write("set/alpha/small.png", square(10, side=2) * 255)
        self.write("out/a.png", np.kron(square(10), np.ones((2, 2))) * 255)
        arguments = self.arguments()
        arguments.min_area = 0.01
        scores = masks.score(arguments, InProcess())["set"]
        self.assertEqual(scores["n"], 1)
        self.assertGreater(scores["mean"]["IoU"], 0.99)

    def test_medians_and_tenth_percentiles(self):
        scored = [dict.fromkeys(masks.COLUMNS, float(n)) | {"kept": [], "faces": []} for n in (*range(10), 100)]
        rows = [(str(n), False, scores) for n, scores in enumerate(scored)]
        scores = masks.summary(rows)
        self.assertEqual((scores["median"]["IoU"], scores["median"]["MAE"]), (5, 5))
        self.assertEqual((scores["p10_IoU"], scores["p90_MAE"]), (1, 9))

    def test_clips(self):
        rows = [(stem, False, dict.fromkeys(masks.COLUMNS, value))
                for stem, value in (("a_b_1", 0.0), ("a_b_2", 1.0), ("c_1", 3.0))]
        scores = masks.clips(rows)
        self.assertEqual([(name, s["IoU"]) for name, s in scores.items()], [("a_b", 0.5), ("c", 3.0)])


class VideoTests(Folder):
    def test_a_prediction_that_flickers_before_a_still_truth(self):
        for n in range(4):
            self.write(f"set/alpha/{n}.png", square(10) * 255)
            self.write(f"out/{n}.png", square(10) * (255 if n % 2 else 204))
        temporal = video.score(self.arguments(), InProcess())["set"]["temporal"]
        # A fifth of full coverage, on 100 of 1600 pixels.
        self.assertAlmostEqual(temporal["flicker"], 1000 * 0.2 * 100 / 1600, places=3)
        self.assertAlmostEqual(temporal["dtSSD"], 100 * 0.2 * math.sqrt(100 / 1600), places=3)
        self.assertGreater(temporal["edge_flicker"], temporal["flicker"])

    def test_a_prediction_that_moves_with_the_truth(self):
        for n in range(3):
            self.write(f"set/alpha/{n}.png", square(10 + n) * 255)
            self.write(f"out/{n}.png", square(10 + n) * 255)
        temporal = video.score(self.arguments(), InProcess())["set"]["temporal"]
        self.assertEqual((temporal["flicker"], temporal["dtSSD"]), (0, 0))


class PopTests(Folder):
    """A person of noise who moves by four pixels a frame in front of other noise."""

    STEP, COUNT = 4, 5

    def setUp(self):
        super().setUp()
        random = np.random.default_rng(1)
        self.wall, self.person = random.integers(0, 256, (120, 160)), random.integers(0, 256, (60, 40))
        self.masks = []
        for n in range(self.COUNT):
            left = 40 + self.STEP * n
            frame, mask = self.wall.copy(), np.zeros(self.wall.shape, np.uint8)
            frame[50:110, left:left + 40] = self.person
            mask[50:110, left:left + 40] = 255
            self.write(f"set/frames/{n}.png", frame)
            self.write(f"set/alpha/{n}.png", mask)
            self.masks.append(mask)

    def scores(self):
        for n, mask in enumerate(self.masks):
            self.write(f"out/{n}.png", mask)
        return pops.score(self.arguments(), InProcess())["set"]

    def test_masks_that_move_along(self):
        scores = self.scores()
        self.assertLess(scores["worst"], 0.5)
        self.assertEqual((scores["share"], scores["above"]), (0, []))

    def test_a_piece_of_the_wall_in_one_frame(self):
        self.masks[2][5:29, 100:124] = 255
        scores = self.scores()
        # 576 pixels, of which the tolerance of two at the outline of the neighbours takes none; the person has 2400.
        self.assertAlmostEqual(scores["worst"], 100 * 576 / (2400 + 576 / 3), delta=1)
        self.assertEqual((scores["frame"], round(scores["share"], 3), len(scores["above"])), ("2", 0.333, 1))

    def test_a_hole_in_one_frame(self):
        self.masks[3][60:90, 62:82] = 0
        scores = self.scores()
        self.assertAlmostEqual(scores["worst"], 100 * 600 / (2400 - 600 / 3), delta=1)
        self.assertEqual(scores["frame"], "3")

    def test_a_change_for_two_frames_is_no_pop(self):
        for n in (2, 3):
            self.masks[n][5:29, 100:124] = 255
        self.assertLess(self.scores()["worst"], 0.5)

    def test_an_outline_that_is_wider_within_the_tolerance(self):
        self.masks[2] = np.where(pops.ndimage.maximum_filter(self.masks[2], 3), 255, 0)
        self.assertLess(self.scores()["worst"], 0.5)

    def test_video_scores_have_pops(self):
        self.scores()
        scores = video.score(self.arguments(), InProcess())["set"]
        self.assertEqual(scores["pops"]["share"], 0)

    def test_too_few_frames(self):
        for n in (2, 3, 4):
            (self.path / f"set/frames/{n}.png").unlink()
        with self.assertRaisesRegex(pops.ScoreError, "fewer than 3"):
            self.scores()


class TranslucencyTests(Folder):
    """A person at rest in two frames of 240x240 pixels, the height at which clips are compared."""

    def setUp(self):
        super().setUp()
        self.frames, self.masks = [np.full((240, 240), 90, np.uint8) for _ in range(2)], []
        for _ in range(2):
            mask = np.zeros((240, 240), np.uint8)
            mask[60:180, 60:180] = 255
            self.masks.append(mask)

    def scores(self):
        for n in range(2):
            self.write(f"set/frames/{n}.png", self.frames[n])
            self.write(f"out/{n}.png", self.masks[n])
        return translucency.score(self.arguments(), InProcess())["set"]

    def test_a_clear_mask(self):
        self.assertEqual(self.scores(), {"see-through": 0, "worst": 0, "veil": 0, "flicker": 0})

    def test_a_half_transparent_back_and_a_veil_in_the_room(self):
        self.masks[0][100:112, 100:112] = 150
        self.masks[1][0:24, 0:24] = 100
        scores = self.scores()
        back, veil = 1000 * 144 / 240 ** 2, 1000 * 576 / 240 ** 2
        self.assertAlmostEqual(scores["see-through"], (back + veil) / 2, places=3)
        self.assertAlmostEqual(scores["worst"], veil, places=3)
        self.assertAlmostEqual(scores["veil"], veil / 2, places=3)

    def test_a_soft_outline_is_no_fault(self):
        self.masks[0][56:60, 60:180] = 100
        self.assertEqual(self.scores()["see-through"], 0)

    def test_flicker_counts_where_the_frame_rests(self):
        self.masks[1][60:180, 60:180] = 204
        self.frames[1][:120] += 20
        scores = self.scores()
        self.assertAlmostEqual(scores["flicker"], 1000 * 0.2 * 60 * 120 / (120 * 240), places=2)


class PoseTests(Folder):
    def test_a_bias_is_told_from_scatter(self):
        header = "image,pitch_deg,yaw_deg,roll_deg\n"
        self.path.joinpath("truth").write_text(header + "a,0,0,0\nb,0,40,0\nc,0,0,0\nnone,,,\n")
        self.path.joinpath("out").write_text(header + "a,2,0,0\nb,2,40,0\n")
        arguments = Namespace(
            truth=self.path / "truth", pred=self.path / "out", truth_signs="render", pred_signs="render")
        scores = pose.score(arguments, None)
        self.assertEqual(scores["missed"], ["c"])
        self.assertEqual(scores["all"]["mae"], {"pitch": 2, "yaw": 0, "roll": 0})
        self.assertEqual(scores["all"]["mae_without_bias"]["pitch"], 0)
        self.assertAlmostEqual(scores["all"]["geodesic_mean"], 2)
        self.assertEqual(scores["|yaw| 30-60"]["n"], 1)

    def test_signs_of_aflw(self):
        np.testing.assert_allclose(pose.from_aflw([0, 20, 0]), [0, -20, 0], atol=1e-9)


class LandmarkTests(Folder):
    def test_a_shift_by_a_tenth_of_the_distance_of_the_eyes(self):
        points = [[10 * (i % 10), 10 * (i // 10)] for i in range(68)]
        points[36], points[45] = [0, 30], [100, 30]
        truth = {"images": {"a": {"faces": [{"points": points}]}, "b": {"faces": [{"points": points}]}}}
        guess = {"images": {"a": {"faces": [{"points": [[x + 10, y] for x, y in points]}]}}}
        for name, content in (("truth", truth), ("out", guess)):
            self.path.joinpath(name).write_text(json.dumps(content))
        scores = landmarks.score(Namespace(truth=self.path / "truth", pred=self.path / "out"), None)
        self.assertEqual((scores["faces"], scores["box_recall_0.5"], scores["scored"]), (2, 0.5, 1))
        self.assertAlmostEqual(scores["NME"]["mean"], 10)


class BodyTests(Folder):
    def test_people_are_paired_and_joints_counted(self):
        # A torso of 100 by 100: joints are right within 28 pixels.
        person = {"left-shoulder": [100, 0], "right-shoulder": [0, 0], "left-hip": [100, 100], "right-hip": [0, 100]}
        other = {joint: [x + 400, y] for joint, (x, y) in person.items()}
        near = {joint: [x + 20, y, 0.9] for joint, (x, y) in person.items()}
        near["left-hip"] = [160, 100, 0.9]
        far = {joint: [x, y + 900] for joint, (x, y) in person.items()}
        truth = {"images": {"a": {"people": [{"joints": other}, {"joints": person}]}}}
        guess = {"images": {"a": {"people": [{"joints": far}, {"joints": near}]}}}
        for name, content in (("truth", truth), ("out", guess)):
            self.path.joinpath(name).write_text(json.dumps(content))
        scores = bodies.score(Namespace(truth=self.path / "truth", pred=self.path / "out"), None)
        self.assertEqual((scores["people"], scores["found"], scores["others"]), (2, 1, 1))
        self.assertAlmostEqual(scores["PCK"]["mean"], 3 / 8)
        self.assertAlmostEqual(scores["PCK"]["hip"], 1 / 4)
        self.assertAlmostEqual(scores["PCK_best_person"]["mean"], 3 / 4)

    def test_points_of_a_set(self):
        points = [[0, 0, 0]] * 17
        points[5:7] = [[1, 2, 1], [3, 4, 2]]
        self.path.joinpath("list").write_text(json.dumps([{"image": "x/a.jpg", "set": "coco", "items": [{"points": points}]}]))
        person = oks.people_of(self.path / "list", bodies.joints_of)["a.jpg"][0].joints
        np.testing.assert_array_equal(person[:2], [[1, 2], [3, 4]])
        self.assertTrue(np.isnan(person[2:]).all())


class SimilarityTests(unittest.TestCase):
    """People of twelve joints, whose box is 100 by 100 pixels."""

    def person(self, x=0, off=0.0, confidence=1, side=100):
        corners = np.array([[0, 0], [side, side]] * 6, float)
        return oks.Person(corners + [x + off, 0], [x, 0, side, side], None, confidence)

    def test_the_similarity_of_a_shift(self):
        truth, guess = self.person(), self.person(off=10)
        expected = np.exp(-100 / (2 * 0.53 * 100 * 100 * oks.TOLERANCES ** 2)).mean()
        self.assertAlmostEqual(truth.similarity(guess), expected)
        self.assertEqual(truth.similarity(truth), 1)

    def test_joints_that_the_truth_lacks_do_not_count(self):
        truth, guess = self.person(), self.person()
        truth.joints[0], truth.known[0], guess.joints[0] = np.nan, False, [900, 900]
        self.assertEqual(truth.similarity(guess), 1)

    def test_a_missed_person_and_a_false_one(self):
        truth = {"a": [self.person(), self.person(500)], "b": [self.person(side=90)], "c": [self.person(side=20)]}
        sure = {"a": [self.person(confidence=0.9), self.person(2000, confidence=0.1)], "b": [self.person(side=90)]}
        scores = oks.score(truth, sure)
        self.assertEqual((scores["recall50"], scores["recall50_64_to_128"], scores["recall50_below_64"]), (0.5, 2 / 3, 0))
        self.assertEqual((scores["n_128"], scores["n_64_to_128"], scores["n_below_64"]), (0, 3, 1))
        # Half of the recall with a precision of 1: 51 of 101 steps.
        self.assertAlmostEqual(scores["AP"], 51 / 101)
        sure["a"][1].confidence = 1
        self.assertAlmostEqual(oks.score(truth, sure)["AP"], 51 / 101 * 2 / 3, 2)

    def test_each_person_is_found_once(self):
        twice = {"a": [self.person(confidence=0.9), self.person(off=1, confidence=0.8)]}
        self.assertEqual(len([1 for person, _ in oks.pairs([self.person()], twice["a"], 0.5) if person]), 1)

    def test_predictions_on_people_without_joints_do_not_count(self):
        truth = {"a": [self.person(), oks.Person(np.full((12, 2), np.nan), [490, -10, 120, 120])]}
        self.assertEqual(oks.score(truth, {"a": [self.person(500), self.person(confidence=0.5)]})["AP"], 1)


class MotionTests(unittest.TestCase):
    """A hand on a picture that moves."""

    def setUp(self):
        self.random = np.random.default_rng(1)
        self.clip = {"size": [640, 480], "motion": (render_motion.path_of_motion() * [480, 480, 1]).tolist()}
        self.parts = render_motion.parts()
        self.hand = self.random.uniform(200, 300, (21, 2))

    def scores(self, lag=0.0, noise=0.0, missing=()):
        moved = motion.Motion(self.clip, render_motion.RATE)
        frames = []
        for number in range(len(self.clip["motion"])):
            x, y, angle = moved.at(number / render_motion.RATE - lag)
            turn = np.array([[math.cos(angle), -math.sin(angle)], [math.sin(angle), math.cos(angle)]])
            points = (self.hand - moved.middle) @ turn.T + moved.middle + [x, y]
            points = points + noise * self.random.normal(0, 1, points.shape)
            far = [[9000 + 100 * n, 0] for n in range(21)]
            found = [] if number in missing else [{"points": points.tolist()}]
            frames.append({"hands": [*found, *([{"points": far}] if number else [])]})
        return motion.score_clip((self.clip, self.parts, render_motion.RATE, frames))

    def test_a_lag_is_measured_to_the_millisecond(self):
        scores = self.scores(lag=0.05)
        self.assertAlmostEqual(scores["lag_slow"], 50, 0)
        self.assertAlmostEqual(scores["lag_fast"], 50, 0)
        self.assertAlmostEqual(scores["jitter"], 0, 4)
        self.assertGreater(scores["error_fast"], 10)
        self.assertLess(self.scores()["error_fast"], 0.5)

    def test_jitter_is_the_mean_step_at_rest(self):
        size = np.ptp(self.hand, 0).max()
        # The distance of two samples of noise in two dimensions has a mean of sqrt(pi) standard deviations.
        self.assertAlmostEqual(self.scores(noise=1)["jitter"], 1000 * math.sqrt(math.pi) / size, delta=1)
        self.assertAlmostEqual(self.scores(noise=1)["lag_fast"], 0, delta=5)

    def test_frames_without_the_hand(self):
        scores = self.scores(missing=range(300, 310))
        self.assertAlmostEqual(scores["found"], 1 - 10 / 420)
        self.assertAlmostEqual(scores["lag_fast"], 0, 0)

    def test_angles_whose_sign_is_the_other_one(self):
        moved = motion.Motion(self.clip, render_motion.RATE)
        part = next(range(first, end) for kind, first, end in self.parts if kind == "fast")
        roll = -moved.at(np.arange(420) / render_motion.RATE - 0.03)[:, 2]
        self.assertAlmostEqual(moved.lag_of_roll(roll, part), 30, 0)


class SpaceTests(unittest.TestCase):
    def test_a_turned_body_is_the_same_and_a_larger_one_is_when_scaled(self):
        random = np.random.default_rng(1)
        places = random.normal(0, 0.5, (len(bodies.JOINTS), 3))
        quarter = np.array([[0, -1, 0], [1, 0, 0], [0, 0, 1]])
        self.assertAlmostEqual(poses.distance(places @ quarter + [1, 2, 3], places, scaled=False), 0)
        self.assertAlmostEqual(poses.distance(1.1 * places, places, scaled=True), 0)
        size = np.linalg.norm(places - places.mean(0), axis=1).mean()
        self.assertAlmostEqual(poses.distance(1.1 * places, places, scaled=False), 0.1 * size)
        self.assertGreater(poses.distance(places * [1, 1, -1], places, scaled=True), 0.1, "a mirror image is another body")

    def test_joints_in_space_are_seen_in_the_picture(self):
        # A focal length of 100 pixels, four metres away: 25 pixels a metre.
        angle = math.degrees(2 * math.atan(0.5))
        guess = {"joints-3d": {name: [1, 1, 0] for name in bodies.JOINTS}, "camera-position": [0, 0, 4],
                 "body-height": 2, "joints": {name: [75, 25, 1] for name in bodies.JOINTS}}
        self.assertAlmostEqual(max(poses.in_image(guess, angle, (100, 100))), 0)
        guess["joints"]["left-hip"] = [75, 30, 1]
        self.assertAlmostEqual(max(poses.in_image(guess, angle, (100, 100))), 5 / 50)


class ViewsTests(Folder):
    """A body four metres before four cameras in a ring, a quarter turn apart."""

    def setUp(self):
        super().setUp()
        self.places = np.random.default_rng(1).normal(0, 0.4, (len(bodies.JOINTS), 3))
        self.cameras, self.images = {}, {}
        for number in range(4):
            sine, cosine = round(math.sin(number * math.pi / 2)), round(math.cos(number * math.pi / 2))
            self.cameras[f"cam{number}"] = {
                "matrix": [[1000, 0, 500], [0, 1000, 500], [0, 0, 1]], "distortion": [-0.05, 0.01, 0.001, 0.002],
                "rotation": [[cosine, 0, sine], [0, 1, 0], [-sine, 0, cosine]], "position": [4 * sine, 0, -4 * cosine]}
            pixels = views.Camera(self.cameras[f"cam{number}"]).project(self.places)
            self.images[f"cam{number}_0001.png"] = {"people": [
                {"joints": self.named(pixels), "joints-3d": self.named(self.places)}]}

    def named(self, rows):
        return {name: list(row) for name, row in zip(bodies.JOINTS, rows)}

    def scores(self):
        for name, content in (("truth", {"cameras": self.cameras}), ("out", {"images": self.images})):
            self.path.joinpath(name).write_text(json.dumps(content))
        return views.score(Namespace(truth=self.path / "truth", pred=self.path / "out"), None)

    def test_the_body_is_triangulated(self):
        scores = self.scores()
        self.assertEqual((scores["moments"], scores["missed"], scores["agreement"]), (1, 0, 1))
        self.assertAlmostEqual(scores["rigid"], 0, 3)
        self.assertAlmostEqual(scores["size"], 1, 5)

    def test_a_camera_that_errs_is_left_out(self):
        self.images["cam2_0001.png"]["people"][0]["joints"]["left-knee"][0] += 90
        scores = self.scores()
        self.assertAlmostEqual(scores["agreement"], 1 - 1 / (4 * len(bodies.JOINTS)))
        self.assertAlmostEqual(scores["rigid"], 0, 3)

    def test_small_bodies(self):
        for image in self.images.values():
            image["people"][0]["joints-3d"] = self.named(self.places / 2)
        scores = self.scores()
        self.assertAlmostEqual(scores["size"], 2, 4)
        self.assertAlmostEqual(scores["similarity"], 0, 3)


class HandTests(Folder):
    def test_each_hand_takes_its_best_guess(self):
        # A hand of 200 by 100: points are right within 40 pixels.
        hand = [[100 + 10 * i, 50 + 5 * i, 1] for i in range(21)]
        hand[20] = [0, 0, 0]
        near = [[x + 30, y] for x, y, _ in hand]
        near[3] = [900, 900]
        far = [[x + 500, y] for x, y, _ in hand]
        truth = [{"image": "x/a.jpg", "set": "coco", "items": [
            {"points": hand, "hand": "left"}, {"points": [[x, y + 700, 1] for x, y, _ in hand], "hand": "right"}]}]
        guess = {"images": {"a.jpg": {"hands": [{"points": far, "chirality": "left"}, {"points": near, "chirality": "right"}]}}}
        for name, content in (("truth", truth), ("out", guess)):
            self.path.joinpath(name).write_text(json.dumps(content))
        scores = hands.score(Namespace(truth=self.path / "truth", pred=self.path / "out"), None)
        self.assertEqual((scores["hands"], scores["found"], scores["chirality"]), (2, 1, 0))
        self.assertAlmostEqual(scores["PCK"], 19 / 41)

    def test_points_from_the_tip_are_turned_round(self):
        points = hands.ordered([[i, 0, 1] for i in range(21)], "rhd")
        self.assertEqual(list(points[:6, 0]), [0, 4, 3, 2, 1, 8])


class InstanceTests(unittest.TestCase):
    def test_two_persons_one_missed_and_one_wrong_label(self):
        truth = (square(2) + 2 * square(20)).astype(np.uint8)
        prediction = (7 * square(2)).astype(np.uint8)
        prediction[35:, 35:] = 9
        best, wrong = instances.compare(truth, prediction, [1, 2])
        self.assertEqual((best, wrong), ([1, 0], 1))
        self.assertEqual(instances.compare(truth, np.zeros_like(truth), [1, 2]), ([0, 0], 0))


class IdentityTests(Folder):
    def test_a_switch_is_a_person_under_another_id(self):
        people = {}
        for number, ids in enumerate([(5, 6), (5, 6), (6, 5)]):
            truth = (square(2) + 2 * square(20)).astype(np.uint8)
            for name in ("truth", "out"):
                (self.path / name).mkdir(exist_ok=True)
                Image.fromarray(truth).save(self.path / name / f"{number}.png")
            people[f"{number}.jpg"] = [{"label": label + 1, "id": number} for label, number in enumerate(ids)]
        (self.path / "out/people.json").write_text(json.dumps(people))
        found = identities.score(Namespace(truth=self.path / "truth", pred=self.path / "out"), None)
        self.assertEqual((found["frames"], len(found["switches"]), found["seen"]), (3, 2, 1))


class Parts(Folder):
    """Whose the parts of people are over a clip: one person on the left, one on the right."""

    LEFT, RIGHT = [[5, 20]], [[30, 20]]

    def score(self, frames):
        """Of frames of (kind, places, person)."""
        truth = np.zeros((40, 40))
        truth[10:30, :15], truth[10:30, 25:] = 1, 2
        images = {}
        for number, found in enumerate(frames):
            self.write(f"truth/{number:02}.png", truth)
            images[f"{number:02}.png"] = {"parts": [
                {"kind": kind, "id": 0, "person": person, "places": places} for kind, places, person in found]}
        (self.path / "people.json").write_text(json.dumps({"images": images}))
        return parts.score(Namespace(truth=self.path / "truth", pred=self.path / "people.json"), None)

    def test_all_right(self):
        found = self.score([[("mask", self.LEFT, 4), ("face", self.LEFT, 4), ("face", self.RIGHT, 9)]] * 3)
        self.assertEqual(found["all"], {"parts": 9, "with_person": 9, "switches": 0, "idf1": 1, "foreign": 0})

    def test_a_part_of_another_for_two_frames(self):
        right = [("mask", self.LEFT, 4), ("mask", self.RIGHT, 9), ("face", self.LEFT, 4)]
        wrong = [*right[:2], ("face", self.LEFT, 9)]
        found = self.score([right, right, wrong, wrong, right, wrong])
        self.assertEqual((found["face"]["switches"], found["face"]["foreign"]), (3, 2))
        self.assertEqual(found["face"]["idf1"], 0.5)
        self.assertEqual((found["mask"]["switches"], found["all"]["foreign"]), (0, 2))

    def test_nobodys_parts_are_missing(self):
        found = self.score([[("mask", self.LEFT, 4), ("hand", self.LEFT, -1)]])
        self.assertEqual(found["hand"], {"parts": 1, "with_person": 0, "switches": 0, "idf1": 0, "foreign": 0})
        self.assertEqual(found["all"]["idf1"], 2 / 3)

    def test_parts_on_the_background_or_between_people_do_not_count(self):
        self.assertEqual(self.score([[("face", [[20, 20]], 1), ("face", [], 1), ("body", [[5, 20], [30, 20]], 1)]])
                         ["all"]["parts"], 0)


class CompositeTests(unittest.TestCase):
    def test_the_largest_piece_without_people(self):
        people = np.zeros((100, 130), bool)
        people[20:40, 30:50] = True
        self.assertEqual(render_composites.largest_empty(people, 10), (50, 0, 130, 100))
        people[0, 100] = True
        self.assertEqual(render_composites.largest_empty(people, 10), (0, 40, 130, 100))
        self.assertEqual(render_composites.largest_empty(np.ones((50, 50), bool), 10), (0, 0, 0, 0))

    def test_soft_pixels_have_the_colour_of_the_nearest_opaque_one(self):
        image = np.zeros((1, 6, 3), np.float32)
        image[0, :, 0] = [10, 20, 30, 40, 50, 60]
        alpha = np.array([[0, 0.5, 1, 1, 0.5, 0]], np.float32)
        colors = render_composites.own_colors(image, alpha)
        self.assertEqual(colors[0, :, 0].tolist(), [30, 30, 30, 40, 40, 40])

    def test_a_background_fills_the_picture(self):
        random = np.random.default_rng(1)
        red = Image.new("RGB", (200, 160), (255, 0, 0))
        for shape in ((300, 90), (90, 300), (160, 200)):
            filled = render_composites.piece(red, shape, random)
            self.assertEqual(filled.shape, (*shape, 3))
            self.assertLess(np.abs(filled - [255, 0, 0]).max(), 1)


if __name__ == "__main__":
    unittest.main()
