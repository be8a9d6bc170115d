"""The table of what the tool is tried on. A row is one line of it; everything else follows from its words."""

import random
import signal
from dataclasses import dataclass, field, replace

import steps
from actions import Beginning, Damaged, Farm, Interrupted, Lists, Parts, Photos, Refused, Segments, Stalled, Whole
from boxes import DolbyVision, EmptyChunks, PictureFirst, Renamed, SensorTrack, TwoEdits
from judge import Expectation
from making import Lines, Sound, Source
from places import Address, FromImages, Pipes, ToImages, ToPipe
from steps import Concatenated, Copy, CoverFirst, Followed, Garbage, Inserted, SecondVideo, Spherical, Streamed, Truncated, Turned

SILENT = ()
CUT = (Copy(("-ss", "4.3"), ("-t", "4")),)
BOTH_FIELDS = ("-flags", "+ilme+ildct")
TIMECODE = ("-timecode", "01:02:03:04")
# Of 29.97 frames a second, as television counts them.
DROP_FRAME = ("-timecode", "01:02:03;04")
HDR10 = (
    "log-level=error:keyint=25:scenecut=0:hdr10=1:max-cll=1000,400:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:"
    "master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,1)"
)
BFRAMES = "h264 with B-frames"


@dataclass(frozen=True)
class Row:
    """An input, what is done with it, and what is expected."""

    area: str
    name: str
    source: Source
    action: object = field(default_factory=Whole)
    output: str = "mp4"
    # What the output does not keep, with a note: keys of difference.EXCUSES.
    lost: tuple = ()
    # What the output cannot have by its nature: kinds of differences that are not compared.
    without: tuple = ()
    # What a note has to tell in any case.
    told: tuple = ()
    options: tuple = ()
    # quick, whole or slow.
    slice: str = "whole"
    # Frame of the input from which on the picture has another size or aspect, and the two ratios of width and height.
    changes: tuple = ()
    interlaced: bool = False
    # A time on the tool's side is rounded to this many seconds.
    tolerance: float = 0.00101

    @property
    def title(self):
        return f"{self.area}: {self.name}"

    @property
    def shows_its_numbers(self):
        plain = all(isinstance(step, Turned) for step in self.source.steps) and not self.interlaced
        # What is before zero is not shown.
        compares = not isinstance(self.action, Refused) and "frames" not in self.without
        return plain and compares and "-avoid_negative_ts" not in self.source.options

    def expectation(self, clip):
        expectation = Expectation(tolerance=self.tolerance, damaged=isinstance(self.action, Damaged), without=self.without)
        if self.changes:
            first, one, two = self.changes
            boxed = (0, (1 - one / two) / 2, 1, one / two) if two > one else ((1 - two / one) / 2, 0, two / one, 1)
            whole = (0, 0, 1, 1)
            # ffmpeg's decoder of MPEG-2 gives the last frame before a change the aspect of the next one.
            expectation.areas = lambda place: [whole] if place < first - 1 else [boxed] if place >= first else [whole, boxed]
        if self.interlaced:
            expectation.interlaced = True
            expectation.frames = clip.decoded("scale=8:4:flags=area", before="separatefields")
        return expectation


def quick(*rows):
    return [replace(row, slice="quick") for row in rows]


def slow(*rows):
    return [replace(row, slice="slow") for row in rows]


# The last frame is shown for longer than the others.
LONG_LAST_FRAME = Source("mkv", 27, "5", video="av1", times="N/5+0.06*(1+sin(N*0.9))", sounds=(Sound("vorbis", end=3.9),))


def lengths():
    area = "Length"
    yield from quick(
        Row(area, "1 frame", Source(frames=1, sounds=SILENT)),
        Row(area, "1 s, 25 frames a second", Source(frames=25)),
        Row(area, "130 s, 4 frames a second, with sound", Source(frames=520, rate="4")),
        Row(area, "130 s without sound", Source(frames=520, rate="4", sounds=SILENT)),
    )
    yield Row(area, "1 frame with sound of 1 s", Source(frames=1, sounds=(Sound(end=1.0),)))
    for name, sounds in (("", SILENT), (" with sound of 1 s", (Sound(end=1.0),))):
        yield Row(area, f"1 frame{name}, MKV", Source(frames=1, container="mkv", sounds=sounds), output="mkv")
    yield Row(area, "2 frames", Source(frames=2))
    yield Row(area, "61 s, 25 frames a second", Source(frames=1525))
    yield Row(area, "61 s to MKV", Source(frames=610, rate="10", container="mkv"), output="mkv")
    yield Row(area, "130 s, 30 frames a second, with B-frames", Source(frames=3900, rate="30", video=BFRAMES))
    yield Row(area, "130 s of MKV", Source(frames=1300, rate="10", container="mkv", video=BFRAMES), output="mkv")
    yield Row(area, "130 s of WebM", Source(frames=1300, rate="10", container="webm"), output="webm")
    yield Row(area, "130 s of TS", Source(frames=1300, rate="10", container="ts", video=BFRAMES))
    yield Row(area, "130 s of AVI", Source(frames=1300, rate="10", container="avi"))
    yield Row(area, "130 s in one piece", Source(frames=520, rate="4"), options=("--segment-length=0",))
    yield from slow(
        Row(area, "10 minutes, 25 frames a second", Source(frames=15000, video=BFRAMES)),
        Row(area, "10 minutes of MKV", Source(frames=15000, container="mkv", video=BFRAMES), output="mkv"),
        Row(area, "10 minutes, a variable rate", Source(frames=9000, rate="15", times="N/15+0.02*sin(N)+0.02", video=BFRAMES)),
        Row(area, "2 hours, 10 frames a second", Source(frames=72000, rate="10", video=BFRAMES)),
    )


def rates():
    area = "Rate"
    for rate in ("1", "5", "12", "15", "24000/1001", "24", "30000/1001", "30", "48", "50", "60000/1001", "60"):
        top, _, bottom = rate.partition("/")
        frames = max(6, round(2.2 * int(top) / int(bottom or 1)))
        name = f"{int(top) / int(bottom or 1):.5g} frames a second"
        row = Row(area, name, Source(frames=frames, rate=rate, video=BFRAMES))
        yield from quick(row) if rate in ("1", "30000/1001") else [row]
        if bottom:
            yield Row(area, f"{name}, MKV", Source(frames=frames, rate=rate, video=BFRAMES, container="mkv"), output="mkv")
    jitter = "N/25+0.012*sin(N)+0.012"
    held = "if(lt(N,25),N/25,N/25+8)"
    yield from quick(
        Row(area, "variable", Source(times=jitter, video=BFRAMES)),
        Row(area, "variable, MKV", Source(times=jitter, container="mkv"), output="mkv"),
        Row(area, "a frame held for 8 s", Source(times=held, sounds=(Sound(end=10.0),))),
    )
    yield Row(area, "variable, WebM", Source(times=jitter, container="webm", video="vp8", sounds=(Sound("vorbis"),)), output="webm")
    yield Row(area, "variable, without sound", Source(times=jitter, sounds=SILENT))
    yield Row(area, "variable, 5 frames a second, MKV", LONG_LAST_FRAME, output="mkv")
    late = Source("mkv", 7, "5", (64, 48), times="N/5+0.06*(1+sin(N*1.1))", sounds=(Sound("opus", start=0.58),))
    yield Row(area, "variable, sound begins after four frames, MKV", late, output="mkv")
    longer = Source(
        frames=6, rate="30000/1001", times="N/30+0.01", container="mkv", sounds=(Sound("flac", end=0.54), Sound("ac3", start=0.06, end=0.2))
    )
    yield Row(area, "sound lasts longer than the picture, MKV", longer, output="mkv")
    yield Row(area, "faster and faster, 5 to 60 frames a second", Source(frames=120, times="12*(1-exp(-N/60))", sounds=(Sound(end=10.4),)))
    yield Row(area, "a frame held for 8 s, MKV", Source(times=held, container="mkv", sounds=(Sound(end=10.0),)), output="mkv")
    yield Row(area, "a frame held for 8 s, without sound", Source(times=held, sounds=SILENT))
    yield Row(area, "two frames of one time in 90 kHz", Source(times="if(eq(N,10),9/25+1/90000,N/25)", container="mov"), output="mov")
    yield Row(
        area,
        "held for 8 s, in segments of 2 s",
        Source(frames=100, times="if(lt(N,50),N/25,N/25+8)", sounds=(Sound(end=12.0),)),
        Segments(2),
    )


