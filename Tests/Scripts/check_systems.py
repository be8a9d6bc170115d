"""Checks that Tests/systems writes into its page what was run, and nothing else; no Debian is made."""
import contextlib
import importlib.machinery
import importlib.util
import io
import pathlib
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
loader = importlib.machinery.SourceFileLoader("systems", str(ROOT / "Tests/systems"))
systems = importlib.util.module_from_spec(importlib.util.spec_from_loader(loader.name, loader))
loader.exec_module(systems)


class Table(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        systems.PAGE = self.folder / "systems.md"
        systems.PAGE.write_text("before\n<!-- begin systems -->\n<!-- end systems -->\nafter\n")

    def run_step(self, name, suite, command):
        steps = systems.STEPS
        systems.STEPS = {**steps, name: steps[name]._replace(command=command)}
        self.addCleanup(setattr, systems, "STEPS", steps)
        with contextlib.redirect_stdout(io.StringIO()):
            return systems.passes(name, suite, self.folder)

    def cells(self):
        return systems.known(systems.PAGE.read_text())

    def test_only_steps_that_were_run_have_passed(self):
        self.assertTrue(self.run_step("tests", "trixie", "echo {suite}"))
        self.assertEqual((self.folder / "tests-trixie.log").read_text(), "trixie\n")
        cells = self.cells()
        self.assertRegex(cells.pop(("tests", "trixie")), r"^passed \d{4}-\d\d-\d\d, [0-9a-f]{8}\+?$")
        self.assertEqual({*cells.values()}, {"not run"})
        self.assertEqual(len(cells), len(systems.STEPS) * len(systems.SUITES) - 1)

    def test_a_failure_replaces_what_has_passed(self):
        self.run_step("tests", "trixie", "true")
        self.run_step("readme", "bookworm", "true")
        before = self.cells()
        self.assertFalse(self.run_step("tests", "trixie", "exit 3"))
        after = self.cells()
        self.assertTrue(after.pop(("tests", "trixie")).startswith("failed"))
        before.pop(("tests", "trixie"))
        self.assertEqual(before, after)

    def test_the_rest_of_the_page_stays(self):
        self.run_step("tests", "trixie", "true")
        page = systems.PAGE.read_text()
        self.assertTrue(page.startswith("before\n<!-- begin") and page.endswith("end systems -->\nafter\n"))

    def test_debian_12_gets_a_toolchain_and_the_others_have_theirs(self):
        self.assertEqual([systems.command("tests", suite).split()[1:3] for suite in systems.SUITES], [
            ["bookworm", "--quick"], ["trixie", "--own-swift"], ["sid", "--own-swift"]])


class Page(unittest.TestCase):
    def test_the_page_has_the_rows_of_the_program(self):
        page = (ROOT / "docs/systems.md").read_text(encoding="utf-8")
        self.assertEqual(systems.replaced(page, systems.table(systems.known(page))), page)


if __name__ == "__main__":
    unittest.main()
