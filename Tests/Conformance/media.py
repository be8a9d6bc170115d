"""Video files as ffmpeg and ffprobe see them: streams, frames, sound and subtitles."""

import functools
import json
import pathlib
import re
import subprocess
import tempfile
from dataclasses import dataclass

import numpy

import pattern
import tones

# More than any file of the table takes on a busy machine.
LIMIT_SECONDS = 3600
# What ffprobe names of a container's own, and what a muxer writes by itself.
OWN_TAGS = {
    "major_brand", "minor_version", "compatible_brands", "encoder", "duration", "handler_name", "vendor_id", "bps", "number_of_frames",
    "number_of_bytes", "source_id", "creation_time", "software", "timecode", "operational_pattern_ul", "uid", "generation_uid",
    "company_name", "product_name", "product_version", "product_uid", "modification_date", "material_package_umid", "toolkit_version",
    "package_umid", "file_package_umid", "file_package_name", "reel_umid", "data_type", "application_platform", "track_name",
    "alpha_mode", "service_name", "service_provider", "product_version_num", "toolkit_version_num",
}  # fmt: skip

#: Codecs that covers have and videos seldom.
PICTURE_CODECS = ("png", "mjpeg", "bmp", "gif", "webp", "tiff")


class Unreadable(Exception):
    """What ffmpeg or ffprobe says about a file that it does not read."""


@dataclass(frozen=True)
class Frame:
    """A decoded frame: its time in seconds, the means of its blocks of 255, and its number if they show one."""

    time: float
    means: numpy.ndarray
    number: int | None
    size: tuple


def run(command, **options):
    done = subprocess.run(command, capture_output=True, timeout=LIMIT_SECONDS, stdin=subprocess.DEVNULL, **options)
    if done.returncode:
        raise Unreadable(f"{command[0]}: {done.stderr.decode(errors='replace').strip()[-600:]}")
    return done