def beginnings():
    area = "First time"
    yield from quick(
        Row(area, "picture begins 1.5 s after the sound", Source(times="N/25+1.5", sounds=(Sound(end=3.5),))),
        Row(area, "10 hours, TS", Source(container="ts", options=("-output_ts_offset", "36000"))),
    )
    yield Row(
        area, "picture begins 1.5 s after the sound, MKV", Source(container="mkv", times="N/25+1.5", sounds=(Sound(end=3.5),)), output="mkv"
    )
    yield Row(area, "5 s, MKV", Source(container="mkv", options=("-output_ts_offset", "5")), output="mkv")
    yield Row(area, "5 s, MP4", Source(options=("-output_ts_offset", "5")))
    yield Row(area, "5 s, MP4 without sound", Source(options=("-output_ts_offset", "5"), sounds=SILENT))
    yield Row(area, "10 hours, MKV", Source(container="mkv", options=("-output_ts_offset", "36000")), output="mkv")
    yield Row(area, "26 hours, near the end of TS's clock", Source(frames=100, container="ts", options=("-output_ts_offset", "95441.5")))
    below = ("-avoid_negative_ts", "disabled", "-output_ts_offset", "-0.5")
    yield Row(area, "below zero, MP4", Source(options=below))
    yield Row(area, "below zero, MOV", Source(container="mov", options=below), output="mov")


def containers():
    area = "Container and codec"
    two = {"frames": 50}
    yield from quick(
        Row(area, "MP4, H.264, AAC", Source(**two, video=BFRAMES)),
        Row(area, "MKV, H.265, Opus", Source(**two, container="mkv", video="h265", sounds=(Sound("opus"),)), output="mkv"),
        Row(area, "WebM, VP9, Opus", Source(**two, container="webm"), output="webm"),
        Row(area, "TS, H.264, AAC", Source(**two, container="ts", video=BFRAMES)),
        Row(area, "AVI, MPEG-4, MP3", Source(**two, container="avi")),
        Row(
            area,
            "MOV, ProRes, PCM",
            Source(**two, container="mov", video="prores", pixels="yuv422p10le", sounds=(Sound("pcm"),)),
            output="mov",
            lost=("bits",),
        ),
        Row(area, "fragmented MP4", Source(**two, options=("-movflags", "frag_keyframe+empty_moov"))),
        Row(
            area,
            "WebM without a duration",
            Source(**two, container="webm", video="vp8", sounds=(Sound("vorbis"),), steps=(Streamed("webm"),)),
            output="webm",
        ),
        Row(area, "WebM of 96x64, VP8", Source(**two, size=(96, 64), container="webm", video="vp8", sounds=SILENT), output="webm"),
    )
    yield Row(area, "MP4, H.265, AAC", Source(**two, video="h265"))
    yield Row(area, "MP4, H.265 with hvc1", Source(**two, video="h265", options=("-tag:v", "hvc1")))
    yield Row(area, "MP4, AV1, Opus", Source(**two, video="av1", sounds=(Sound("opus"),)))
    yield Row(area, "MP4, MPEG-4, MP3", Source(**two, video="mpeg4", sounds=(Sound("mp3"),)))
    yield Row(area, "MP4, H.264, AC-3", Source(**two, sounds=(Sound("ac3"),)))
    yield Row(area, "MP4, H.264, ALAC", Source(**two, sounds=(Sound("alac"),)))
    yield Row(area, "MP4, index first", Source(**two, video=BFRAMES, options=("-movflags", "faststart")))
    yield Row(
        area,
        "fragmented MP4 from a pipe",
        Source(**two, steps=(Streamed("mp4", ("-movflags", "frag_every_frame+empty_moov+default_base_moof")),)),
    )
    yield Row(area, "MOV, H.264, PCM", Source(**two, container="mov", sounds=(Sound("pcm"),)), output="mov")
    yield Row(area, "MOV, H.264, PCM to MP4", Source(**two, container="mov", sounds=(Sound("pcm big endian"),)), lost=("sound codec",))
    yield Row(
        area,
        "MOV, MJPEG, PCM",
        Source(**two, container="mov", video="mjpeg", pixels="yuvj422p", sounds=(Sound("pcm"),)),
        output="mov",
        lost=("colour",),
    )
    yield Row(area, "MKV, H.264, AAC", Source(**two, container="mkv", video=BFRAMES), output="mkv")
    yield Row(area, "MKV, H.264, AAC to MP4", Source(**two, container="mkv", video=BFRAMES))
    yield Row(area, "MP4 to MKV", Source(**two, video=BFRAMES), output="mkv")
    yield Row(area, "MP4 to MOV", Source(**two, video=BFRAMES), output="mov")
    for output in ("mp4", "mov", "mkv"):
        yield Row(area, f"MP4 to {output.upper()}, the first sound", Source(**two, video=BFRAMES), Beginning(), output=output)
    yield Row(area, "MP4 to WebM", Source(**two, video=BFRAMES), output="webm", lost=("sound codec",))
    yield Row(area, "MKV, VP8, Vorbis", Source(**two, container="mkv", video="vp8", sounds=(Sound("vorbis"),)), output="mkv")
    yield Row(area, "MKV, VP9, FLAC", Source(**two, container="mkv", video="vp9", sounds=(Sound("flac"),)), output="mkv")
    yield Row(area, "MKV, AV1, Opus", Source(**two, container="mkv", video="av1", sounds=(Sound("opus"),)), output="mkv")
    yield Row(area, "MKV, MPEG-2, AC-3", Source(**two, container="mkv", video="mpeg2", sounds=(Sound("ac3"),)), output="mkv")
    yield Row(
        area,
        "MKV, MJPEG, PCM",
        Source(**two, container="mkv", video="mjpeg", pixels="yuvj420p", sounds=(Sound("pcm"),)),
        output="mkv",
        lost=("colour",),
    )
    yield Row(
        area,
        "MKV, ProRes, PCM",
        Source(**two, container="mkv", video="prores", pixels="yuv422p10le", sounds=(Sound("pcm"),)),
        output="mkv",
        lost=("bits",),
    )
    yield Row(area, "MKV from a pipe", Source(**two, container="mkv", steps=(Streamed("matroska"),)), output="mkv")
    yield Row(area, "WebM, VP8, Vorbis", Source(**two, container="webm", video="vp8", sounds=(Sound("vorbis"),)), output="webm")
    yield Row(area, "WebM, AV1, Opus", Source(**two, container="webm", video="av1"), output="webm")
    yield Row(area, "WebM, VP9, Opus to MP4", Source(**two, container="webm"))
    yield Row(area, "TS, H.265, AAC", Source(**two, container="ts", video="h265"))
    yield Row(area, "TS, MPEG-2, MP2", Source(**two, container="ts", video="mpeg2", sounds=(Sound("mp2"),)))
    yield Row(area, "M2TS, H.264, AC-3", Source(**two, container="m2ts", video=BFRAMES, sounds=(Sound("ac3"),)))
    yield Row(area, "MPEG-PS, MPEG-2, MP2", Source(**two, container="mpg"))
    yield Row(
        area,
        "AVI, MJPEG, PCM",
        Source(**two, container="avi", video="mjpeg", pixels="yuvj420p", sounds=(Sound("pcm"),)),
        lost=("sound codec", "colour"),
    )
    yield Row(area, "AVI, H.264, MP3", Source(**two, container="avi"))
    yield Row(area, "MXF, MPEG-2, PCM", Source(**two, container="mxf"), lost=("sound codec",))
    dv = {"frames": 25, "size": (720, 576), "video": "dv", "sounds": (Sound("pcm", channels=2),), "filters": ("setsar=16/15",)}
    yield Row(area, "DV", Source(**dv, container="dv"), lost=("sound codec", "interlaced"))
    yield Row(area, "MOV, DV, PCM", Source(**dv, container="mov"), output="mov", lost=("interlaced",))
    yield Row(area, "AVI, DV, PCM", Source(**dv, container="avi"), output="mkv", lost=("interlaced",))
    yield Row(area, "FLV, H.264, AAC", Source(**two, container="flv"))
    silent = {"sounds": SILENT, "frames": 50}
    yield Row(area, "MP4 without sound", Source(**silent, video=BFRAMES))
    yield Row(area, "MOV without sound", Source(**silent, container="mov"), output="mov")
    yield Row(area, "MKV without sound", Source(**silent, container="mkv", video=BFRAMES), output="mkv")
    yield Row(area, "WebM without sound", Source(**silent, container="webm"), output="webm")
    yield Row(area, "TS without sound", Source(**silent, container="ts", video=BFRAMES))
    yield Row(area, "AVI without sound", Source(**silent, container="avi"))
    yield Row(area, "MXF without sound", Source(**silent, container="mxf"))
    yield Row(
        area, "ProRes without sound", Source(**silent, container="mov", video="prores", pixels="yuv422p10le"), output="mov", lost=("bits",)
    )


