"""Checks `pipelines/bench --versions` without measuring: checkouts of an earlier version, environments, and figures of given times."""
import argparse
import contextlib
import importlib.machinery
import importlib.util
import io
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "pipelines/benchmarks"))
import versions  # noqa: E402
from versions import BEFORE, NOW, PEER  # noqa: E402

FAST, ACCURATE = f"`{versions.FAST}`", f"`{versions.ACCURATE}`"
SELFIE = "MediaPipe selfie landscape"
#: Scripts of an earlier version; they say where they run.
SCRIPTS = {
    "setup": 'echo "set up in $PWD"',
    "build": 'place=${GST_PEOPLE_SETUP_DIR:-$(dirname "$0")/../.gst-people}/plugins; mkdir -p "$place"; touch "$place/libgstpeople.so"',
    "env": "echo 'export GST_PLUGIN_PATH=/before MORE=\"two words\"'",
}


def bench(only):
    """A run without versions and programs."""
    places = {name: pathlib.Path("nowhere") for name in ("clip", "portrait", "picture", "models", "optional_models")}
    with contextlib.redirect_stdout(io.StringIO()):
        return versions.Bench(argparse.Namespace(**places, only=only), {BEFORE: {}, NOW: {}})


def times(run, frame_ms, start_ms=400):
    """CPU and wall seconds by job, from the milliseconds of a frame by side and name."""
    return {job: tuple((start_ms + frame_ms[job[:2]] * job[2]) / 1000 * factor for factor in (1, 0.5)) for job in run.jobs()}


class Figures(unittest.TestCase):
    FRAME = {(BEFORE, FAST): 5, (NOW, FAST): 4, (NOW, versions.CLIP): 1, (PEER, SELFIE): 9, (PEER, "source for Python"): 2}

    def setUp(self):
        self.run_of_fast = bench(FAST)

    def test_costs_are_slopes_beyond_the_source(self):
        costs = self.run_of_fast.costs(times(self.run_of_fast, self.FRAME), {versions.FAST: {"inferences_ms": 1.5}})
        self.assertEqual(costs, {FAST: {"before": 4, "now": 3, "inferences": 1.5, "peer": SELFIE, "peer_ms": 7}})

    def test_starts_are_those_of_single_frames(self):
        found = times(self.run_of_fast, self.FRAME)
        found |= {(BEFORE, FAST, 1): (9, 0.5), (NOW, FAST, 1): (9, 0.4), (NOW, versions.CLIP, 1): (9, 0.3)}
        self.assertEqual(self.run_of_fast.starts(found), {FAST: {"before": 200, "now": 100}})

    def test_an_earlier_version_may_lack_a_row(self):
        self.run_of_fast.sides.remove((BEFORE, FAST))
        found = times(self.run_of_fast, self.FRAME)
        self.assertFalse([job for job in found if job[0] == BEFORE])
        costs = self.run_of_fast.costs(found, {})
        self.assertEqual(costs, {FAST: {"now": 3, "peer": SELFIE, "peer_ms": 7}})
        self.assertEqual(versions.sides(costs[FAST], "{:.1f}"), ["", "3.0", ""])

    def test_programs_that_are_not_installed_are_left_out(self):
        self.assertEqual(versions.ROWS[ACCURATE].peer, "RVM, longer side 512")
        self.assertFalse([job for job in bench(ACCURATE).jobs() if job[0] == PEER])

    def test_every_row_has_jobs(self):
        jobs = bench("").jobs()
        for name, row in versions.ROWS.items():
            for side in (BEFORE, NOW):
                self.assertTrue({(side, name, count) for count in row.frames} <= {*jobs}, name)
            self.assertTrue({(NOW, row.source, count) for count in row.frames} <= {*jobs}, name)

    def test_the_page_has_the_rows(self):
        page = update_figures()
        lines = (ROOT / "docs/experiments/costs.md").read_text(encoding="utf-8").split("\n")
        totals = [f"{title}, {name}" for title in ("memory", "start") for name in versions.WHOLE]
        for number, names in enumerate([list(versions.ROWS), totals]):
            table = page.table(lines, "What has changed since an earlier version?", number)
            self.assertEqual([lines[line].strip("|").split("|")[0].strip() for line in table[2:]], names)

    def test_the_page_shows_costs_memory_and_start(self):
        page = update_figures()
        costs = {"a": {"before": 4.0, "now": 3.0, "inferences": 1.5, "peer": "P", "peer_ms": 20.2}, "b": {"now": 12.3}}
        self.assertEqual(page.changed_costs({"costs": costs}), {
            "a": ["4.0", "3.0", "0.75", "1.5", "20, P"], "b": ["", "12", "", "", ""]})
        totals = {"memory": {"a": {"before": 100, "now": 110}}, "start": {"a": {"before": 2000, "now": 500}}}
        self.assertEqual(page.changed_totals(totals), {
            "memory, a": ["100 MB", "110 MB", "1.10"], "start, a": ["2.0 s", "500 ms", "0.25"]})


