"""Files out of packages that are opened, never installed."""
import subprocess
import sys
import zipfile

from gstreamer import EvaluationError


def wheels(requirements, folder):
    """Downloads the wheels that a list pins by hash."""
    download = subprocess.run(
        [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary", ":all:", "--require-hashes",
         "--ignore-requires-python", "--python-version", "3.11", "--implementation", "cp",
         "--platform", "manylinux_2_28_x86_64", "--platform", "manylinux2014_x86_64",
         "--disable-pip-version-check", "-d", str(folder), "-r", str(requirements)],
        capture_output=True, text=True)
    if download.returncode:
        raise EvaluationError(f"the packages of {requirements.name} could not be fetched: "
                              f"{download.stderr.strip()[-400:]}")
    return {name: wheel for wheel in folder.glob("*.whl") for name in zipfile.ZipFile(wheel).namelist()}


def extract(members, name, folder):
    """Writes one file of the wheels into a folder, without its folders."""
    if name not in members:
        raise EvaluationError(f"no package holds {name}.")
    target = folder / name.rsplit("/", 1)[-1]
    target.write_bytes(zipfile.ZipFile(members[name]).read(name))
    return target
