"""Tracks, languages, flags, chapters, tags, colours and other metadata of an input and an output, compared."""

from difference import Difference

SUBTITLE_TOLERANCE = 0.06
CHAPTER_TOLERANCE = 0.0021
FLAGS = ("default", "forced", "hearing_impaired", "visual_impaired", "comment", "original", "dub", "lyrics", "karaoke")
COLOURS = ("color_transfer", "color_primaries", "color_space")
# ffprobe's names of unknown values.
UNKNOWN = (None, "", "unknown", "unspecified", "reserved")


def compared(source, result, expectation):
    problems = []
    for compare in (tracks, subtitles, chapters, tags, other_tracks, shape, colours):
        problems += [Difference(kind, text) for kind, text in compare(source, result, expectation)]
    return problems


def tracks(source, result, expectation):
    yield from second_videos(source, result)
    streams, found = source.streams("audio"), result.streams("audio")
    wanted = [streams[place] for place in sounding(source, result, expectation)]
    if len(wanted) != len(found):
        yield "sound tracks", f"{len(found)} sound tracks instead of {len(wanted)}"
    for place, (one, other) in enumerate(zip(wanted, found)):
        name = f"sound track {place}"
        # MP4 names both layers of MPEG audio alike.
        if one["codec_name"] != other["codec_name"] and {one["codec_name"], other["codec_name"]} != {"mp2", "mp3"}:
            yield "sound codec", f"{name} is {other['codec_name']} instead of {one['codec_name']}"
        yield from labels(source, result, one, other, name)
        yield from flags(one, other, name, is_chosen=place == 0 and not any_default(wanted))
    yield from labels(source, result, source.video, result.video, "the video track")


def sounding(source, result, expectation):
    """The places of an input's sound tracks that have sound in the part that was asked for; of all, if all are kept."""
    start, end = expectation.part
    if (start, end) == (None, None) or len(source.sounds) == len(result.sounds):
        return range(len(source.sounds))
    first = source.begin + (start or 0)
    last = source.begin + end if end is not None else float("inf")
    return [place for place, runs in enumerate(source.sounds) if any(run.end > first and run.start < last for run in runs)]


def second_videos(source, result):
    extra, found = len(source.streams("video")), len(result.streams("video"))
    if found != 1:
        yield "frames", f"{found} video tracks"
    if extra > 1:
        yield "second video", f"{extra - 1} more video tracks are left out"
    if source.covers and not result.covers:
        yield "cover", "the cover picture is left out"


def labels(source, result, one, other, name):
    language, got = (language_of(stream) for stream in (one, other))
    if language != got:
        yield "language", f"{name} has the language {got} instead of {language}"
    # QuickTime files by ffmpeg keep a track's title in its handler.
    wanted, found = source.tags(one).get("title"), result.tags(other).get("title") or result.tags(other).get("name")
    if (wanted or source.tags(one).get("name")) and (wanted or source.tags(one).get("name")) != found:
        yield "title", f"{name} has the title {found} instead of {wanted}"


def language_of(stream):
    """The language by the code that its speakers use; Matroska has the other one of ISO 639-2."""
    code = stream.get("tags", {}).get("language", "und")
    return {"ger": "deu", "fre": "fra", "dut": "nld", "chi": "zho", "cze": "ces", "gre": "ell", "rum": "ron"}.get(code, code)


def any_default(streams):
    return len(streams) > 1 and any(stream.get("disposition", {}).get("default") for stream in streams)


def flags(one, other, name, is_chosen):
    """Flags that differ. A track that players choose without the flag may have it or not."""
    for flag in FLAGS:
        wanted, got = (bool(stream.get("disposition", {}).get(flag)) for stream in (one, other))
        if wanted != got and not (flag == "default" and is_chosen):
            yield "flags", f"{name} is {'not ' if wanted else ''}{flag}"


def subtitles(source, result, expectation):
    wanted, found = source.streams("subtitle"), result.streams("subtitle")
    if len(wanted) != len(found):
        yield "subtitles", f"{len(found)} subtitle tracks instead of {len(wanted)}"
    for place, (one, other) in enumerate(zip(wanted, found)):
        name = f"subtitle track {place}"
        yield from labels(source, result, one, other, name)
        yield from flags(one, other, name, is_chosen=place == 0 and not any_default(wanted))
        if expectation.part == (None, None):
            yield from lines(source, result, one, other, name)


def lines(source, result, one, other, name):
    start, begin = source.frames[0].time, result.frames[0].time
    wanted, found = source.subtitles(one), result.subtitles(other)
    if [line[2] for line in wanted] != [line[2] for line in found]:
        yield "subtitles", f"{name} has {len(found)} lines instead of {len(wanted)}, or others"
        return
    for line, got in zip(wanted, found):
        if any(abs(line[place] - start - got[place] + begin) > SUBTITLE_TOLERANCE for place in (0, 1)):
            shown, wanted = (f"{pair[0] - zero:.3f} to {pair[1] - zero:.3f} s" for pair, zero in ((got, begin), (line, start)))
            yield "subtitles", f"{name} shows {got[2]!r} at {shown} instead of {wanted}"
            return