def update_figures():
    loader = importlib.machinery.SourceFileLoader("update_figures", str(ROOT / "docs/update-figures"))
    module = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
    loader.exec_module(module)
    return module


class Checkouts(unittest.TestCase):
    """A checkout whose commit has scripts that only say that they run."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.checkout, self.private = pathlib.Path(folder.name, "checkout"), pathlib.Path(folder.name, "private")
        shutil.copytree(ROOT / "pipelines/shell", self.checkout / "pipelines/shell")
        shutil.copy(ROOT / "pipelines/bench", self.checkout / "pipelines")
        (self.checkout / "Sources").mkdir()
        self.git("init", "-q")

    def test_sets_up_and_builds_an_earlier_version_once(self):
        self.commit(SCRIPTS)
        # This version's own set-up, which comes next, ends the run.
        self.write({"setup": "echo 'this version'; exit 3"})
        first, second = self.bench("--versions", "HEAD"), self.bench("--report", "--before", "HEAD")
        self.assertEqual((first.returncode, second.returncode), (3, 3), first.stdout + second.stdout)
        self.assertEqual([run.stdout.count("set up in") for run in (first, second)], [1, 0], first.stdout + second.stdout)
        self.assertEqual([run.stdout.count("this version") for run in (first, second)], [1, 1])
        version, = (self.private / "versions").iterdir()
        self.assertTrue((version / ".gst-people/plugins/libgstpeople.so").exists())
        self.assertTrue(self.git("rev-parse", "HEAD").startswith(version.name))

    def test_says_that_an_earlier_version_cannot_be_built(self):
        self.commit(SCRIPTS | {"build": "echo 'no compiler'; exit 1"})
        found = self.bench("--versions", "HEAD")
        self.assertEqual(found.returncode, 1)
        self.assertIn("no compiler", found.stdout)
        self.assertIn("HEAD could not be set up or built", found.stdout)

    def test_says_that_there_is_no_such_revision(self):
        self.commit(SCRIPTS)
        for words, reason in ((["nosuch"], "no revision nosuch"), ([], "Name the revision")):
            found = self.bench("--versions", *words)
            self.assertEqual(found.returncode, 1)
            self.assertIn(reason, found.stdout)
        self.assertFalse(self.private.exists())

    def test_a_version_has_the_environment_that_it_prints(self):
        self.commit(SCRIPTS)
        os.environ |= {"GST_PEOPLE_MODELS": "/now", "GST_PLUGIN_PATH": "/now"}
        with versions.environments(self.checkout) as found:
            before, now = found[BEFORE], found[NOW]
            self.assertTrue(pathlib.Path(before["XDG_CACHE_HOME"]).is_dir())
        self.assertEqual((before["GST_PLUGIN_PATH"], before["MORE"]), ("/before", "two words"))
        self.assertNotIn("GST_PEOPLE_MODELS", before)
        self.assertEqual((now["GST_PLUGIN_PATH"], now["GST_PEOPLE_MODELS"]), ("/now", "/now"))
        for name in ("XDG_CACHE_HOME", "GST_REGISTRY"):
            self.assertNotEqual(before[name], now[name])

    def commit(self, scripts):
        self.write(scripts)
        self.git("add", "-A")
        self.git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "scripts")

    def write(self, scripts):
        for name, body in scripts.items():
            path = self.checkout / "pipelines" / name
            path.write_text(f"#!/bin/sh\n{body}\n")
            path.chmod(0o755)

    def git(self, *words):
        return subprocess.run(["git", "-C", self.checkout, *words], check=True, stdout=subprocess.PIPE, text=True).stdout

    def bench(self, *words):
        environment = os.environ | {"GST_PEOPLE_SETUP_DIR": str(self.private)}
        return subprocess.run(
            [self.checkout / "pipelines/bench", *words], env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)


if __name__ == "__main__":
    unittest.main()
