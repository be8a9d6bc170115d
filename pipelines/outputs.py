"""Files that are there whole or not at all. Used by the programs beside it."""
import contextlib
import os


class Exists(RuntimeError):
    """The file is there already; ends a program with status 4, as `gst-people` does."""

    status = 4

    def __init__(self, path):
        super().__init__(f"{path} is there already; --force writes over it")


def refuse_existing(path, is_forced):
    """Keeps what is at `path`, unless it may be written over."""
    if os.path.exists(path) and not is_forced:
        raise Exists(path)


@contextlib.contextmanager
def finished(path):
    """The file to write meanwhile, PATH.part; it becomes `path` when the block ends well, and goes otherwise.

    `path` may be what is being read: it stays until the end.
    """
    part = path + ".part"
    try:
        yield part
        os.replace(part, path)
    except BaseException:
        with contextlib.suppress(OSError):
            os.remove(part)
        raise
