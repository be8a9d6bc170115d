"""Steps that change the boxes of MP4 and QuickTime, or the chunks of AVI: files as cameras and editing programs write them."""

import struct
from dataclasses import dataclass

from steps import box_at, ffmpeg, size_at


def inserted(data, path, box, skipped=0):
    """Puts a box at the end of the box that a path of kinds leads to, in a file whose index is behind its samples.

    - Parameter skipped: bytes of the last box of the path but one before the boxes in it.
    """
    data = bytearray(data)
    start, end, found = 0, len(data), []
    for place, kind in enumerate(path):
        place = box_at(data, start + (skipped if place == len(path) - 1 else 0), end, kind)
        found.append(place)
        start, end = place + 8, place + size_at(data, place)
    for place in found:
        data[place : place + 4] = (size_at(data, place) + len(box)).to_bytes(4, "big")
    return bytes(data[:end] + box + data[end:])


def box(kind, content):
    return struct.pack(">I4s", len(content) + 8, kind) + content


@dataclass(frozen=True)
class TwoEdits:
    """Plays two parts of an MP4 and leaves out what is between them, by the edit lists of both its tracks.

    Editing programs of phones cut so. Times are in seconds; a part begins with a key frame.
    """

    first: tuple
    second: tuple
    ending: str = ""

    def apply(self, path, target):
        data = bytearray(path.read_bytes())
        moov = box_at(data, 0, len(data), b"moov")
        timescale = int.from_bytes(data[moov + 28 : moov + 32], "big")
        place, tracks = moov + 8, []
        while place < moov + size_at(data, moov):
            if data[place + 4 : place + 8] == b"trak":
                tracks.append(place)
            place += size_at(data, place)
        for track in reversed(tracks):
            mdia = box_at(data, track + 8, track + size_at(data, track), b"mdia")
            mdhd = box_at(data, mdia + 8, mdia + size_at(data, mdia), b"mdhd")
            ticks = int.from_bytes(data[mdhd + 20 : mdhd + 24], "big")
            edts = box_at(data, track + 8, track + size_at(data, track), b"edts")
            old = size_at(data, edts)
            # The delay of B-frames and of the encoder of sound.
            delay = int.from_bytes(data[edts + 28 : edts + 32], "big")
            entries = b"".join(
                struct.pack(">IiI", round((end - start) * timescale), round(start * ticks) + delay, 1 << 16)
                for start, end in (self.first, self.second)
            )
            new = box(b"edts", box(b"elst", struct.pack(">II", 0, 2) + entries))
            data[edts : edts + old] = new
            for place in (moov, track):
                data[place : place + 4] = (size_at(data, place) + len(new) - old).to_bytes(4, "big")
        target.write_bytes(data)


@dataclass(frozen=True)
class Renamed:
    """Gives all boxes and tags of a kind another one of the same length."""

    kind: bytes
    to: bytes

    def apply(self, path, target):
        target.write_bytes(path.read_bytes().replace(self.kind, self.to))


@dataclass(frozen=True)
class SensorTrack:
    """Adds a track of a phone's sensors (`mebx`), whose packets ffmpeg does not know."""

    ending: str = ""

    def apply(self, path, target):
        lines = path.parent / "sensor.srt"
        lines.write_text("1\n00:00:00,000 --> 00:00:00,900\nturned left\n", encoding="utf-8")
        named = target.with_suffix(".named.mov")
        ffmpeg("-i", path, "-i", lines, "-map", "0", "-map", "1", "-c", "copy", "-c:s", "mov_text", named)
        data = named.read_bytes()
        # The handler of a track of text is `sbtl`, that of metadata `meta`.
        target.write_bytes(data.replace(b"text\0\0\0", b"mebx\0\0\0").replace(b"tx3g", b"mebx").replace(b"sbtl", b"meta"))


@dataclass(frozen=True)
class DolbyVision:
    """Marks the video track of an MP4 with HEVC as Dolby Vision of a profile (the box `dvcC`)."""

    profile: int

    def apply(self, path, target):
        # Version 1.0, profile and level 1, layers: enhancement metadata and base.
        content = bytes([1, 0]) + ((self.profile << 9) | (1 << 3) | 0b101).to_bytes(2, "big") + bytes(20)
        data = path.read_bytes()
        entry = next(kind for kind in (b"hev1", b"hvc1") if kind in data)
        path_of = [b"moov", b"trak", b"mdia", b"minf", b"stbl", b"stsd", entry]
        target.write_bytes(inserted(data, path_of, box(b"dvcC", content), skipped=8))


@dataclass(frozen=True)
class EmptyChunks:
    """Empties the chunks of some frames of an AVI file, as capture cards do where a frame repeats the one before."""

    frames: tuple

    def apply(self, path, target):
        data = path.read_bytes()
        movi = data.index(b"movi") - 8
        end = movi + 8 + int.from_bytes(data[movi + 4 : movi + 8], "little")
        place, number, chunks, index = movi + 12, 0, b"", b""
        while place < end:
            kind, size = data[place : place + 4], int.from_bytes(data[place + 4 : place + 8], "little")
            content = data[place + 8 : place + 8 + size]
            if kind == b"00dc":
                content = b"" if number in self.frames else content
                number += 1
            index += kind + struct.pack("<III", 16, 4 + len(chunks), len(content))
            chunks += kind + struct.pack("<I", len(content)) + content + b"\0" * (len(content) % 2)
            place += 8 + size + size % 2
        body = data[8:movi] + b"LIST" + struct.pack("<I", len(chunks) + 4) + b"movi" + chunks
        body += b"idx1" + struct.pack("<I", len(index)) + index
        target.write_bytes(b"RIFF" + struct.pack("<I", len(body)) + body)


@dataclass(frozen=True)
class PictureFirst:
    """Puts a track of one picture before the other tracks of a Matroska file, without a flag that says that it is a cover."""

    ending: str = ""

    def apply(self, path, target):
        cover = path.parent / "cover.png"
        ffmpeg("-f", "lavfi", "-i", "color=red:s=64x64", "-frames:v", "1", cover)
        ffmpeg("-i", cover, "-i", path, "-map", "0", "-map", "1", "-c", "copy", target)
