"""The programs that a script of the checkout starts."""
import pathlib
import shutil
import sys


def need(*names):
    """Ends the script where programs are missing."""
    if missing := [name for name in names if shutil.which(name) is None]:
        sys.exit(f"{pathlib.Path(sys.argv[0]).name}: {', '.join(missing)}: not found. Run pipelines/setup --with-tests, which installs it.")
