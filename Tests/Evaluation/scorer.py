"""Runs Tests/Evaluation/score, which needs packages that the rest of the evaluation does without."""
import json
import subprocess
import tempfile

from gstreamer import EvaluationError
from scorer_packages import HERE, PRIVATE, python  # noqa: F401 (ablate takes them from here)


def evaluate(arguments):
    """Runs `Tests/evaluate score`."""
    return subprocess.run(command(arguments.words)).returncode


def run(program, words):
    """Runs another program of Tests/Evaluation/score."""
    return subprocess.run([python(), HERE / "score" / program, *words]).returncode


def mirror_image(data, target):
    """Makes the mirror image of a set, unless it is there; returns its folder."""
    if not target.is_dir() and run("mirrored.py", [data, target]):
        raise EvaluationError(f"the mirror image of {data.name} could not be made.")
    return target


def scores(kind, data, predictions, *options):
    """The scores of one set; `kind` is masks or video."""
    with tempfile.NamedTemporaryFile(suffix=".json") as report:
        words = [kind, "--truth", data, "--pred", predictions, "--json", report.name, *options]
        run = subprocess.run(command(words), capture_output=True, text=True)
        if run.returncode:
            raise EvaluationError(f"{data.name} could not be scored: {run.stderr.strip()[-400:]}")
        return json.load(report)[data.name]


def command(words):
    """The words that run the scorer."""
    return [python(), HERE / "score", *words]
