"""Takes a model or a medium out of a downloaded wheel as its manifest says and puts it to use.

usage: prepare.py MANIFEST WHEELS OUT

Each manifest needs a process of its own: OpenVINO numbers the nodes of a graph over the life of
the process, and the hash of a converted model covers their names.
"""

import hashlib
import io
import json
import pathlib
import shutil
import sys
import tempfile
import zipfile


def main(manifest_path: pathlib.Path, wheels: pathlib.Path, out: pathlib.Path) -> None:
    manifest = json.loads(manifest_path.read_text())
    with tempfile.TemporaryDirectory() as folder:
        source = take(manifest["origin"], wheels, pathlib.Path(folder))
        put_to_use(manifest, source, out / manifest["file"])
    for file in manifest["files"]:
        check(file["name"], (out / file["name"]).read_bytes(), file["sha256"])
    shutil.copyfile(manifest_path, out / manifest_path.name)


def take(origin: dict, wheels: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    """Writes the file into `folder`, and the weights beside it if they are a file of their own."""
    wheel = find_wheel(origin, wheels)
    if "weights" in origin:
        take_file(origin["weights"], wheel, folder)
    return take_file(origin, wheel, folder)


def take_file(source: dict, wheel: pathlib.Path, folder: pathlib.Path) -> pathlib.Path:
    data = read_member(wheel, source["path"])
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


def find_wheel(origin: dict, wheels: pathlib.Path) -> pathlib.Path:
    name = f"{origin['package'].replace('-', '_')}-{origin['version']}"
    found = sorted(wheels.glob(f"{name}-*.whl"))
    if not found:
        sys.exit(f"{name}: no such wheel in {wheels}; do the requirements name it?")
    return found[0]


def read_member(archive: pathlib.Path | io.BytesIO, path: str) -> bytes:
    with zipfile.ZipFile(archive) as opened:
        try:
            return opened.read(path)
        except KeyError:
            sys.exit(f"{path}: not in {opened.filename}")


def check(name: str, data: bytes, expected: str) -> None:
    actual = hashlib.sha256(data).hexdigest()
    if actual != expected:
        sys.exit(f"{name}: wrong hash: SHA-256 is {actual}, the manifest says {expected}")


if __name__ == "__main__":
    main(*map(pathlib.Path, sys.argv[1:]))