def chapters(source, result, expectation):
    origin, other = start_of(source), start_of(result)
    start, end = expectation.part
    wanted = [(float(chapter["start_time"]) - origin, float(chapter["end_time"]) - origin, title(chapter)) for chapter in source.chapters]
    found = [(float(chapter["start_time"]) - other, float(chapter["end_time"]) - other, title(chapter)) for chapter in result.chapters]
    if start is not None or end is not None:
        first, last = start or 0.0, float("inf") if end is None else end
        wanted = [(max(one, first) - first, min(two, last) - first, name) for one, two, name in wanted if one < last and two > first]
    alike = len(wanted) == len(found) and all(
        one[2] == two[2] and abs(one[0] - two[0]) <= CHAPTER_TOLERANCE for one, two in zip(wanted, found)
    )
    if not alike:
        yield "chapters", f"chapters are {listed(found)} instead of {listed(wanted)}"


def start_of(clip):
    """The time of a file's beginning. Chapters are told from zero, or from the clock that the frames have."""
    return 0.0 if clip.frames[0].time < 1 else clip.frames[0].time


def title(chapter):
    return chapter.get("tags", {}).get("title", "")


def listed(chapters):
    return ", ".join(f"{start:.3f} {name}" for start, _, name in chapters) or "none"


def tags(source, result, _):
    wanted, found = source.tags(source.format), result.tags(result.format)
    for name, value in wanted.items():
        if found.get(name) != value:
            yield "tags", f"tag {name} is {found.get(name)!r} instead of {value!r}"


def other_tracks(source, result, _):
    for kind, category in (("attachment", "attachments"), ("data", "data")):
        wanted, found = ([stream for stream in clip.streams(kind) if not is_timecode(stream)] for clip in (source, result))
        # Text tracks with the titles of chapters, as in QuickTime.
        wanted, found = ([stream for stream in streams if stream.get("codec_name") != "bin_data"] for streams in (wanted, found))
        if len(wanted) != len(found):
            yield category, f"{len(found)} {kind} tracks instead of {len(wanted)}"
    wanted, found = timecode(source), timecode(result)
    if wanted != found:
        yield "timecode", f"timecode {found} instead of {wanted}"


def is_timecode(stream):
    return stream.get("codec_tag_string") == "tmcd" or "timecode" in stream.get("tags", {})


def timecode(clip):
    for holder in [*clip.probe.get("streams", []), clip.format]:
        for name, value in holder.get("tags", {}).items():
            if name.lower() == "timecode":
                return value
    return None


def shape(source, result, expectation):
    wanted, found = source.display_size(), result.display_size()
    ratio, other = wanted[0] / wanted[1], found[0] / found[1]
    if abs(ratio / other - 1) > 0.02:
        yield "aspect", f"pictures are shown with {other:.3f}:1 instead of {ratio:.3f}:1"
    coded, got = frame_size(source), frame_size(result)
    if coded != got:
        yield "size", f"frames are {got[0]}x{got[1]} instead of {coded[0]}x{coded[1]}"
    if source.side_data("Spherical") and not result.side_data("Spherical"):
        yield "spherical", "the spherical projection is lost"
    if source.video.get("field_order") not in (None, "progressive", "unknown"):
        yield "interlaced", "frames are deinterlaced"
    if result.video.get("field_order") not in (None, "progressive", "unknown"):
        yield "frames", "frames are interlaced"


def frame_size(clip):
    """The size of the first frame as ffmpeg shows it: upright."""
    size = clip.frames[0].size
    return size[::-1] if abs(clip.rotation) % 180 == 90 and size == (clip.video["width"], clip.video["height"]) else size


def colours(source, result, _):
    one, other = source.video, result.video
    for name in COLOURS:
        wanted, found = one.get(name), other.get(name)
        if wanted not in UNKNOWN and wanted != found:
            yield "colour", f"{name} is {found} instead of {wanted}"
    if (one.get("color_range") == "pc") != (other.get("color_range") == "pc"):
        yield "colour", f"color_range is {other.get('color_range')} instead of {one.get('color_range')}"
    if bits(one) > bits(other):
        yield "bits", f"{bits(other)} bits per sample instead of {bits(one)}"
    for kind in ("Mastering display metadata", "Content light level metadata"):
        if frame_data(source, kind) != frame_data(result, kind):
            yield "hdr", f"{kind} is {frame_data(result, kind)} instead of {frame_data(source, kind)}"


def bits(stream):
    pixels = stream.get("pix_fmt", "")
    return next((depth for depth in (16, 12, 10) if f"p{depth}" in pixels or f"a{depth}" in pixels), 8)


def frame_data(clip, kind):
    found = [data for data in clip.first_frame.get("side_data_list", []) if data.get("side_data_type") == kind]
    found += [data for data in clip.video.get("side_data_list", []) if data.get("side_data_type") == kind]
    return {name: ratio(value) for name, value in found[0].items() if name != "side_data_type"} if found else None


def ratio(value):
    """A value of ffprobe such as 13250/50000, rounded."""
    text = str(value)
    if "/" not in text:
        return value
    top, bottom = text.split("/")
    return round(int(top) / int(bottom), 3)
