"""Checks that `pipelines/bench --report` and docs/update-figures mix no figures of two runs, without measuring."""
import contextlib
import io
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
from unittest import mock

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "pipelines/benchmarks"))
import report  # noqa: E402
from check_versions import update_figures  # noqa: E402

HERE = {"machine": "one", "boot": "1", "commit": "c1"}
#: What is measured, by section.
VALUES = {name: {"row": {"value": number}} for number, name in enumerate(report.SECTIONS)}


class Runs(unittest.TestCase):
    """Runs whose sections have given values, in a folder of their own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "rvm.xml").touch()
        sections = {name: (f"measure {name}", lambda _, name=name: VALUES[name]) for name in report.SECTIONS}
        self.drawn, self.written = mock.Mock(), mock.Mock()
        for target, name, value in (
                (report, "ROOT", self.folder), (report, "FIGURES", self.folder / "figures.json"),
                (report, "RUN", self.folder / "bench-output/report.json"), (report, "SECTIONS", sections),
                (report.tradeoff, "draw", self.drawn), (report.subprocess, "run", self.written)):
            patch = mock.patch.object(target, name, value)
            patch.start()
            self.addCleanup(patch.stop)

    def report(self, *words, **here):
        """Runs it; returns what it has said as it ended, if it was no good end."""
        places = ["nowhere"] * 5 + [str(self.folder)]
        with mock.patch.object(sys, "argv", ["report.py", *places, "--sets", "sets", "--before", "before", *words]), \
                mock.patch.object(report, "identity", lambda: HERE | here), contextlib.redirect_stdout(io.StringIO()):
            try:
                report.main()
            except SystemExit as end:
                return str(end)
        return None

    def figures(self):
        return json.loads(report.FIGURES.read_text()) if report.FIGURES.exists() else None

    def test_a_run_has_all_sections_with_their_origin(self):
        self.assertIsNone(self.report())
        found = self.figures()
        self.assertEqual({name: section["figures"] for name, section in found.items()}, VALUES)
        self.assertEqual({(section["machine"], section["commit"]) for section in found.values()}, {("one", "c1")})
        self.assertEqual(len({section["run"] for section in found.values()}), 1)
        self.assertTrue(self.drawn.called and self.written.called)

    def test_an_interrupted_run_changes_no_figures_and_goes_on(self):
        def interrupted(_):
            raise KeyboardInterrupt

        good = report.SECTIONS["peers"]
        report.SECTIONS["peers"] = ("measure peers", interrupted)
        with self.assertRaises(KeyboardInterrupt):
            self.report()
        report.SECTIONS["peers"] = good
        self.assertIsNone(self.figures())
        self.assertIn("lacks", self.report("--only", "peers"))
        self.assertIsNone(self.figures())
        rest = [name for name in report.SECTIONS if name not in json.loads(report.RUN.read_text())["sections"]]
        self.assertIsNone(self.report(*(word for name in rest for word in ("--only", name))))
        self.assertEqual(len({section["run"] for section in self.figures().values()}), 1)

    def test_another_machine_start_or_commit_does_not_continue(self):
        self.report()
        before = self.figures()
        for name, value in (("machine", "two"), ("boot", "2"), ("commit", "c2")):
            said = self.report("--only", "levels", **{name: value})
            self.assertIn(f"{name} was {HERE[name]} and is {value}", said)
        self.assertEqual(self.figures(), before)
        self.assertIsNone(self.report("--only", "levels"))

    def test_a_section_alone_is_no_run(self):
        self.assertIn("there is none", self.report("--only", "levels"))

    def test_a_new_run_takes_nothing_of_the_last_one(self):
        self.report()
        VALUES["levels"], before = {"row": {"value": -1}}, VALUES["levels"]
        self.addCleanup(VALUES.__setitem__, "levels", before)
        self.assertIsNone(self.report(commit="c2"))
        self.assertEqual({section["commit"] for section in self.figures().values()}, {"c2"})


class Arguments(unittest.TestCase):
    def test_names_what_a_section_needs(self):
        for words, reason in (([], "--before is missing"), (["--only", "versions"], "--before is missing"),
                              (["--only", "masks"], "--sets is missing"), (["--only", "tradeoff", "--sets", "."], "--with-rvm")):
            command = [sys.executable, "-B", ROOT / "pipelines/benchmarks/report.py", *["nowhere"] * 6, *words]
            found = subprocess.run(command, stderr=subprocess.PIPE, text=True)
            self.assertEqual(found.returncode, 2)
            self.assertIn(reason, found.stderr)


class Pages(unittest.TestCase):
    """docs/update-figures with copies of the pages, and figures to which a run was given."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.script = update_figures()
        recorded = json.loads((ROOT / "pipelines/benchmarks/figures.json").read_text())
        self.found = {name: section | {"run": "2030-01-02 03:04 UTC", "machine": "m", "commit": "c1"} for name, section in recorded.items()}
        names = self.script.pages(self.found)
        self.script.CHECKOUT = pathlib.Path(folder.name)
        self.script.FIGURES = self.script.CHECKOUT / "figures.json"
        for name in names:
            page = self.script.CHECKOUT / name
            page.parent.mkdir(exist_ok=True)
            page.write_text((ROOT / name).read_text(encoding="utf-8"), encoding="utf-8")

    def update(self, *words):
        self.script.FIGURES.write_text(json.dumps(self.found))
        with mock.patch.object(sys, "argv", ["update-figures", *words]):
            try:
                self.script.main()
            except SystemExit as end:
                return end.code or ""
        return ""

    def test_every_page_quotes_the_run(self):
        self.assertIn("README.md has other figures", self.update("--check"))
        self.assertEqual(self.update(), "")
        self.assertEqual(self.update("--check"), "")
        for name in self.script.pages(self.found):
            self.assertIn("m, run of 2030-01-02 03:04 UTC, commit c1<", (self.script.CHECKOUT / name).read_text())

    def test_runs_are_not_mixed(self):
        for key, value in (("run", "2030-01-03 03:04 UTC"), ("machine", "n"), ("commit", "c2")):
            self.setUp()
            self.found["peers"][key] = value
            for words in ([], ["--check"]):
                self.assertIn("mixes runs", self.update(*words))
        self.setUp()
        del self.found["peers"]["run"]
        self.assertRegex(self.update("--check"), r"older \(c1\): peers")

    def test_a_page_has_to_quote_the_run(self):
        page = self.script.CHECKOUT / "README.md"
        page.write_text(re.sub("<!--=[a-z]+-->|<!--/-->", "", page.read_text()))
        self.assertIn("README.md does not say of which run", self.update("--check"))

    def test_a_ratio_has_the_spread_of_the_rounds(self):
        programs = {"A": {"cpu_ms": 30, "rounds_ms": [30, 36, 33]}, "RVM, longer side 288": {"cpu_ms": 60, "rounds_ms": [60, 60, 60]}}
        self.assertEqual(self.script.ratio(programs, "A"), "0.55 (0.50 to 0.60)")


if __name__ == "__main__":
    unittest.main()