class Clip:
    """A file. Everything is read when it is first asked for, and kept."""

    def __init__(self, path, reference=None):
        """Takes a file.

        - Parameter reference: a file of the same tracks that is read instead, for one whose clock starts again within it.
        """
        self.path = pathlib.Path(path)
        self.read = reference or self.path

    @functools.cached_property
    def probe(self):
        entries = ["-show_streams", "-show_format", "-show_chapters", "-of", "json"]
        done = run(["ffprobe", "-v", "error", *entries, self.read])
        return json.loads(done.stdout)

    @property
    def format(self):
        return self.probe.get("format", {})

    @property
    def begin(self):
        """The earliest time of a track, in seconds."""
        return float(self.format.get("start_time", 0))

    @property
    def length(self):
        """Seconds that the file says it lasts.

        Of MP4 and QuickTime, ffprobe 7 prints the longest sum of decoding times instead, in which gaps between shown frames are missing.
        """
        return movie_length(self.path) or float(self.format.get("duration", 0))

    @property
    def chapters(self):
        return self.probe.get("chapters", [])

    def streams(self, kind):
        return [stream for stream in self.probe.get("streams", []) if stream.get("codec_type") == kind and not self.is_cover(stream)]

    @property
    def covers(self):
        return [stream for stream in self.probe.get("streams", []) if self.is_cover(stream)]

    def is_cover(self, stream):
        """Whether a track is a cover: by its flag, or since it is one picture beside a video, or beside one of a video's codec."""
        return is_cover(stream) or stream["index"] in self.pictures

    @functools.cached_property
    def pictures(self):
        videos = [stream for stream in self.probe.get("streams", []) if stream.get("codec_type") == "video" and not is_cover(stream)]
        single = [stream["index"] for stream in videos if len(videos) > 1 and len(self.packets(stream)) <= 1]
        if len(single) == len(videos):
            single = [stream["index"] for stream in videos if stream["codec_name"] in PICTURE_CODECS]
        return single if len(single) < len(videos) else []

    @property
    def video(self):
        """The first track of moving pictures."""
        videos = self.streams("video")
        if not videos:
            raise Unreadable(f"{self.path.name} has no video track")
        return videos[0]

    @functools.cached_property
    def first_frame(self):
        """What ffprobe says about the first decoded frame."""
        entries = ["-select_streams", str(self.video["index"]), "-read_intervals", "%+#1", "-show_frames", "-of", "json"]
        done = run(["ffprobe", "-v", "error", *entries, self.read])
        frames = json.loads(done.stdout).get("frames", [])
        return frames[0] if frames else {}

    @functools.cached_property
    def frames(self):
        return self.decoded("scale=8:4:flags=area")

    def decoded(self, filters, areas=None, before=""):
        """The frames, as ffmpeg shows them after filters that make them 8x4, or in full size with the areas of their pictures.

        - Parameter areas: gives the possible areas of a frame by its place, as parts of the frame.
        - Parameter before: filters that change which frames there are.
        """
        chain = ",".join(filter(None, [before, "showinfo=checksum=0", filters, "format=gray"]))
        command = [
            "ffmpeg", "-v", "info", "-nostats", "-copyts", "-i", self.read, "-map", f"0:{self.video['index']}",
            "-fps_mode", "passthrough", "-vf", chain, "-f", "rawvideo", "-",
        ]  # fmt: skip
        done = run(command)
        times, sizes = shown_frames(done.stderr)
        if not areas:
            whole = numpy.frombuffer(done.stdout, numpy.uint8).reshape(-1, pattern.BLOCKS)
            means = list(whole.astype(float))
        else:
            means, offset = [], 0
            for place, (width, height) in enumerate(sizes):
                frame = numpy.frombuffer(done.stdout, numpy.uint8, width * height, offset).reshape(height, width)
                offset += width * height
                possible = [pattern.block_means(frame, area) for area in areas(place)]
                means.append(next((mean for mean in possible if pattern.read(mean) is not None), possible[0]))
        if len(means) != len(times):
            raise Unreadable(f"ffmpeg showed {len(means)} frames and told {len(times)} times of {self.path.name}")
        return [Frame(time, mean, pattern.read(mean), size) for time, mean, size in zip(times, means, sizes)]

    @functools.cached_property
    def sounds(self):
        """The runs of each sound track."""
        return [self.sound(stream) for stream in self.streams("audio")]

    def sound(self, stream):
        with tempfile.TemporaryFile() as log:
            command = [
                "ffmpeg", "-v", "info", "-nostats", "-copyts", "-i", self.read, "-map", f"0:{stream['index']}",
                "-af", f"aresample={tones.RATE},ashowinfo", "-f", "f32le", "-",
            ]  # fmt: skip
            process = subprocess.run(command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL, timeout=LIMIT_SECONDS)
            log.seek(0)
            text = log.read()
        if process.returncode:
            raise Unreadable(f"sound of {self.path.name}: {text.decode(errors='replace')[-400:]}")
        # Times in seconds are printed with six digits only.
        blocks = re.findall(rb"ashowinfo.* pts:(\S+) .*?(?:channels|ch):(\d+) .*nb_samples:(\d+)", text)
        samples, place, parts = numpy.frombuffer(process.stdout, "<f4"), 0, []
        for time, channels, count in blocks:
            length = int(channels) * int(count)
            parts.append((int(time) / tones.RATE, samples[place : place + length].reshape(-1, int(channels))))
            place += length
        return tones.joined(parts)

    def packets(self, stream):
        """Times and durations of a track's packets, in seconds."""
        entries = ["-select_streams", str(stream["index"]), "-show_entries", "packet=pts_time,duration_time", "-of", "csv=p=0"]
        lines = run(["ffprobe", "-v", "error", *entries, self.read]).stdout.decode().split()
        pairs = (line.strip(",").split(",") for line in lines)
        return [tuple(float(part) if part != "N/A" else 0.0 for part in pair[:2]) for pair in pairs if len(pair) >= 2 and pair[0] != "N/A"]

    @functools.cached_property
    def packet_seconds(self):
        """The longest packet of sound, and what a decoder leaves out at its start: one packet of Vorbis, 312 samples of Opus."""
        lengths = [
            packet[1] * (2 if stream.get("codec_name") == "vorbis" else 1) + (0.0065 if stream.get("codec_name") == "opus" else 0)
            for stream in self.streams("audio")
            for packet in self.packets(stream)[:200]
        ]
        return max(lengths, default=0.0)

    def offset_tolerance(self, place):
        """Seconds by which a sound track may be early or late.

        ffmpeg 5.1 writes Opus in Matroska early by the encoder's delay, 312 of 48,000 samples, when it copies a track.
        """
        is_opus = self.streams("audio")[place].get("codec_name") == "opus"
        is_matroska = "matroska" in self.format.get("format_name", "")
        return tones.OFFSET_SECONDS + (0.0065 if is_opus and is_matroska else 0)

    def subtitles(self, stream):
        """Times in seconds and text of a track's lines."""
        done = run(["ffmpeg", "-v", "error", "-copyts", "-i", self.read, "-map", f"0:{stream['index']}", "-f", "srt", "-"])
        clock = r"(\d+):(\d+):(\d+),(\d+)"
        found = re.findall(rf"{clock} --> {clock}\n(.*?)\n\n", done.stdout.decode(errors="replace") + "\n", re.DOTALL)
        return [(seconds(*line[:4]), seconds(*line[4:8]), plain(line[8])) for line in found]

    def display_size(self):
        """Width and height of the first frame as a player shows it, with square pixels."""
        stream = self.video
        width, height = stream["width"], stream["height"]
        ratio = stream.get("sample_aspect_ratio", "1:1")
        across, down = (int(part) for part in ratio.split(":")) if ":" in ratio else (1, 1)
        shown = (width * across / down if across and down else width, height)
        return shown[::-1] if abs(self.rotation) % 180 == 90 else shown

    @property
    def rotation(self):
        return next((round(data["rotation"]) for data in self.video.get("side_data_list", []) if "rotation" in data), 0)

    def side_data(self, kind):
        return next((data for data in self.video.get("side_data_list", []) if kind in data.get("side_data_type", "")), None)

    def tags(self, holder):
        """What the tags of a file or stream say, without those that each container writes itself."""
        tags = {name.lower().removesuffix("-eng"): value for name, value in holder.get("tags", {}).items()}
        return {name: value for name, value in tags.items() if name not in OWN_TAGS and not name.startswith("_") and name != "language"}


