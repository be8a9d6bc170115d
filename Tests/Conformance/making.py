"""Files of the table, made by ffmpeg from numbered frames and from seconds of tones."""

import hashlib
import subprocess
import tempfile
from dataclasses import dataclass, field
from fractions import Fraction

import pattern
import tones

X264 = ("-c:v", "libx264", "-preset", "veryfast", "-sc_threshold", "0")
# The pattern changes with each frame; without a search for scenes, key frames and B-frames are where they are asked for.
VIDEO_CODECS = {
    "h264": (*X264, "-g", "25", "-bf", "0"),
    "h264 with B-frames": (*X264, "-g", "25", "-bf", "3", "-x264-params", "b-adapt=0:b-pyramid=normal"),
    "h264 with open groups": (*X264, "-g", "20", "-bf", "3", "-x264-params", "open-gop=1:b-adapt=0"),
    "h264 with one key frame": (*X264, "-g", "100000", "-keyint_min", "100000", "-bf", "2", "-x264-params", "b-adapt=0"),
    "h265": ("-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=25:scenecut=0:open-gop=0"),
    "h265 with open groups": (
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=20:scenecut=0:open-gop=1:bframes=3:b-adapt=0",
    ),
    "h265 with one key frame": (
        "-c:v", "libx265", "-preset", "ultrafast", "-x265-params", "log-level=error:keyint=-1:scenecut=0:bframes=2:b-adapt=0",
    ),
    "vp8": ("-c:v", "libvpx", "-deadline", "good", "-cpu-used", "4", "-b:v", "1M", "-g", "25", "-auto-alt-ref", "1"),
    "vp9": ("-c:v", "libvpx-vp9", "-deadline", "good", "-cpu-used", "5", "-b:v", "1M", "-g", "25"),
    # Without loss: at other settings some blocks of some frames are not as they were.
    "av1": ("-c:v", "libaom-av1", "-cpu-used", "8", "-crf", "0", "-b:v", "0", "-g", "25"),
    "mpeg2": ("-c:v", "mpeg2video", "-qscale:v", "3", "-g", "12", "-bf", "2", "-sc_threshold", "1000000000"),
    "mpeg4": ("-c:v", "mpeg4", "-qscale:v", "3", "-g", "25"),
    "prores": ("-c:v", "prores_ks", "-profile:v", "3", "-vendor", "apl0"),
    "mjpeg": ("-c:v", "mjpeg", "-qscale:v", "3"),
    "dv": ("-c:v", "dvvideo"),
    "raw": ("-c:v", "rawvideo"),
}  # fmt: skip
SOUND_CODECS = {
    "aac": ("aac", "-b:a", "96k"),
    "mp3": ("libmp3lame", "-b:a", "96k"),
    "mp2": ("mp2", "-b:a", "128k"),
    "ac3": ("ac3", "-b:a", "192k"),
    "opus": ("libopus", "-b:a", "96k"),
    "vorbis": ("libvorbis", "-b:a", "96k"),
    "flac": ("flac",),
    "alac": ("alac",),
    "dts": ("dca", "-strict", "-2"),
    "speex": ("libspeex",),
    "pcm": ("pcm_s16le",),
    "pcm big endian": ("pcm_s16be",),
}
MUXERS = {
    "mp4": "mp4", "mov": "mov", "mkv": "matroska", "webm": "webm", "ts": "mpegts", "m2ts": "mpegts", "avi": "avi", "mxf": "mxf", "dv": "dv",
    "nut": "nut", "mpg": "vob", "flv": "flv",
}  # fmt: skip

USUAL = {"webm": ("vp9", "opus"), "avi": ("mpeg4", "mp3"), "mpg": ("mpeg2", "mp2"), "mxf": ("mpeg2", "pcm"), "dv": ("dv", "pcm")}


@dataclass(frozen=True)
class Sound:
    """A track of tones. Its times are those of the picture."""

    codec: str = "aac"
    start: float = 0.0
    # The end; otherwise that of the picture.
    end: float | None = None
    channels: int = 1
    # Places of the channels; otherwise as most sound of so many has them.
    layout: str = ""
    rate: int = 48000
    language: str = ""
    title: str = ""
    # Flags as ffmpeg's option -disposition takes them.
    flags: str = ""


@dataclass(frozen=True)
class Lines:
    """A track of subtitles: a line each second."""

    codec: str = "srt"
    language: str = ""
    flags: str = ""


@dataclass(frozen=True)
class Source:
    """An input of the table."""

    container: str = "mp4"
    frames: int = 50
    rate: str = "25"
    size: tuple = (160, 96)
    # What is not said is as most files of the container have it.
    video: str = ""
    # The time of frame N in seconds, as an expression of ffmpeg; otherwise N by the rate.
    times: str = ""
    filters: tuple = ()
    pixels: str = "yuv420p"
    # The number of the first frame.
    first: int = 0
    sounds: tuple | None = None
    subtitles: tuple = ()
    # Triples of start and end in seconds, and title.
    chapters: tuple = ()
    tags: tuple = ()
    # More options of the encoder and of the muxer.
    options: tuple = ()
    # Steps that make another file of the file: each has a method apply(path, target).
    steps: tuple = field(default=())
    # The clock starts again within the file.
    restarts: bool = False

    def __post_init__(self):
        video, sound = USUAL.get(self.container, ("h264", "aac"))
        object.__setattr__(self, "video", self.video or video)
        object.__setattr__(self, "sounds", (Sound(sound),) if self.sounds is None else self.sounds)

    @property
    def name(self):
        return f"{hashlib.sha256(repr(self).encode()).hexdigest()[:12]}.{self.ending}"

    @property
    def ending(self):
        return next((step.ending for step in reversed(self.steps) if getattr(step, "ending", "")), self.container)

    @property
    def seconds(self):
        return float(self.frames / Fraction(self.rate))