def groups():
    area = "Key frames"
    yield from quick(
        Row(area, "H.264, open groups", Source(frames=100, video="h264 with open groups")),
        Row(area, "H.264, one key frame in 8 s", Source(frames=200, video="h264 with one key frame"), Segments(2, divides=False)),
    )
    yield Row(area, "H.264, open groups, MKV", Source(frames=100, video="h264 with open groups", container="mkv"), output="mkv")
    yield Row(area, "H.264, open groups, TS", Source(frames=100, video="h264 with open groups", container="ts"))
    yield Row(area, "H.265, open groups", Source(frames=100, video="h265 with open groups"))
    yield Row(area, "H.265, one key frame in 8 s", Source(frames=200, video="h265 with one key frame"))
    yield Row(area, "H.264, one key frame in 130 s", Source(frames=1300, rate="10", video="h264 with one key frame"))
    yield Row(area, "H.265, open groups, in segments of 1 s", Source(frames=150, video="h265 with open groups"), Segments(1))


def sounds():
    area = "Sound"
    languages = (Sound(language="deu", flags="0"), Sound(language="eng", flags="default", title="Commentary"))
    yield from quick(
        Row(area, "begins 0.7 s late, ends 0.7 s late", Source(sounds=(Sound(start=0.7, end=2.7),))),
        Row(area, "two tracks, the second is the default", Source(sounds=languages)),
        Row(area, "5.1", Source(sounds=(Sound("ac3", channels=6),))),
    )
    for container, codec in (("mp4", "aac"), ("mkv", "opus"), ("ts", "mp2"), ("webm", "vorbis")):
        video = "vp8" if container == "webm" else "h264"
        output = container if container != "ts" else "mp4"
        name = {"mp4": "MP4", "mkv": "MKV", "ts": "TS", "webm": "WebM"}[container]
        yield Row(
            area, f"begins 0.7 s late, {name}", Source(container=container, video=video, sounds=(Sound(codec, start=0.7),)), output=output
        )
        yield Row(
            area, f"ends 0.8 s early, {name}", Source(container=container, video=video, sounds=(Sound(codec, end=1.2),)), output=output
        )
        yield Row(area, f"ends 1 s late, {name}", Source(container=container, video=video, sounds=(Sound(codec, end=3.0),)), output=output)
    yield Row(area, "begins 1 s before the picture, MKV", Source(container="mkv", sounds=(Sound(start=-1.0, end=2.0),)), output="mkv")
    yield Row(area, "two tracks, MKV", Source(container="mkv", sounds=languages), output="mkv")
    yield Row(
        area, "two tracks of two codecs, TS", Source(container="ts", sounds=(Sound("mp2", language="deu"), Sound("ac3", language="eng")))
    )
    yield Row(area, "two tracks, MKV to WebM", Source(container="mkv", sounds=languages), output="webm", lost=("sound codec",))
    yield Row(area, "three tracks, MOV", Source(container="mov", sounds=(*languages, Sound("pcm", language="fra"))), output="mov")
    for codec, layout, channels, rate in (
        ("ac3", "5.1(side)", 6, 48000), ("ac3", "4.0", 4, 48000), ("ac3", "2.1", 3, 48000), ("dts", "5.1(side)", 6, 48000),
        ("dts", "5.0(side)", 5, 48000), ("dts", "quad", 4, 48000), ("pcm", "7.1", 8, 48000), ("pcm", "6.1", 7, 44100),
        ("speex", "mono", 1, 16000),
    ):  # fmt: skip
        sound = Sound(codec, channels=channels, layout=layout, rate=rate)
        for output in ("webm", "mp4"):
            kept = output == "mp4" and codec in ("ac3", "dts")
            yield Row(
                area,
                f"{layout}, {codec.upper()}, MKV to {output.upper()}",
                Source(container="mkv", sounds=(sound,)),
                output=output,
                lost=() if kept else ("sound codec",),
            )
    yield Row(area, "5.1, AAC, MKV", Source(container="mkv", sounds=(Sound(channels=6),)), output="mkv")
    yield Row(area, "5.1, AAC to WebM", Source(sounds=(Sound(channels=6),)), output="webm", lost=("sound codec",))
    yield Row(area, "stereo, 44.1 kHz", Source(sounds=(Sound(channels=2, rate=44100),)))
    yield Row(area, "mono, 8 kHz PCM, AVI to MKV", Source(container="avi", sounds=(Sound("pcm", rate=8000),)), output="mkv")
    yield Row(
        area,
        "61 s, ends 1 s early, in segments of 20 s",
        Source(frames=305, rate="5", sounds=(Sound(end=60.0),)),
        options=("--segment-length=20",),
    )