def movie_length(path):
    """Seconds of a movie header (ISO/IEC 14496-12, 8.2.2); 0 where there is none."""
    place, data = 0, path.read_bytes()
    while place + 16 <= len(data):
        size, kind = int.from_bytes(data[place : place + 4], "big"), data[place + 4 : place + 8]
        head = 16 if size == 1 else 8
        size = int.from_bytes(data[place + 8 : place + 16], "big") if size == 1 else size
        if kind == b"moov" and data[place + head + 4 : place + head + 8] == b"mvhd":
            fields = data[place + head + 8 :]
            unit, long = (20, 8) if fields[0] == 1 else (12, 4)
            scale = int.from_bytes(fields[unit : unit + 4], "big")
            return int.from_bytes(fields[unit + 4 : unit + 4 + long], "big") / scale if scale else 0
        place += max(size, 8)
    return 0


def shown_frames(log):
    """Times in seconds and sizes of the frames that showinfo tells of. Its own seconds have six digits only."""
    times, sizes, base = [], [], 0.0
    for top, bottom, stamp, width, height in re.findall(
        rb"showinfo.*(?:config in time_base: (\d+)/(\d+)| n: *\d+ pts: *(\S+) .* s:(\d+)x(\d+) )", log
    ):
        if bottom:
            base = int(top) / int(bottom)
        else:
            times.append(int(stamp) * base if stamp != b"NOPTS" else float("nan"))
            sizes.append((int(width), int(height)))
    return times, sizes


def is_cover(stream):
    return bool(stream.get("disposition", {}).get("attached_pic"))


def seconds(hours, minutes, whole, thousandths):
    return int(hours) * 3600 + int(minutes) * 60 + int(whole) + int(thousandths) / 1000


def plain(text):
    return re.sub(r"<[^>]*>|\{[^}]*\}", "", text).strip()
