"""The Python of the scorer, which has packages of its own; imports nothing that a bare system lacks."""
import os
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).resolve().parent
PRIVATE = Path(os.environ.get("GST_PEOPLE_SETUP_DIR") or HERE.parent.parent / ".gst-people")


def python():
    """The program, whose packages are installed when they are missing."""
    program = PRIVATE / "score" / "bin" / "python"
    if not program.exists():
        setup = subprocess.run([HERE / "setup"], stdout=subprocess.DEVNULL)
        if setup.returncode:
            sys.exit("evaluate: the packages that scoring needs could not be installed.")
    return program