def metadata():
    area = "Metadata"
    tags = (("title", "A day"), ("artist", "Somebody"), ("date", "2026-05-01"), ("comment", "at the sea"))
    chapters = ((0, 0.8, "One"), (0.8, 2.0, "Two"))
    lines = (Lines("srt", "fra"), Lines("srt", "spa", "forced"))
    yield from quick(
        Row(
            area, "chapters, tags and subtitles, MKV", Source(container="mkv", chapters=chapters, tags=tags, subtitles=lines), output="mkv"
        ),
        Row(area, "chapters, tags and subtitles, MP4", Source(chapters=chapters, tags=tags, subtitles=(Lines("mov_text", "fra"),))),
        Row(
            area,
            "default and forced flags of sound and subtitles, MKV",
            Source(
                container="mkv",
                frames=25,
                sounds=(Sound(language="deu", flags="0"), Sound(language="eng", flags="default")),
                subtitles=lines,
            ),
            output="mkv",
        ),
        Row(area, "timecode track, MOV", Source(container="mov", frames=25, sounds=SILENT, options=TIMECODE), output="mov"),
    )
    yield Row(
        area,
        "chapters, tags and subtitles, MOV",
        Source(container="mov", chapters=chapters, tags=tags, subtitles=(Lines("mov_text", "fra"),)),
        output="mov",
    )
    yield Row(area, "chapters, MKV to MP4", Source(container="mkv", chapters=chapters, tags=tags))
    yield Row(area, "chapters, MP4 to MKV", Source(chapters=chapters, tags=tags), output="mkv")
    yield Row(area, "chapters, MKV to WebM", Source(container="mkv", chapters=chapters, tags=tags), output="webm", lost=("sound codec",))
    yield Row(area, "chapters of 130 s, in segments", Source(frames=520, rate="4", chapters=((0, 50, "One"), (50, 130, "Two")), tags=tags))
    yield Row(area, "subtitles, SRT from MKV to MP4", Source(container="mkv", subtitles=lines), lost=("flags",))
    yield Row(area, "subtitles, ASS, MKV", Source(container="mkv", subtitles=(Lines("ass", "deu"),)), output="mkv")
    yield Row(area, "subtitles, MP4 to MKV", Source(subtitles=(Lines("mov_text", "fra"),)), output="mkv")
    yield Row(
        area, "subtitles, SRT from MKV to WebM", Source(container="mkv", subtitles=lines), output="webm", lost=("subtitles", "sound codec")
    )
    yield Row(
        area,
        "subtitles, WebVTT, WebM",
        Source(container="webm", subtitles=(Lines("webvtt", "deu"),)),
        output="webm",
        lost=("subtitles",),
    )
    yield Row(area, "timecode, MOV to MP4", Source(container="mov", frames=25, options=TIMECODE))
    yield Row(area, "timecode of two frames, MOV", Source(container="mov", frames=2, options=TIMECODE), output="mov")
    yield Row(area, "timecode of one frame, MOV", Source(container="mov", frames=1, options=TIMECODE), output="mov")
    irregular = Source(container="mkv", frames=50, rate="15", times="N/15+0.02*sin(N*N)+0.02", options=DROP_FRAME)
    yield Row(area, "timecode of 29.97 frames a second beside a variable rate, MKV to MP4", irregular, lost=("timecode",))
    yield Row(area, "timecode, MOV to MKV", Source(container="mov", frames=25, options=TIMECODE), output="mkv")
    yield Row(area, "timecode, MXF", Source(container="mxf", frames=25, sounds=SILENT, options=TIMECODE), lost=("timecode",))
    spherical = {"frames": 25, "size": (160, 80), "sounds": SILENT}
    yield Row(area, "spherical, MP4", Source(**spherical, steps=(Spherical(1),)), lost=("spherical",))
    yield Row(area, "spherical, boxes of version 2", Source(**spherical, steps=(Spherical(2),)), lost=("spherical",))
    yield Row(area, "spherical, MKV", Source(**spherical, steps=(Spherical(2), Copy(ending="mkv"))), output="mkv", lost=("spherical",))
    yield Row(area, "cover picture first, MP4", Source(steps=(CoverFirst(),)), lost=("cover",))
    yield Row(area, "cover picture first, MOV", Source(container="mov", steps=(CoverFirst(ending="mp4"),)), lost=("cover",))
    yield Row(
        area,
        "second video track, MP4",
        Source(steps=(SecondVideo(Source(first=5000, sounds=SILENT)),)),
        lost=("second video",),
        told=("second video",),
    )
    yield Row(
        area,
        "second video track, MKV",
        Source(container="mkv", steps=(SecondVideo(Source(container="mkv", first=5000, sounds=SILENT)),)),
        output="mkv",
        lost=("second video",),
        told=("second video",),
    )
    yield Row(area, "attached file, MKV", Source(container="mkv", steps=(steps.Attached(),)), output="mkv")
    yield Row(
        area, "attached file, MKV to MP4", Source(container="mkv", steps=(steps.Attached(),)), lost=("attachments",), told=("attachments",)
    )
    yield Row(area, "part with chapters", Source(chapters=chapters), Parts(2), lost=("chapters",))


def cuts():
    area = "Cut and joined"
    long = {"frames": 250, "video": "h264 with one key frame"}
    yield from quick(
        Row(area, "cut without encoding, MP4", Source(frames=250, video=BFRAMES, steps=CUT)),
        Row(area, "cut far from a key frame, MP4", Source(**long, steps=CUT)),
        Row(area, "cut without encoding, MKV", Source(frames=250, video=BFRAMES, container="mkv", steps=CUT), output="mkv"),
    )
    yield Row(area, "sound moved by 0.68 s, MP4", Source(steps=(Copy(("-itsoffset", "0.68"), ()),)))
    yield Row(area, "cut without encoding, TS", Source(frames=250, container="ts", video=BFRAMES, steps=CUT))
    yield Row(area, "cut without encoding, WebM", Source(frames=250, container="webm", steps=CUT), output="webm")
    yield Row(
        area,
        "cut, with an empty edit, MP4",
        Source(frames=250, video=BFRAMES, steps=(Copy(("-ss", "4.3"), ("-t", "4", "-output_ts_offset", "1.5")),)),
    )
    yield Row(area, "cut in segments of 1 s, MP4", Source(**long, steps=CUT), Segments(1))
    yield Row(area, "parts of a cut video, MP4", Source(**long, steps=CUT), Parts(5))
    part = Source(first=1000)
    yield Row(area, "concatenated by ffmpeg, MP4", Source(steps=(Concatenated((part,)),)))
    yield Row(
        area, "concatenated by ffmpeg, MKV", Source(container="mkv", steps=(Concatenated((replace(part, container="mkv"),)),)), output="mkv"
    )
    other = Source(container="ts", first=1000, options=("-output_ts_offset", "2"))
    yield Row(area, "concatenated by cat, TS", Source(container="ts", steps=(Followed(other),)))
    yield Row(
        area,
        "concatenated by cat, clock starts again, TS",
        Source(container="ts", steps=(Followed(replace(other, options=())),), restarts=True),
    )
    yield Row(
        area,
        "concatenated by cat, MPEG-PS",
        Source(
            container="mpg",
            video="mpeg2",
            sounds=(Sound("mp2"),),
            steps=(Followed(Source(container="mpg", video="mpeg2", first=1000, sounds=(Sound("mp2"),))),),
            restarts=True,
        ),
        # Not every frame of a program stream has a time.
        tolerance=0.0411,
    )


