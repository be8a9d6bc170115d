"""Videos that come from elsewhere than a file, or go elsewhere: pipes, addresses, image sequences."""

import contextlib
import functools
import http.server
import subprocess
import threading
from dataclasses import dataclass

import media


@dataclass(frozen=True)
class Pipes:
    """From standard input to standard output."""

    needs_tool = True

    def act(self, case):
        case.judge(case.run(arguments=["-", "-"], reads=case.clip.path, writes=case.output))


@dataclass(frozen=True)
class ToPipe:
    """To standard output, as a kind of video."""

    kind: str
    needs_tool = True

    def act(self, case):
        case.judge(case.run(arguments=[case.clip.path, "-"], options=[f"--format={self.kind}"], writes=case.output))


@dataclass(frozen=True)
class Address:
    """From a web server: the file, or a playlist of its parts."""

    is_playlist: bool = False
    needs_tool = True

    def act(self, case):
        folder, name = case.clip.path.parent, case.clip.path.name
        if self.is_playlist:
            folder = case.folder / "parts"
            folder.mkdir()
            name = "list.m3u8"
            convert(case.clip.path, "-c", "copy", "-f", "hls", "-hls_time", "1", "-hls_list_size", "0", folder / name)
        with served(folder) as address:
            run = case.run(arguments=[f"{address}/{name}", case.output])
        case.judge(run)


@dataclass(frozen=True)
class FromImages:
    """From an image sequence."""

    rate: str = "25"
    needs_tool = True

    def act(self, case):
        pattern = case.folder / "frame-%03d.png"
        convert(case.clip.path, "-fps_mode", "passthrough", "-start_number", "7", pattern)
        case.judge(case.run(arguments=[pattern, case.output], options=[f"--rate={self.rate}"]))


@dataclass(frozen=True)
class ToImages:
    """To an image sequence."""

    kind: str = "png"
    needs_tool = True

    def act(self, case):
        pattern = case.folder / f"%05d.{self.kind}"
        run = case.run(arguments=[case.clip.path, pattern])
        if run.status or run.hangs:
            return case.say(f"expected status 0, found {run.outcome}")
        count = len(list(case.folder.glob(f"*.{self.kind}")))
        if count != len(case.clip.frames):
            case.say(f"{count} images of {len(case.clip.frames)} frames")
        convert(pattern, "-c", "copy", case.output, before=("-framerate", case.row.source.rate))
        return case.judge(run)


def convert(source, *arguments, before=()):
    done = subprocess.run(["ffmpeg", "-v", "error", *before, "-i", source, "-y", *map(str, arguments)], capture_output=True)
    if done.returncode:
        raise media.Unreadable(done.stderr.decode(errors="replace"))


@contextlib.contextmanager
def served(folder):
    """The address at which a folder is served."""
    handler = functools.partial(Quiet, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


class Quiet(http.server.SimpleHTTPRequestHandler):
    """A server that logs nothing."""

    def log_message(self, *arguments):
        pass
