"""Steps that make another file of a file: cut, joined, damaged, wrapped again."""

import random
import subprocess
from dataclasses import dataclass

import making


def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-nostdin", "-y", *map(str, words)], check=True, stdin=subprocess.DEVNULL)


@dataclass(frozen=True)
class Copy:
    """Copies the tracks without encoding them, with options of ffmpeg before its input and after it."""

    before: tuple = ()
    after: tuple = ()
    ending: str = ""

    def apply(self, path, target):
        ffmpeg(*self.before, "-i", path, "-map", "0", "-c", "copy", *self.after, target)


@dataclass(frozen=True)
class RateLess:
    """Takes the duration of a frame out of a WebM, which browsers do not write."""

    ending: str = ""

    def apply(self, path, target):
        data = bytearray(path.read_bytes())
        # DefaultDuration of the first track, and an element in its place that says nothing (RFC 9559).
        place = data.index(b"\x23\xe3\x83")
        size = 4 + (data[place + 3] & 0x7F)
        data[place : place + size] = b"\xec" + bytes([0x80 | size - 2]) + bytes(size - 2)
        target.write_bytes(data)


@dataclass(frozen=True)
class Streamed:
    """Writes the container to a pipe, as a recorder does: without a duration, and without an index."""

    muxer: str
    options: tuple = ()
    ending: str = ""

    def apply(self, path, target):
        words = ["ffmpeg", "-v", "error", "-nostdin", "-i", path, "-map", "0", "-c", "copy", *self.options, "-f", self.muxer, "-"]
        with subprocess.Popen(words, stdout=subprocess.PIPE) as process, target.open("wb") as file:
            while data := process.stdout.read(1 << 20):
                file.write(data)
        if process.returncode:
            raise RuntimeError(f"ffmpeg ended with {process.returncode}")


@dataclass(frozen=True)
class Truncated:
    """Keeps the first part of the bytes."""

    share: float

    def apply(self, path, target):
        data = path.read_bytes()
        target.write_bytes(data[: int(len(data) * self.share)])


@dataclass(frozen=True)
class Garbage:
    """Replaces bytes in the middle with random ones."""

    share: float
    size: int = 200_000

    def apply(self, path, target):
        data = bytearray(path.read_bytes())
        start = int(len(data) * self.share)
        size = min(self.size, len(data) - start)
        data[start : start + size] = random.Random(1).randbytes(size)
        target.write_bytes(data)


@dataclass(frozen=True)
class Inserted:
    """Puts random bytes between those that are there."""

    share: float
    size: int = 200_000

    def apply(self, path, target):
        data = path.read_bytes()
        start = int(len(data) * self.share)
        target.write_bytes(data[:start] + random.Random(1).randbytes(self.size) + data[start:])


@dataclass(frozen=True)
class Followed:
    """Puts the bytes of another source behind those of this one, as `cat` does."""

    by: making.Source

    def apply(self, path, target):
        other = path.parent / f"other-{self.by.name}"
        making.encode(self.by, other)
        target.write_bytes(path.read_bytes() + other.read_bytes())


@dataclass(frozen=True)
class Concatenated:
    """Joins other sources to this one with ffmpeg's concat, without encoding."""

    others: tuple
    options: tuple = ()
    ending: str = ""

    def apply(self, path, target):
        paths = [path]
        for source in self.others:
            paths.append(path.parent / f"other-{source.name}")
            making.encode(source, paths[-1])
        text = path.parent / "list.txt"
        text.write_text("".join(f"file '{part}'\n" for part in paths), encoding="utf-8")
        ffmpeg("-f", "concat", "-safe", "0", "-i", text, "-map", "0", "-c", "copy", *self.options, target)


