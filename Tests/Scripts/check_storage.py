"""Checks pipelines/farm/farm_storage.py with stores that need no network, and a stand-in for the tool.

    check_storage.py FOLDER     an empty one; Python with fsspec, of pipelines/setup --with-farm
"""

import os
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2] / "pipelines/farm"))
import fsspec
from fsspec.implementations.local import LocalFileSystem

from farm_storage import StorageError, StoredVideo, expanded, opened, output_name, put

SEGMENTS = 3
calls = []


def tool(arguments: list[str]) -> tuple[int, list[dict]]:
    """As `gst-people video`: a plan and segments belong to one size and time of the source."""
    source, output, *step = arguments
    calls.append(step)
    state = os.stat(source)
    work, origin = Path(output + ".segments"), f"{state.st_size} {state.st_mtime_ns}"
    plan = work / "plan"
    if step == ["--plan"]:
        plan.write_text(origin)
        return 0, [{"event": "plan", "segments": SEGMENTS, "frames": 30}]
    if plan.read_text() != origin:
        return 4, [{"event": "failed", "message": f"{output} has segments of another {source}"}]
    text = Path(source).read_text()
    if step:
        number = int(step[0].partition("=")[2])
        (work / f"{number:05}.nut").write_text(text[number::SEGMENTS])
    else:
        Path(output).write_text("".join(path.read_text() for path in sorted(work.glob("*.nut"))))
    return 0, []


def machine(folder: Path, name: str) -> None:
    """What follows runs with a scratch folder of its own, as on another machine."""
    tempfile.tempdir = str(folder / name)
    os.makedirs(tempfile.tempdir, exist_ok=True)


def names(url: str) -> list[str]:
    system, path = opened(url)
    return sorted(name.removeprefix(path) for name in system.find(path))


def check_video(folder: Path, inputs: str, outputs: str) -> None:
    system, path = opened(f"{inputs}/video.mkv")
    system.makedirs(os.path.dirname(path), exist_ok=True)
    system.pipe_file(path, b"abcdef")
    video = StoredVideo(f"{inputs}/video.mkv", f"{outputs}/video.mkv")
    machine(folder, "one")
    status, events = video.plan(tool, overwrites=False)
    assert (status, events[0]["segments"]) == (0, SEGMENTS)
    assert video.segment(tool, 1)[0] == 0
    assert names(outputs) == ["/video.mkv.segments/00001.nut", "/video.mkv.segments/plan"], names(outputs)
    machine(folder, "two")
    assert video.segment(tool, 0)[0] == 0
    count = len(calls)
    assert video.segment(tool, 1) == (0, []) and len(calls) == count, "A segment was made twice."
    # Another version: the segments go.
    system.pipe_file(path, b"ABCDEFGHI")
    status, events = video.segment(tool, 2)
    assert status == 4 and events[0]["message"] == f"{video.output} has segments of another {video.source}", events
    assert video.plan(tool, overwrites=False)[0] == 0
    assert names(outputs) == ["/video.mkv.segments/plan"], names(outputs)
    for number in range(SEGMENTS):
        machine(folder, "one" if number % 2 else "two")
        assert video.segment(tool, number)[0] == 0
    assert video.whole(tool, SEGMENTS)[0] == 0
    assert names(outputs) == ["/video.mkv"], names(outputs)
    with fsspec.open(video.output) as file:
        assert file.read() == b"ADGBEHCFI"
    count = len(calls)
    # The machine that joined it was lost before it could say so.
    assert video.whole(tool, SEGMENTS) == (0, []) and video.plan(tool, overwrites=False)[1] == [{"event": "skipped"}]
    assert len(calls) == count
    for name in ("one", "two"):
        machine(folder, name)
        video.forget()
    assert not [file for file in folder.rglob("*") if file.is_file() and "gst-people-farm" in str(file)]


def check_broken_write(folder: Path) -> None:
    """What is cut off while it is written has no name in the store."""
    (folder / "source").write_text("new")
    (folder / "target").write_text("old")
    whole = LocalFileSystem.put_file

    def half(self: LocalFileSystem, source: str, target: str, **_: object) -> None:
        Path(target).write_text("n")
        raise OSError("No space left on device")

    LocalFileSystem.put_file = half
    try:
        put(f"{folder}/source", f"file://{folder}/target", f"file://{folder}/work")
    except OSError:
        pass
    finally:
        LocalFileSystem.put_file = whole
    assert (folder / "target").read_text() == "old"
    put(f"{folder}/source", f"file://{folder}/target", f"file://{folder}/work")
    assert (folder / "target").read_text() == "new"


def check_messages(folder: Path) -> None:
    for url, word in [
        ("nothing://x/y", "nothing"), ("dropbox://x/y", "pip install 'fsspec[dropbox]=="), (f"file://{folder}/*.avi", "*.avi"),
    ]:  # fmt: skip
        try:
            expanded(url) if "*" in url else opened(url)
        except StorageError as error:
            assert word in str(error), error
        else:
            raise AssertionError(f"{url} was taken.")


folder = Path(sys.argv[1]).resolve()
check_video(folder, "memory://in", "memory://out")
check_video(folder, f"file://{folder}/in", f"file://{folder}/out")
check_video(folder, f"file://{folder}/in2", f"{folder}/out2")
assert expanded(f"file://{folder}/in/*.mkv") == [f"file://{folder}/in/video.mkv"]
check_broken_write(folder)
check_messages(folder)
assert output_name("s3://a/b.c/x.MOV", False) == "x.MOV" and output_name("http://a/x.avi?key=1.mp4", False) == "x.mp4"
assert output_name("/a/x.mp4", True) == "x.mov"
print("Videos come out of stores whole.")