def damage():
    area = "Damage"
    whole = {"frames": 200, "video": BFRAMES}
    first = ("-movflags", "faststart")
    for share in (0.35, 0.7, 0.97):
        yield Row(
            area,
            f"MP4, index first, {share:.0%} of the bytes",
            Source(**whole, options=first, steps=(Truncated(share),)),
            Damaged(),
            told=("damage",),
        )
        yield Row(
            area,
            f"MKV, {share:.0%} of the bytes",
            Source(**whole, container="mkv", steps=(Truncated(share),)),
            Damaged(),
            output="mkv",
            told=("damage",),
        )
        yield Row(
            area,
            f"WebM, {share:.0%} of the bytes",
            Source(frames=200, container="webm", video="vp8", sounds=(Sound("vorbis"),), steps=(Truncated(share),)),
            Damaged(),
            output="webm",
            told=("damage",),
        )
        # A transport stream does not say how long it is.
        yield Row(
            area,
            f"TS, {share:.0%} of the bytes",
            Source(**whole, container="ts", steps=(Truncated(share),)),
            Damaged(unnoticed=True),
            lost=("damage",),
        )
        yield Row(
            area,
            f"fragmented MP4, {share:.0%} of the bytes",
            Source(**whole, options=("-movflags", "frag_keyframe+empty_moov"), steps=(Truncated(share),)),
            Damaged(measured=False),
            told=("damage",),
        )
        yield Row(
            area,
            f"AVI, {share:.0%} of the bytes",
            Source(frames=200, container="avi", steps=(Truncated(share),)),
            Damaged(),
            told=("damage",),
        )
    yield from quick(
        Row(
            area,
            "MP4, index last, 90% of the bytes",
            Source(**whole, steps=(Truncated(0.9),)),
            Refused(r"(?i)truncat|damaged|incomplete|index|moov"),
        ),
        Row(
            area,
            "MP4, index first, half of the bytes",
            Source(frames=100, options=first, steps=(Truncated(0.5),)),
            Damaged(),
            told=("damage",),
        ),
    )
    # Noise makes the file larger than the garbage.
    large = {"frames": 300, "size": (320, 192), "filters": ("noise=alls=24:allf=t",), "options": ("-crf", "20")}
    yield Row(area, "200 kB of garbage inside, MP4", Source(**large, steps=(Garbage(0.4),)), Damaged(), told=("damage",))
    yield Row(
        area,
        "200 kB of garbage inside, MKV",
        Source(**large, container="mkv", steps=(Garbage(0.4),)),
        Damaged(),
        output="mkv",
        told=("damage",),
    )
    yield Row(
        area,
        "200 kB of garbage between, MKV",
        Source(**large, container="mkv", steps=(Inserted(0.4),)),
        Damaged(),
        output="mkv",
        told=("damage",),
    )
    yield Row(
        area,
        "200 kB of garbage inside, TS",
        Source(**large, container="ts", steps=(Garbage(0.4),)),
        Damaged(unnoticed=True),
        lost=("damage",),
    )
    yield Row(
        area,
        "200 kB of garbage between, TS",
        Source(**large, container="ts", steps=(Inserted(0.4),)),
        Damaged(unnoticed=True),
        lost=("damage",),
    )
    yield Row(area, "nothing comes any more", Source(), Stalled())
    yield Row(area, "garbage only", Source(frames=1, sounds=SILENT, steps=(Garbage(0.0),)), Refused(r"."))
    yield Row(area, "an empty file", Source(frames=1, sounds=SILENT, steps=(Truncated(0.0),)), Refused(r"(?i)empty"))


def turned(how, **words):
    """A file whose frames are turned, and by its matrix upright again for those who see them."""
    drawn = {90: ((96, 160), "transpose=cclock"), 180: ((160, 96), "hflip,vflip"), 270: ((96, 160), "transpose=clock")}
    size, filters = drawn.get(how, ((160, 96), "hflip"))
    return Source(size=size, filters=(filters,), steps=(Turned(how),), **words)


def second(size):
    """What follows two seconds of a transport stream, of another size."""
    return Source(container="ts", size=size, first=1000, options=("-output_ts_offset", "2"))


def pictures():
    area = "Picture"
    pal = {"size": (176, 144), "video": "mpeg2", "container": "ts", "sounds": (Sound("mp2"),)}
    narrow, wide = (
        Source(**pal, filters=("setsar=12/11",)),
        Source(**pal, filters=("setsar=16/11",), first=1000, options=("-output_ts_offset", "2")),
    )
    ratios = (176 * 12 / 11 / 144, 176 * 16 / 11 / 144)
    yield from quick(
        Row(area, "rotated by 90 degrees", turned(90)),
        Row(area, "pixel aspect 16:11", Source(filters=("setsar=16/11",))),
        Row(area, "aspect changes from 4:3 to 16:9, TS", replace(narrow, steps=(Followed(wide),)), changes=(50, *ratios), told=("aspect",)),
        Row(area, "photos of it", replace(narrow, steps=(Followed(wide),)), Photos(6), changes=(50, *ratios)),
        Row(area, "full range", Source(pixels="yuvj420p", options=("-color_range", "pc")), lost=("colour",)),
    )
    yield Row(area, "rotated by 180 degrees", turned(180))
    yield Row(area, "rotated by 270 degrees", turned(270))
    yield Row(area, "rotated by 90 degrees, MOV", turned(90, container="mov"), output="mov")
    yield Row(area, "rotated, in segments of 1 s", turned(90, frames=100), Segments(1))
    yield Row(area, "mirrored", turned("mirrored"))
    yield Row(area, "pixel aspect 8:9, MKV", Source(container="mkv", filters=("setsar=8/9",)), output="mkv")
    yield Row(area, "pixel aspect 4:3, WebM", Source(container="webm", filters=("setsar=4/3",)), output="webm")
    yield Row(
        area,
        "aspect changes from 16:9 to 4:3, TS",
        replace(
            wide,
            steps=(Followed(replace(narrow, first=1000, options=("-output_ts_offset", "4"))),),
            options=("-output_ts_offset", "2"),
            first=0,
        ),
        changes=(50, *ratios[::-1]),
        told=("aspect",),
    )
    small = Source(container="ts", size=(160, 96))
    yield Row(area, "size changes, larger, TS", replace(small, steps=(Followed(second((320, 192))),)), told=("size",))
    yield Row(
        area,
        "size changes, other shape, TS",
        replace(small, steps=(Followed(second((160, 160))),)),
        changes=(50, 160 / 96, 1.0),
        told=("size",),
    )
    yield Row(
        area,
        "size changes, WebM",
        Source(
            container="webm",
            video="vp8",
            sounds=SILENT,
            steps=(Concatenated((Source(container="webm", video="vp8", sounds=SILENT, size=(96, 160), first=1000),)),),
        ),
        output="webm",
        changes=(50, 160 / 96, 96 / 160),
        told=("size",),
    )
    yield Row(
        area,
        "size changes, in segments of 1 s, MKV",
        Source(container="ts", size=(160, 96), frames=75, steps=(Followed(second((320, 192))), Copy(ending="mkv"))),
        Segments(1),
        output="mkv",
        told=("size",),
    )
    interlaced = {"frames": 100, "rate": "50", "size": (176, 144), "filters": ("tinterlace=interleave_top", "fieldorder=tff")}
    fields = {"interlaced": True, "lost": ("interlaced",), "told": ("interlaced",)}
    yield Row(area, "interlaced, H.264", Source(**interlaced, options=(*BOTH_FIELDS, "-x264-params", "tff=1")), **fields)
    yield Row(
        area,
        "interlaced, MPEG-2, TS",
        Source(**interlaced, container="ts", video="mpeg2", sounds=(Sound("mp2"),), options=BOTH_FIELDS),
        **fields,
    )
    yield Row(
        area,
        "interlaced, MKV",
        Source(**interlaced, container="mkv", options=(*BOTH_FIELDS, "-x264-params", "tff=1")),
        output="mkv",
        **fields,
    )
    bt2020 = ("-color_primaries", "bt2020", "-colorspace", "bt2020nc", "-color_range", "tv")
    ten = {"video": "h265", "pixels": "yuv420p10le", "frames": 25}
    yield Row(area, "HDR10, MP4", Source(**ten, options=(*bt2020, "-color_trc", "smpte2084", "-x265-params", HDR10)))
    yield Row(
        area,
        "HDR10, MKV",
        Source(**ten, container="mkv", options=(*bt2020, "-color_trc", "smpte2084", "-x265-params", HDR10)),
        output="mkv",
    )
    # Since version 7, ffmpeg encodes the colours that frames have.
    hlg = {"filters": ("setparams=color_trc=arib-std-b67",), "options": (*bt2020, "-color_trc", "arib-std-b67")}
    yield Row(area, "HLG, MP4", Source(**ten, **hlg))
    yield Row(
        area,
        "HLG, WebM, VP9",
        Source(frames=25, container="webm", pixels="yuv420p10le", **hlg),
        output="webm",
    )
    yield Row(area, "10 bits", Source(**ten), lost=("bits",), told=("bits",))
    yield Row(area, "10 bits with --bits=10", Source(**ten), options=("--bits=10",))
    yield Row(
        area,
        "BT.709 is said",
        Source(options=("-color_primaries", "bt709", "-color_trc", "bt709", "-colorspace", "bt709", "-color_range", "tv")),
    )
    yield Row(area, "4:4:4", Source(pixels="yuv444p"))
    yield Row(area, "4:2:2, MPEG-2, MXF", Source(pixels="yuv422p", container="mxf", sounds=SILENT))
    yield Row(area, "odd size, 161x97", Source(size=(161, 97), pixels="yuv444p"), lost=("size",))
    yield Row(area, "odd size, 175x143, VP9", Source(size=(175, 143), container="webm"), output="webm", lost=("size",))
    yield Row(
        area,
        "odd size, 161x97, MKV, MJPEG",
        Source(size=(161, 97), container="mkv", video="mjpeg", pixels="yuvj420p", sounds=SILENT),
        output="mkv",
        lost=("size", "colour"),
    )
    yield Row(area, "upright, 96x160", Source(size=(96, 160)))
    yield Row(area, "very small, 32x16", Source(size=(32, 16)))
    yield Row(area, "wide, 640x32", Source(size=(640, 32)))