@dataclass(frozen=True)
class Spherical:
    """Marks the video track of an MP4, whose index is behind its pictures, as a picture of all directions.

    - Version 1 is Google's box of XML, version 2 has ffmpeg write the boxes st3d and sv3d.
    """

    version: int = 1

    def apply(self, path, target):
        xml = (
            b'<?xml version="1.0"?><rdf:SphericalVideo xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" '
            b'xmlns:GSpherical="http://ns.google.com/videos/1.0/spherical/"><GSpherical:Spherical>true</GSpherical:Spherical>'
            b"<GSpherical:Stitched>true</GSpherical:Stitched><GSpherical:StitchingSoftware>none</GSpherical:StitchingSoftware>"
            b"<GSpherical:ProjectionType>equirectangular</GSpherical:ProjectionType></rdf:SphericalVideo>"
        )
        payload = bytes.fromhex("ffcc8263f8554a938814587a02521fdd") + xml
        box = (len(payload) + 8).to_bytes(4, "big") + b"uuid" + payload
        marked = target if self.version == 1 else target.with_suffix(".marked.mp4")
        marked.write_bytes(with_box_in_first_track(path.read_bytes(), box))
        if self.version == 2:
            ffmpeg("-i", marked, "-map", "0", "-c", "copy", "-strict", "unofficial", target)


def with_box_in_first_track(data, box):
    data = bytearray(data)
    moov = box_at(data, 0, len(data), b"moov")
    trak = box_at(data, moov + 8, moov + size_at(data, moov), b"trak")
    end = trak + size_at(data, trak)
    for start in (moov, trak):
        data[start : start + 4] = (size_at(data, start) + len(box)).to_bytes(4, "big")
    return bytes(data[:end] + box + data[end:])


def box_at(data, start, end, kind):
    while start < end:
        if data[start + 4 : start + 8] == kind:
            return start
        start += size_at(data, start)
    raise ValueError(f"no {kind}")


def size_at(data, start):
    return int.from_bytes(data[start : start + 4], "big")


@dataclass(frozen=True)
class Turned:
    """Has players turn or mirror the first track of an MP4, whose index is behind its pictures, by its matrix.

    Newer versions of ffmpeg do not write it for a tag `rotate`.
    """

    # Degrees clockwise, or `mirrored` from left to right.
    how: int | str

    def apply(self, path, target):
        data = bytearray(path.read_bytes())
        moov = box_at(data, 0, len(data), b"moov")
        trak = box_at(data, moov + 8, moov + size_at(data, moov), b"trak")
        header = box_at(data, trak + 8, trak + size_at(data, trak), b"tkhd")
        matrix = header + 8 + 40
        width, height = (int.from_bytes(data[matrix + place : matrix + place + 4], "big") >> 16 for place in (36, 40))
        a, b, c, d, x, y = {
            90: (0, 1, -1, 0, height, 0),
            180: (-1, 0, 0, -1, width, height),
            270: (0, -1, 1, 0, 0, width),
            "mirrored": (-1, 0, 0, 1, width, 0),
        }[self.how]
        values = (a << 16, b << 16, 0, c << 16, d << 16, 0, x << 16, y << 16, 1 << 30)
        data[matrix : matrix + 36] = b"".join((value & 0xFFFFFFFF).to_bytes(4, "big") for value in values)
        target.write_bytes(data)


@dataclass(frozen=True)
class CoverFirst:
    """Puts a picture before the other tracks, as the cover that music players show."""

    ending: str = ""

    def apply(self, path, target):
        cover = path.parent / "cover.png"
        ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", cover)
        ffmpeg("-i", path, "-i", cover, "-map", "1", "-map", "0", "-c", "copy", "-disposition:v:0", "attached_pic", target)


@dataclass(frozen=True)
class SecondVideo:
    """Adds another video track, of other numbers."""

    by: making.Source
    ending: str = ""

    def apply(self, path, target):
        other = path.parent / f"other-{self.by.name}"
        making.encode(self.by, other)
        ffmpeg("-i", path, "-i", other, "-map", "0", "-map", "1:v", "-c", "copy", target)


@dataclass(frozen=True)
class Attached:
    """Adds an attached file to a Matroska file."""

    def apply(self, path, target):
        font = path.parent / "letters.ttf"
        font.write_bytes(b"\0\1\0\0" + bytes(200))
        words = ["-attach", font, "-metadata:s:t", "mimetype=application/x-truetype-font"]
        ffmpeg("-i", path, "-map", "0", "-c", "copy", *words, target)
