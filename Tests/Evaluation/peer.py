"""What MediaPipe finds in a folder of pictures, in the same form as what the elements find."""
import subprocess
from pathlib import Path

from gstreamer import EvaluationError
from scorer import PRIVATE

PROGRAM = Path(__file__).resolve().with_name("peer_mediapipe.py")


def evaluate(arguments):
    """Runs `Tests/evaluate peer`."""
    python = PRIVATE / "peers" / "bin" / "python"
    if not python.exists():
        raise EvaluationError("MediaPipe is not installed: pipelines/bench --peers installs it.")
    return subprocess.run([python, "-B", PROGRAM, arguments.kind, arguments.input, arguments.output]).returncode