def large():
    """Frames of more than 2.5 MB, of which ffmpeg finds no rate in a pipe."""
    area = "Large"
    clips = {
        "1920x1080": {"size": (1920, 1080)},
        "1080x1920": {"size": (1080, 1920)},
        "3840x2160": {"size": (3840, 2160)},
        "1920x1080 with 10 bits": {"size": (1920, 1080), "video": "h265", "pixels": "yuv420p10le"},
        "3840x2160 with 10 bits": {"size": (3840, 2160), "video": "h265", "pixels": "yuv420p10le"},
    }
    for name, clip in clips.items():
        options = ("--bits=10",) if "pixels" in clip else ()
        for output in ("mp4", "mov", "mkv"):
            for code, word in (((), ""), (TIMECODE, ", timecode")):
                row = Row(
                    area,
                    f"{name}{word}, {output.upper()}",
                    Source(**clip, container=output, frames=6, sounds=SILENT, options=code),
                    output=output,
                    options=options,
                )
                yield from quick(row) if row.name in ("1920x1080, timecode, MP4", "1080x1920, MKV") else [row]
    full = {"size": (1920, 1080), "sounds": SILENT}
    turned_by_90 = Source(size=(1080, 1920), filters=("transpose=cclock",), frames=6, sounds=SILENT, steps=(Turned(90),))
    yield Row(area, "1920x1080, rotated by 90 degrees", turned_by_90)
    yield Row(area, "1920x1080, 59.94 frames a second", Source(**full, frames=12, rate="60000/1001"))
    for rate, name in (("30000/1001", "29.97"), ("60000/1001", "59.94")):
        source = Source(**full, frames=8, rate=rate, options=DROP_FRAME)
        yield Row(area, f"1920x1080, timecode with dropped numbers, {name} frames a second", source)
    television = Source(**full, frames=72, rate="30000/1001", options=DROP_FRAME)
    yield Row(area, "1920x1080, timecode with dropped numbers, in segments of 1 s", television, Segments(1))
    yield Row(area, "1920x1080, one frame with a timecode", Source(**full, frames=1, options=TIMECODE))
    yield Row(area, "1920x1080, a variable rate", Source(**full, frames=12, times="N/25+0.012*sin(N)+0.012"))
    yield Row(area, "1920x1080 to WebM", Source(**full, frames=6), output="webm")
    browser = Source(container="webm", video="vp8", size=(480, 320), frames=90, rate="30", times="N/30+0.011*sin(N*N)+N/1000+0.011")
    yield Row(area, "480x320 of a browser, whose file names no rate, to MP4", replace(browser, steps=(Streamed("webm"), steps.RateLess())))


def encoders():
    area = "Encoder"
    ways = (
        ("mp4", "h265"), ("mp4", "av1"), ("mp4", "vp9"), ("mov", "prores"), ("mov", "h265"), ("mkv", "av1"), ("mkv", "vp9"),
        ("mkv", "prores"), ("webm", "av1"),
    )  # fmt: skip
    for container, codec in ways:
        sound = Sound("opus") if container in ("mkv", "webm") else Sound()
        source = Source(container=container, frames=60, times="N/25+0.012*sin(N)+0.012", sounds=(sound,))
        name, options = f"{codec.upper()} in {container.upper()}", (f"--codec={codec}",)
        row = Row(area, name, source, output=container, options=options)
        yield from quick(row) if codec in ("av1", "prores") and container == "mkv" else [row]
        yield Row(area, f"{name}, in segments of 1 s", source, Segments(1), output=container, options=options)
    deep = {"video": "h265", "pixels": "yuv420p10le", "container": "mkv", "frames": 25}
    yield Row(area, "AV1 with 10 bits", Source(**deep), output="mkv", options=("--codec=av1", "--bits=10"))
    yield Row(area, "ProRes of 10 bits", Source(**deep), output="mkv", options=("--codec=prores",))
    for preset in ("ultrafast", "medium", "veryslow"):
        yield Row(area, f"--preset={preset}", Source(frames=60), options=(f"--preset={preset}",))
        full = Source(frames=6, size=(1920, 1080), sounds=SILENT)
        yield Row(area, f"--preset={preset}, 1920x1080", full, options=(f"--preset={preset}",))
    # Levels have limits of bits, too.
    yield Row(area, "--bitrate=400k", Source(frames=60), options=("--bitrate=400k",), without=("level",))


def ranges():
    area = "Part"
    ten = 250
    kinds = [
        ("MP4", Source(frames=ten, video=BFRAMES), "mp4"),
        ("MP4 without sound", Source(frames=ten, video=BFRAMES, sounds=SILENT), "mp4"),
        ("MP4, open groups", Source(frames=ten, video="h264 with open groups"), "mp4"),
        ("MP4, one key frame", Source(frames=ten, video="h264 with one key frame"), "mp4"),
        ("MP4, variable rate", Source(frames=ten, times="N/25+0.012*sin(N)+0.012"), "mp4"),
        ("fragmented MP4", Source(frames=ten, options=("-movflags", "frag_keyframe+empty_moov")), "mp4"),
        ("MKV", Source(frames=ten, container="mkv", video=BFRAMES), "mkv"),
        ("MKV without sound", Source(frames=ten, container="mkv", video=BFRAMES, sounds=SILENT), "mkv"),
        ("MKV from a pipe", Source(frames=ten, container="mkv", steps=(Streamed("matroska"),)), "mkv"),
        ("WebM", Source(frames=ten, container="webm"), "webm"),
        ("WebM, VP8", Source(frames=ten, container="webm", video="vp8", sounds=(Sound("vorbis"),)), "webm"),
        ("TS", Source(frames=ten, container="ts", video=BFRAMES), "mp4"),
        ("TS without sound", Source(frames=ten, container="ts", video=BFRAMES, sounds=SILENT), "mp4"),
        ("TS from 10 hours", Source(frames=ten, container="ts", options=("-output_ts_offset", "36000")), "mp4"),
        ("AVI", Source(frames=ten, container="avi"), "mp4"),
        ("MXF", Source(frames=ten, container="mxf", sounds=SILENT), "mp4"),
    ]
    for name, source, output in kinds:
        # Each MXF has a time code, which is that of its first frame.
        yield Row(area, f"20 parts of {name}", source, Parts(20), output, lost=("timecode",) if source.container == "mxf" else ())
        yield Row("Photo", f"3 photos of {name}", source, Photos(3), output)
        yield Row("List", f"4 lists of {name}", source, Lists(4), output)
    yield from quick(
        Row(area, "3 parts of MP4", kinds[0][1], Parts(3)),
        Row("Photo", "2 photos of MP4 without sound", kinds[1][1], Photos(2)),
        Row("List", "1 list of MP4", kinds[0][1], Lists(1)),
    )
    yield Row(area, "5 parts, in segments of 1 s", kinds[0][1], Parts(5), options=("--segment-length=1",))
    yield Row(
        area,
        "AVI, from a time between ticks and frames",
        Source(frames=24, rate="24000/1001", container="avi", sounds=(Sound("pcm"),)),
        Parts(places=((0.09, None),)),
        lost=("sound codec",),
    )
    yield Row(
        area,
        "MKV with VP8, whose first frame is shown within the part",
        Source(frames=2, rate="10", container="mkv", video="vp8", times="N/10+0.005", sounds=(Sound("ac3"),)),
        Parts(places=((0.004, None), (0.012, 0.112))),
        output="mkv",
    )


