"""Pythons with packages of their own, for the scorer and for peers; imports nothing that a bare system lacks."""
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PRIVATE = Path(os.environ.get("GST_PEOPLE_SETUP_DIR") or HERE.parent.parent / ".gst-people")


def python(kind="score"):
    """The program, whose packages are installed when they are missing.

    - kind: what `Tests/Evaluation/setup` installs, score or framing
    """
    program = PRIVATE / kind / "bin" / "python"
    if not program.exists():
        setup = subprocess.run([HERE / "setup", kind], stdout=subprocess.DEVNULL)
        if setup.returncode:
            sys.exit(f"evaluate: the packages for {kind} could not be installed.")
    return program
