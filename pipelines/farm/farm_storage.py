"""Videos in the stores that fsspec knows: object stores, servers, folders.

The tool reads and writes plain files. A task copies what it needs from the store into a scratch folder of its machine, and
what it has made back. A name appears in the store when all of it is there; what exists is not made again.
"""

import contextlib
import fcntl
import hashlib
import os
import shutil
import sys
import tempfile
import uuid
from collections.abc import Callable, Iterator

import fsspec

# Stores in which a name appears with the last byte. They have no renaming; they copy.
OBJECT_STORES = {"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "oci", "oss"}
# What stores tell of a file's version.
VERSION_FIELDS = ("size", "ETag", "etag", "md5Hash", "generation", "mtime", "LastModified", "last_modified", "updated")
# Extra packages of fsspec that are named otherwise than the protocol.
EXTRAS = {"https": "http", "s3a": "s3", "abfss": "abfs", "az": "abfs"}
ENDINGS = [".mp4", ".mov", ".mkv", ".webm"]

# Calls `gst-people video` with arguments; its exit status, and what it printed as JSON.
Run = Callable[[list[str]], tuple[int, list[dict]]]


class StorageError(Exception):
    """A store that cannot be used; a sentence for the user."""


def is_url(place: str) -> bool:
    return "://" in place


def opened(url: str) -> tuple[fsspec.AbstractFileSystem, str]:
    """The store of a URL or path, and the name in it. What is there is asked anew: other machines write, too."""
    protocol = url.partition("://")[0]
    try:
        system, path = fsspec.url_to_fs(url)
    except ImportError as error:
        extra = EXTRAS.get(protocol, protocol)
        raise StorageError(
            f"{url} needs another package on each machine: {error}. Install it: "
            f"{sys.executable} -m pip install 'fsspec[{extra}]=={fsspec.__version__}'"
        ) from error
    except ValueError as error:
        raise StorageError(f"{url} cannot be used: {error}") from error
    system.invalidate_cache()
    return system, path


def expanded(url: str) -> list[str]:
    """The files that a pattern with `*` means; a shell knows only paths."""
    if "*" not in url:
        return [url]
    system, path = opened(url)
    found = sorted(system.glob(path))
    if not found:
        raise StorageError(f"{url}: there is no such file.")
    return [system.unstrip_protocol(name) for name in found]


def exists(url: str) -> bool:
    system, path = opened(url)
    return system.exists(path)


def remove_folder(url: str) -> None:
    system, path = opened(url)
    if system.exists(path):
        system.rm(path, recursive=True)


def put(path: str, url: str, work: str) -> None:
    """Copies a file into a store; until it is whole it has another name in the folder `work`, of the same store."""
    system, name = opened(url)
    if url.partition("://")[0] in OBJECT_STORES:
        system.put_file(path, name)
        return
    _, folder = opened(work)
    system.makedirs(folder, exist_ok=True)
    part = f"{folder}/{uuid.uuid4().hex}.part"
    system.put_file(path, part)
    system.mv(part, name)


def file_name(url: str) -> str:
    return os.path.basename(url.partition("?")[0] if is_url(url) else url)


def output_name(source: str, is_transparent: bool) -> str:
    """As `gst-people video` names videos in a folder."""
    name = file_name(source)
    stem, ending = os.path.splitext(name)
    allowed = [".mov"] if is_transparent else ENDINGS
    return name if ending.lower() in allowed else stem + allowed[0]


def scratch_root() -> str:
    """Where tasks keep their copies; $TMPDIR chooses the place."""
    root = os.path.join(tempfile.gettempdir(), f"gst-people-farm-{os.getuid()}")
    os.makedirs(root, mode=0o700, exist_ok=True)
    if os.path.islink(root) or os.stat(root).st_uid != os.getuid():
        raise StorageError(f"{root} belongs to somebody else; choose another place with TMPDIR.")
    return root


class StoredVideo:
    """A video that is read from a store, written to one, or both."""

    def __init__(self, source: str, output: str) -> None:
        self.source, self.output = source, output
        self.work = output + ".segments"
        self.plan_url = self.work + "/plan"

    def plan(self, run: Run, overwrites: bool) -> tuple[int, list[dict]]:
        """Cuts the video; the plan lies in the store then, unless the video is made in one piece."""
        if not overwrites and exists(self.output):
            return 0, [{"event": "skipped"}]
        with self.scratch() as output:
            plan = output + ".segments/plan"
            earlier = contents(plan)
            status, events = self.run(run, output, ["--plan"])
            if status == 0 and contents(plan) != earlier:
                # Segments of the earlier plan are of no use.
                remove_folder(self.work)
                if contents(plan) is not None:
                    put(plan, self.plan_url, self.work)
            return status, events

    def segment(self, run: Run, number: int) -> tuple[int, list[dict]]:
        """Makes one segment, unless it is there."""
        name = f"{number:05}.nut"
        if exists(f"{self.work}/{name}"):
            return 0, []
        with self.scratch() as output:
            status, events = self.run(run, output, [f"--segment={number}"])
            if status == 0:
                put(f"{output}.segments/{name}", f"{self.work}/{name}", self.work)
            return status, events

    def whole(self, run: Run, segments: int) -> tuple[int, list[dict]]:
        """Joins the segments, or makes a video in one piece."""
        if segments > 1 and not exists(self.plan_url):
            # It goes when the video is there: a machine was lost between the two.
            return 0, []
        with self.scratch(with_segments=True) as output:
            status, events = self.run(run, output, [])
            if status == 0:
                put(output, self.output, self.work)
                remove_folder(self.work)
            return status, events

    # MARK: - On this machine

    @property
    def folder(self) -> str:
        """What this machine keeps of the video while it is made."""
        return os.path.join(scratch_root(), hashlib.sha256(f"{self.source}\n{self.output}".encode()).hexdigest()[:16])

    def forget(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def run(self, run: Run, output: str, arguments: list[str]) -> tuple[int, list[dict]]:
        """Calls the tool; messages name what the user has named."""
        source = self.local_source()
        status, events = run([source, output, *arguments])
        for event in events:
            if "message" in event:
                event["message"] = event["message"].replace(source, self.source).replace(output, self.output)
        return status, events

    @contextlib.contextmanager
    def scratch(self, with_segments: bool = False) -> Iterator[str]:
        """The path of the video for one task, with what is in the store beside it."""
        os.makedirs(self.folder, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=self.folder) as folder:
            output = os.path.join(folder, file_name(self.output))
            os.mkdir(output + ".segments")
            for name in self.stored(with_segments):
                system, path = opened(f"{self.work}/{name}")
                system.get_file(path, f"{output}.segments/{name}")
            yield output

    def stored(self, with_segments: bool) -> list[str]:
        system, path = opened(self.work)
        if not system.exists(path):
            return []
        names = [os.path.basename(name) for name in system.ls(path, detail=False)]
        return [name for name in names if name == "plan" or with_segments and name.endswith(".nut")]

    def local_source(self) -> str:
        """A copy of the video for all tasks of this machine.

        A plan holds for a size and time of change: the time of the copy stands for the version in the store.
        """
        if not is_url(self.source):
            return self.source
        system, path = opened(self.source)
        info = system.info(path)
        version = repr([(field, str(info[field])) for field in VERSION_FIELDS if field in info])
        # Seconds that are exact in all file systems.
        stamp = int(hashlib.sha256(version.encode()).hexdigest()[:7], 16)
        copy = os.path.join(self.folder, file_name(self.source))
        with open(os.path.join(self.folder, ".lock"), "w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not os.path.exists(copy) or os.stat(copy).st_mtime != stamp:
                system.get_file(path, copy + ".part")
                os.utime(copy + ".part", (stamp, stamp))
                os.replace(copy + ".part", copy)
        return copy


def contents(path: str) -> bytes | None:
    try:
        with open(path, "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None