def segments():
    area = "Segments"
    source = Source(frames=200, rate="10", video=BFRAMES)
    for length in (1, 2, 7):
        yield Row(area, f"20 s in segments of {length} s", source, Segments(length))
    yield Row(area, "130 s in segments of 60 s", Source(frames=650, rate="5"), Segments(60))
    yield Row(area, "MKV in segments of 2 s", replace(source, container="mkv"), Segments(2), output="mkv")
    yield Row(area, "WebM in segments of 2 s", Source(frames=150, rate="15", container="webm"), Segments(2), output="webm")
    yield Row(area, "TS in segments of 2 s", replace(source, container="ts"), Segments(2))
    yield Row(area, "AVI in segments of 2 s", Source(frames=100, rate="10", container="avi"), Segments(2))
    yield Row(area, "variable rate, in segments of 2 s", Source(frames=100, times="N/10+0.04*sin(N)+0.04", rate="10"), Segments(2))
    yield Row(area, "variable rate of MKV, in segments of 2 s", LONG_LAST_FRAME, Segments(2), output="mkv")
    yield from quick(
        Row(area, "MP4 without sound, in segments of 2 s", Source(frames=60, rate="10", sounds=SILENT), Segments(2)),
        Row("Stopped", "Ctrl-C at 1 place, then again", Source(frames=240, rate="20"), Interrupted(signal.SIGINT, 1, 2)),
    )
    yield Row("Stopped", "Ctrl-C at 10 places, then again", Source(frames=240, rate="20"), Interrupted(signal.SIGINT))
    yield Row("Stopped", "kill -9 at 10 places, then again", Source(frames=240, rate="20"), Interrupted(signal.SIGKILL))
    yield Row(
        "Stopped",
        "kill -9 at 10 places, MKV",
        Source(frames=240, rate="20", container="mkv", sounds=SILENT),
        Interrupted(signal.SIGKILL),
        output="mkv",
    )
    yield Row("Farm", "two workers, MP4", source, Farm())
    yield Row("Farm", "two workers, MKV without sound", replace(source, container="mkv", sounds=SILENT), Farm(), output="mkv")


def places():
    area = "Place"
    source = Source(frames=75, video=BFRAMES)
    silent = replace(source, sounds=SILENT)
    yield from quick(
        Row(area, "standard input and output", replace(source, container="mkv"), Pipes(), output="mkv"),
        Row(area, "image sequence to MP4", silent, FromImages()),
        Row(area, "address", source, Address()),
    )
    yield Row(area, "standard input and output, MP4", source, Pipes(), output="mkv")
    yield Row(area, "standard output as Y4M", source, ToPipe("y4m"), output="y4m", lost=("sound tracks",))
    yield Row(area, "standard output as WebM", silent, ToPipe("webm"), output="webm")
    yield Row(area, "address of a playlist (HLS)", source, Address(is_playlist=True))
    yield Row(area, "image sequence to MP4, 30000/1001 a second", Source(rate="30000/1001", sounds=SILENT), FromImages("30000/1001"))
    yield Row(area, "to an image sequence, PNG", silent, ToImages(), output="mkv", without=("colour",))
    yield Row(area, "to an image sequence, JPEG", silent, ToImages("jpg"), output="mkv", without=("colour",))
    yield Row(area, "APNG", source, output="apng", lost=("sound tracks",), without=("colour", "duration"))
    animation = Copy(after=("-c:v", "apng", "-plays", "0", "-f", "apng"), ending="apng")
    yield Row(area, "APNG as input", Source(sounds=SILENT, steps=(animation,)), without=("colour",))
    yield Row(area, "GIF", source, output="gif", lost=("sound tracks",), without=("colour", "duration"), tolerance=0.01001)
    yield Row(area, "Y4M", source, output="y4m", lost=("sound tracks",))


def insides():
    """What cameras, phones and editing programs put into their files."""
    area = "Inside"
    # All ends are those of frames and of packets of sound.
    cut = Source(frames=112, video=BFRAMES, options=("-g", "16"), steps=(TwoEdits((0, 1.28), (2.56, 3.84)),))
    cover = {"options": HIDING, "told": ("cover",), "lost": ("cover",)}
    dolby = {"video": "h265", "frames": 10, "sounds": SILENT}
    yield from quick(
        Row(area, "the middle is cut out by two edits, MP4", cut, told=("sound codec",)),
        Row(area, "a cover picture, and something is hidden, MP4", Source(steps=(CoverFirst(),)), **cover),
        Row(
            area,
            "tracks of a phone's sensors, MOV",
            Source(container="mov", steps=(SensorTrack(),)),
            output="mov",
            told=("data",),
            lost=("data",),
        ),
        Row(
            area,
            "empty chunks of a capture card, AVI",
            Source(container="avi", video="mjpeg", frames=30, sounds=SILENT, steps=(EmptyChunks((5, 6, 7, 15)),)),
        ),
        Row(area, "a picture without a flag first, MKV", Source(container="mkv", steps=(PictureFirst(),)), **cover),
        Row(
            area,
            "a picture without a flag before a video of one frame, MKV",
            Source(container="mkv", frames=1, sounds=SILENT, steps=(PictureFirst(),)),
            **cover,
        ),
        Row(area, "encrypted, MP4", Source(frames=20, sounds=SILENT, options=ENCRYPTION), Refused("encrypted")),
        Row(
            area,
            "ProRes RAW, MOV",
            Source(container="mov", video="prores", frames=5, sounds=SILENT, steps=(Renamed(b"apch", b"aprn"),)),
            Refused("ProRes RAW"),
        ),
        Row(area, "Dolby Vision, profile 5, MP4", Source(**dolby, steps=(DolbyVision(5),)), Refused("profile 5.*libplacebo")),
    )
    # Which frames are shown is known for frames that are marked; here the note counts.
    fields = {"rate": "50", "filters": ("tinterlace=interleave_top",), "sounds": SILENT}
    yield Row(
        area,
        "interlaced and not marked so, of 576 rows, MP4",
        Source(**{**fields, "filters": (*fields["filters"], "setfield=prog")}, frames=60, size=(96, 576)),
        told=("interlaced",),
        without=("frames", "duration"),
    )
    both = (*BOTH_FIELDS, "-x264-params", "tff=1")
    later = Source(**fields, container="ts", video="h264", frames=100, first=1000, size=(176, 144), options=both)
    yield Row(
        area,
        "begins progressive and goes on interlaced, TS",
        replace(later, frames=50, rate="25", filters=(), options=(), first=0, steps=(Concatenated((later,)),)),
        told=("interlaced",),
        without=("frames", "duration"),
    )
    yield Row(area, "the middle is cut out by two edits, MP4 to MKV", cut, output="mkv", told=("sound codec",), lost=("sound codec",))
    yield Row(area, "a cover picture, and something is hidden, MKV", Source(container="mkv", steps=(CoverFirst(),)), output="mkv", **cover)
    yield Row(area, "Dolby Vision, profile 8, MP4", Source(**dolby, steps=(DolbyVision(8),)), told=("dolby",))


