"""Takes a model or a medium out of a downloaded package as its manifest says and puts it to use.

usage: prepare.py MANIFEST PACKAGES OUT

Each manifest needs a process of its own: OpenVINO numbers the nodes of a graph over the life of
the process, and the hash of a converted model covers their names.
"""

import hashlib
import io
import json
import pathlib
import shutil
import sys
import tarfile
import tempfile
import zipfile


def main(manifest_path: pathlib.Path, packages: pathlib.Path, out: pathlib.Path) -> None:
    manifest = json.loads(manifest_path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        source = take(manifest["origin"], packages, pathlib.Path(folder))
        put_to_use(manifest, source, out / manifest["file"])
    for file in manifest["files"]:
        check(file["name"], (out / file["name"]).read_bytes(), file["sha256"])
    shutil.copyfile(manifest_path, out / manifest_path.name)


def take(origin: dict, packages: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Writes the file into `folder`, and the weights beside it if they are a file of their own."""
    package = find_package(origin, packages)
    if "weights" in origin:
        take_file(origin["weights"], package, folder)
    return take_file(origin, package, folder)


def take_file(source: dict, package: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    data = read_member(package, source["path"])
    if "member" in source:
        data = read_member(io.BytesIO(data), source["member"])
    check(source["path"], data, source["sha256"])
    # The converter tells kinds of models by their endings.
    file = folder / pathlib.PurePath(source.get("member", source["path"])).name
    file.write_bytes(data)
    return file


def put_to_use(manifest: dict, source: pathlib.Path, prepared: pathlib.Path) -> None:
    if prepared.suffix == ".xml":
        from convert import convert_to_ir

        convert_to_ir(manifest, source, prepared)
    else:
        shutil.copyfile(source, prepared)


def find_package(origin: dict, packages: pathlib.Path) -> pathlib.Path:
    """The wheel, or where a package is published in no wheel its source archive."""
    name = f"{origin['package']}-{origin['version']}"
    found = sorted(packages.glob(f"{origin['package'].replace('-', '_')}-{origin['version']}-*.whl"))
    found += packages.glob(f"{name}.tar.gz")
    if not found:
        sys.exit(f"{name}: no such package in {packages}; do the requirements name it?")
    return found[0]


def read_member(archive: pathlib.Path | io.BytesIO, path: str) -> bytes:
    if isinstance(archive, pathlib.Path) and archive.suffix == ".gz":
        return read_source(archive, path)
    with zipfile.ZipFile(archive) as opened:
        try:
            return opened.read(path)
        except KeyError:
            sys.exit(f"{path}: not in {opened.filename}")


def read_source(archive: pathlib.Path, path: str) -> bytes:
    with tarfile.open(archive) as opened:
        try:
            return opened.extractfile(path).read()
        except (AttributeError, KeyError):
            sys.exit(f"{path}: not in {archive}")


def check(name: str, data: bytes, expected: str) -> None:
    actual = hashlib.sha256(data).hexdigest()
    if actual != expected:
        sys.exit(f"{name}: wrong hash: SHA-256 is {actual}, the manifest says {expected}")


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