def make(source, folder):
    """Makes the file of a source in a folder, once, and returns its path."""
    target = folder / source.name
    if target.exists():
        return target
    with tempfile.TemporaryDirectory(dir=folder) as work:
        path = folder.__class__(work) / f"0.{source.container}"
        encode(source, path)
        for number, step in enumerate(source.steps, 1):
            following = path.parent / f"{number}.{getattr(step, 'ending', '') or source.container}"
            step.apply(path, following)
            path = following
        path.rename(target)
    return target


def continued(path):
    """A copy of a file whose clock starts again, with times that go on."""
    target = path.with_suffix(".continued.ts")
    command = ["ffmpeg", "-v", "error", "-nostdin", "-y", "-i", path, "-map", "0:V", "-map", "0:a", "-c", "copy", target]
    subprocess.run(command, check=True, stdin=subprocess.DEVNULL)
    return target


def encode(source, target):
    width, height = source.size
    command = ["ffmpeg", "-v", "error", "-nostdin" if not source.frames else "-y", "-y"]
    command += ["-f", "rawvideo", "-pix_fmt", "gray", "-s", f"{width}x{height}", "-r", source.rate, "-i", "-"]
    maps, settings, inputs = ["-map", "0:v"], [], 1
    for place, sound in enumerate(source.sounds):
        end = source.seconds if sound.end is None else sound.end
        text = f"aevalsrc='{tones.expression(place, sound.channels, sound.start)}':s={sound.rate}:d={end - sound.start}"
        if sound.layout or sound.channels == 6:
            text += f":c={sound.layout or '5.1'}"
        command += ["-itsoffset", str(sound.start), "-f", "lavfi", "-i", text]
        maps += ["-map", f"{inputs}:a"]
        inputs += 1
        settings += [f"-c:a:{place}", *(f"{word}:{place}" if word == "-b:a" else word for word in SOUND_CODECS[sound.codec])]
        settings += described("a", place, sound)
    folder = target.parent
    for place, lines in enumerate(source.subtitles):
        text = folder / f"lines{place}.srt"
        text.write_text(subtitle_text(source.seconds, place), encoding="utf-8")
        command += ["-i", text]
        maps += ["-map", f"{inputs}:s"]
        inputs += 1
        settings += [f"-c:s:{place}", lines.codec, *described("s", place, lines)]
    if source.chapters or source.tags:
        text = folder / "metadata.txt"
        text.write_text(metadata_text(source), encoding="utf-8")
        command += ["-f", "ffmetadata", "-i", text]
        settings += ["-map_metadata", str(inputs)]
    command += maps + settings
    filters = [*source.filters, f"format={source.pixels}"]
    if source.times:
        filters = ["settb=1/90000", f"setpts='round(({source.times})*90000)'", *filters]
        # Since ffmpeg 7.1, -1 takes the time base of the filters only with this option.
        command += ["-fps_mode", "passthrough", "-enc_time_base:v", "1/90000"]
        if source.container in ("mp4", "mov"):
            # There, frames whose times were set last 0 s, and the edit list ends before the last one.
            command += ["-bsf:v", "setts=pts=PTS:dts=DTS:duration=3600"]
    command += [*VIDEO_CODECS[source.video], "-threads:v", "2", "-vf", ",".join(filters), *source.options]
    command += ["-f", MUXERS[source.container], *(["-mpegts_m2ts_mode", "1"] if source.container == "m2ts" else []), target]
    feed(command, source)


def described(kind, place, track):
    settings = []
    if track.language:
        settings += [f"-metadata:s:{kind}:{place}", f"language={track.language}"]
    if getattr(track, "title", ""):
        settings += [f"-metadata:s:{kind}:{place}", f"title={track.title}"]
    if track.flags:
        settings += [f"-disposition:{kind}:{place}", track.flags]
    return settings


def feed(command, source):
    """Runs ffmpeg with the frames on its standard input."""
    with tempfile.TemporaryFile() as log:
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=log)
        try:
            for number in range(source.frames):
                process.stdin.write(pattern.draw(source.first + number, source.size).tobytes())
            process.stdin.close()
        except BrokenPipeError:
            pass
        if process.wait():
            log.seek(0)
            raise RuntimeError(f"{' '.join(map(str, command))}\n{log.read().decode(errors='replace')[-1500:]}")


def subtitle_text(length, track):
    parts = []
    for second in range(max(1, int(length))):
        parts.append(f"{second + 1}\n{clock(second + 0.2)} --> {clock(second + 0.8)}\nLine {second} of track {track}\n")
    return "\n".join(parts)


def clock(time):
    thousandths = round(time * 1000)
    return f"{thousandths // 3600000:02}:{thousandths // 60000 % 60:02}:{thousandths // 1000 % 60:02},{thousandths % 1000:03}"


def metadata_text(source):
    lines = [";FFMETADATA1", *(f"{name}={value}" for name, value in source.tags)]
    for start, end, title in source.chapters:
        lines += ["[CHAPTER]", "TIMEBASE=1/1000", f"START={round(start * 1000)}", f"END={round(end * 1000)}", f"title={title}"]
    return "\n".join(lines) + "\n"