# Composes frames that look as before, as an effect that hides something does.
HIDING = ("--halo-width=0.1",)
ENCRYPTION = ("-encryption_scheme", "cenc-aes-ctr", "-encryption_key", "0" * 31 + "1", "-encryption_kid", "0" * 31 + "2")


def table():
    rows = []
    parts = (
        lengths, rates, beginnings, containers, groups, sounds, metadata, cuts, damage, pictures, large, encoders, insides, ranges,
        segments, places,
    )  # fmt: skip
    for part in parts:
        rows.extend(part())
    names = [row.title for row in rows]
    repeated = {name for name in names if names.count(name) > 1}
    if repeated:
        raise ValueError(f"rows of one name: {', '.join(sorted(repeated))}")
    return rows


# Containers, with their video and sound codecs, that random rows are drawn from.
CHOICES = {
    "mp4": (
        ("h264", BFRAMES, "h264 with open groups", "h264 with one key frame", "h265", "av1", "mpeg4"),
        ("aac", "mp3", "ac3", "opus", "alac"),
    ),
    "mov": (("h264", BFRAMES, "h265", "mpeg4"), ("aac", "pcm", "alac")),
    "mkv": (("h264", BFRAMES, "h265 with open groups", "vp8", "vp9", "av1", "mpeg2"), ("aac", "opus", "vorbis", "flac", "pcm", "ac3")),
    "webm": (("vp8", "vp9", "av1"), ("opus", "vorbis")),
    "ts": (("h264", BFRAMES, "h265", "mpeg2"), ("aac", "mp2", "ac3")),
    "avi": (("mpeg4",), ("mp3", "pcm")),
}


def drawn(number, seed):
    """Random rows: the same for the same seed."""
    draw = random.Random(seed)
    rows = [drawn_row(draw, f"{seed}.{place}") for place in range(number)]
    return [altered(draw, row) if draw.random() < 0.4 else row for row in rows]


def drawn_row(draw, name):
    container = draw.choice(list(CHOICES))
    videos, codecs = CHOICES[container]
    video = draw.choice(videos)
    # MPEG-2 has no others, and MPEG-4 no clock that is fine enough for variable rates.
    rate = draw.choice(["24000/1001", "25", "30000/1001", "30", "50", "60", *(["5", "10", "12", "15"] if video != "mpeg2" else [])])
    seconds = draw.choice([0.2, 1, draw.uniform(1, 4), draw.uniform(4, 15)])
    top, _, bottom = rate.partition("/")
    # ffprobe finds no stream in a transport stream of a few packets.
    frames = max(5 if container == "ts" else 1, round(seconds * int(top) / int(bottom or 1)))
    length = frames / (int(top) / int(bottom or 1))
    sounds = tuple(
        Sound(
            draw.choice(codecs),
            start=draw.choice([0.0, 0.0, round(draw.uniform(0, length / 2), 2)]),
            end=draw.choice([None, round(draw.uniform(length / 2 + 0.1, length + 1), 2)]),
            channels=draw.choice([1, 2]),
            language=draw.choice(["", "deu", "eng"]) if container not in ("avi",) else "",
        )
        for _ in range(draw.choice([0, 1, 1, 1, 2]))
    )
    times = ""
    if container in ("mp4", "mov", "mkv", "webm") and video not in ("mpeg2", "mpeg4") and draw.random() < 0.3:
        times = f"N/({rate})+{draw.uniform(0.1, 0.4):.3f}/({rate})*(1+sin(N*{draw.uniform(0.5, 2):.2f}))"
    size = draw.choice([(160, 96), (96, 160), (176, 144), (128, 128), (64, 48)])
    source = Source(container, frames, rate, size, video, times, sounds=sounds)
    output = container if container in ("mp4", "mov", "mkv", "webm") else draw.choice(["mp4", "mkv"])
    # Packets of VP8 do not tell how many frames there are.
    segments = Segments(draw.choice([1, 2, 5]), divides=video != "vp8")
    action = draw.choice([Whole(), Whole(), Parts(2), segments if length > 2 else Whole()])
    return Row("Random", f"{name}: {describe(source, action)}", source, action, output, lost=("sound codec",))


def altered(draw, row):
    """A random row of whose kind there is more in people's files: pictures, sensors, cuts, time codes, sizes, channels."""
    source, container = row.source, row.source.container
    ways = [large_frames, many_channels] if container in ("mp4", "mov", "mkv") else []
    ways += {"mp4": [cover_beside, cut_out], "mov": [sensors_beside, time_code], "mkv": [cover_beside, picture_before]}.get(container, [])
    ways += [empty_chunks] if container == "avi" else []
    # The action is that of the whole video: parts of these files have rows of their own.
    plain = replace(row, action=Whole())
    return draw.choice(ways)(draw, plain, source) if ways else row


def large_frames(draw, row, source):
    size = draw.choice([(1920, 1080), (1080, 1920)])
    return renamed(row, replace(source, size=size, frames=min(8, source.frames), times="", sounds=SILENT), "large")


def many_channels(draw, row, source):
    layout, channels = draw.choice([("5.1(side)", 6), ("4.0", 4), ("quad", 4), ("3.0", 3), ("5.0(side)", 5)])
    codec = draw.choice(["ac3", "dts"] if source.container == "mkv" else ["ac3"])
    sound = Sound(codec, channels=channels, layout=layout)
    long = replace(source, frames=max(50, source.frames), times="", sounds=(sound,))
    return renamed(replace(row, output=draw.choice(["mp4", "mkv", "webm"])), long, layout)


def cover_beside(draw, row, source):
    return renamed(replace(row, options=HIDING, told=("cover",), lost=(*row.lost, "cover")), added(source, CoverFirst()), "cover")


def picture_before(draw, row, source):
    many = replace(source, frames=max(2, source.frames))
    return renamed(replace(row, options=HIDING, told=("cover",), lost=(*row.lost, "cover")), added(many, PictureFirst()), "picture first")


def sensors_beside(draw, row, source):
    long = replace(source, frames=max(50, source.frames))
    return renamed(replace(row, told=("data",), lost=(*row.lost, "data")), added(long, SensorTrack()), "sensors")


def time_code(draw, row, source):
    rate = draw.choice(["24", "25", "30", "50", "60"])
    return renamed(row, replace(source, rate=rate, times="", frames=max(3, source.frames), options=TIMECODE), "time code")


def cut_out(draw, row, source):
    # Ends of frames and of packets of sound at 48 kHz meet every 0.64 s; there is a key frame at each.
    parts = draw.randrange(1, 4)
    start = parts + draw.randrange(1, 3)
    edits = TwoEdits((0, 0.64 * parts), (0.64 * start, 0.64 * (start + 1)))
    whole = replace(source, video=BFRAMES, rate="25", times="", frames=16 * (start + 2), options=("-g", "16"), sounds=(Sound(),))
    return renamed(replace(row, told=("sound codec",)), added(whole, edits), "two edits")


def empty_chunks(draw, row, source):
    frames = max(12, min(60, source.frames))
    emptied = tuple(sorted(draw.sample(range(1, frames), draw.randrange(1, 6))))
    return renamed(row, added(replace(source, video="mjpeg", frames=frames, sounds=SILENT), EmptyChunks(emptied)), "empty chunks")


def added(source, step):
    return replace(source, steps=(*source.steps, step))


def renamed(row, source, word):
    return replace(row, source=source, name=f"{row.name.partition(':')[0]}: {word}, {describe(source, row.action)}")


def describe(source, action):
    sound = "+".join(sound.codec for sound in source.sounds) or "no sound"
    rate = f"{source.rate}{' variable' if source.times else ''}"
    return f"{source.container} {source.video}, {sound}, {source.frames} frames at {rate}, {source.size[0]}x{source.size[1]}, {action}"
