"""What differs between an input and what the tool made of it, by what ffmpeg decodes of both."""

import difflib
from dataclasses import dataclass, field

import levels
import streams
import tones
from difference import Difference
from media import Frame

TIME_TOLERANCE = 0.00101
# Means of blocks without a number, of 255.
PICTURE_TOLERANCE = 60
LEVEL_TOLERANCE = 14
# Later than any file ends, in seconds.
END = 1e9


@dataclass
class Expectation:
    """What the output of an input has to be."""

    # Start and end of the part that was asked for, in seconds from the first frame.
    part: tuple = (None, None)
    # Tells where the picture may be within each frame of the output, as parts of the frame.
    areas: object = None
    # Frames that are in the input, if what ffmpeg decodes of it by itself is not what is expected.
    frames: list | None = None
    # Frames may carry the numbers of both fields.
    interlaced: bool = False
    # Frames whose picture is damaged need not be alike.
    damaged: bool = False
    tolerance: float = TIME_TOLERANCE
    # Kinds of EXCUSES that are not compared.
    without: tuple = field(default=())


def differences(source, result, expectation):
    """All differences between two clips.

    - Raises: media.Unreadable if ffmpeg cannot read the result.
    """
    frames = expected_frames(source, expectation)
    found = result.decoded("", expectation.areas) if expectation.areas else result.frames
    if expectation.interlaced and len(found) < len(frames):
        # Lines of the first field stay as they are; those between are made of several fields.
        found = result.decoded("scale=8:4:flags=area", before="field=top")
    problems = [Difference("frames", text) for text in frame_problems(frames, found, expectation)]
    problems += [Difference("sound", text) for text in sound_problems(source, result, frames, found, expectation)]
    problems += streams.compared(source, result, expectation)
    problems += [Difference("level", text) for text in levels.problems(result)]
    problems += duration_problems(source, result, frames, expectation)
    return [problem for problem in problems if problem.kind not in expectation.without]


def expected_frames(source, expectation):
    """The frames that the output has to have. Times are from where it begins."""
    frames = source.frames if expectation.frames is None else expectation.frames
    start, end = expectation.part
    if start is None and end is None:
        return frames
    return cut(source, frames, start or 0.0, end)


def cut(source, frames, start, end):
    """The frames of a part, whose times count from the beginning of the file, as those of players do.

    The first is the one that is shown at the start; it is cut there.
    """
    origin = source.begin
    shown = [frame for frame in frames if frame.time - origin <= start + 1e-6]
    later = [frame for frame in frames if frame.time - origin > start + 1e-6]
    first = [Frame(origin + start, shown[-1].means, shown[-1].number, shown[-1].size)] if shown else []
    chosen = first + later
    return [frame for frame in chosen if end is None or frame.time - origin < end - 1e-6]


def frame_problems(expected, found, expectation):
    """Frames that are missing, doubled, out of order, changed or at another time, in sentences."""
    names, other = names_of(expected), names_of(found)
    if expectation.interlaced and names != other:
        return interlaced_problems(expected, found)
    problems = order_problems(expected, found, names, other)
    if not problems:
        problems = list(time_problems(expected, found, expectation.tolerance)) + list(picture_problems(expected, found, expectation))
    sizes = sorted({frame.size for frame in found})
    if len(sizes) > 1:
        problems.append(f"frames of {len(sizes)} sizes: {', '.join(f'{width}x{height}' for width, height in sizes)}")
    return problems


def names_of(frames):
    return [frame.number if frame.number is not None else "unreadable" for frame in frames]


def order_problems(expected, found, names, other):
    if names == other:
        return []
    # With pictures that are damaged, the same number of frames is compared by place.
    if len(names) == len(other) and all("unreadable" in pair or pair[0] == pair[1] for pair in zip(names, other)):
        changed = [place for place, pair in enumerate(zip(names, other)) if pair[0] != "unreadable" and pair[1] == "unreadable"]
        return [f"{len(changed)} frames are unreadable, first at {found[changed[0]].time:.3f} s"] if changed else []
    problems = [f"{len(other)} frames instead of {len(names)}"]
    for tag, start, end, first, last in difflib.SequenceMatcher(None, names, other, autojunk=False).get_opcodes()[:60]:
        if tag in ("delete", "replace"):
            problems.append(f"missing: frames {brief(names[start:end])}, from {expected[start].time:.3f} s")
        if tag in ("insert", "replace"):
            problems.append(f"not expected: frames {brief(other[first:last])}, from {found[first].time:.3f} s")
    return problems[:6]


def brief(names):
    return f"{names[0]} to {names[-1]} ({len(names)})" if len(names) > 3 else ", ".join(map(str, names))


def time_problems(expected, found, tolerance):
    if not expected:
        return
    wrong = []
    for one, other in zip(expected, found):
        wanted, got = one.time - expected[0].time, other.time - found[0].time
        if not abs(wanted - got) <= tolerance:
            wrong.append((one.number, wanted, got))
    if wrong:
        number, wanted, got = max(wrong, key=lambda triple: abs(triple[1] - triple[2]))
        yield f"{len(wrong)} frames are at another time; frame {number} at {got:.4f} s instead of {wanted:.4f} s"


def picture_problems(expected, found, expectation):
    wrong, dark, light = 0, [], []
    for one, other in zip(expected, found):
        away = abs(one.means - other.means)
        wrong += bool(away.max() > PICTURE_TOLERANCE)
        dark.append((other.means - one.means)[one.means < 95].mean() if (one.means < 95).any() else 0)
        light.append((other.means - one.means)[one.means > 160].mean() if (one.means > 160).any() else 0)
    if wrong and not expectation.damaged:
        yield f"the pictures of {wrong} frames differ"
    for name, offsets in (("black", dark), ("white", light)):
        mean = sum(offsets) / max(1, len(offsets))
        if abs(mean) > LEVEL_TOLERANCE:
            yield f"{name} is off by {mean:+.0f} of 255"


def interlaced_problems(fields, found):
    """Of interlaced pictures, either the first field of each, or both fields, are frames."""
    names = names_of(fields)
    if names_of(found) not in (names, names[::2]):
        return order_problems(fields[::2], found, names[::2], names_of(found))
    kept = fields if len(found) == len(fields) else fields[::2]
    return list(time_problems(kept, found, TIME_TOLERANCE))


def sound_problems(source, result, frames, found, expectation):
    """Differences of the sound of all tracks, on the time line of the frames."""
    if not frames or not found:
        return
    number, expected_origin, found_origin = origins(frames, found)
    start, end = expectation.part
    kept = streams.sounding(source, result, expectation)
    for place, (wanted, got) in enumerate(zip([source.sounds[place] for place in kept], result.sounds)):
        wanted = [run.moved(-expected_origin) for run in wanted]
        got = [run.moved(-found_origin) for run in got]
        if start is not None or end is not None:
            offset = source.begin + (start or 0) - expected_origin
            last = END if end is None else offset + end - (start or 0)
            wanted = [run for run in (run.cut(offset, last) for run in wanted) if len(run.samples)]
        tracks = source.streams("audio")[kept[place]], result.streams("audio")[place]
        wanted = tones.mixed(wanted, *tracks)
        packet = max(source.packet_seconds, result.packet_seconds)
        for text in tones.differences(wanted, got, packet, result.offset_tolerance(place)):
            yield f"track {place}: {text}"


def origins(expected, found):
    """A frame that is in both, and its times."""
    times = {frame.number: frame.time for frame in found if frame.number is not None}
    for frame in expected:
        if frame.number in times:
            return frame.number, frame.time, times[frame.number]
    return None, expected[0].time, found[0].time


def number_problems(source, clip):
    """Whether an input shows the numbers that it was made with, in their order; otherwise the row itself is wrong."""
    numbers = [frame.number for frame in clip.frames]
    return [] if numbers == list(range(source.first, source.first + source.frames)) else [f"the input shows {brief(numbers)}"]


def duration_problems(source, result, frames, expectation):
    """Whether the file lasts as long as its frames and sounds, and begins near zero."""
    start, end = expectation.part
    if not result.frames or not frames:
        return
    wanted = span(source, frames)
    if start is not None or end is not None:
        last = end_of(source, frames) if end is None else frames[0].time + end - (start or 0)
        wanted = min(wanted, max(last, frames[0].time + 0.001) - frames[0].time) if end is not None else last - frames[0].time
    found = result.length
    is_open = end is not None or not last_packet_seconds(source)
    slack = max(last_frame_seconds(source) if is_open else 0.0, source.packet_seconds, result.packet_seconds, 0.045)
    if abs(wanted - found) > slack + 0.005:
        yield Difference("duration", f"the file lasts {found:.3f} s instead of {wanted:.3f} s")


def span(source, frames):
    """Seconds from the first sound or frame to the end of the last."""
    starts = [frames[0].time, *(runs[0].start for runs in source.sounds if runs)]
    return end_of(source, frames) - min(starts)


def end_of(source, frames):
    """The end of the last frame or sound."""
    return max(frames[-1].time + last_frame_seconds(source), *(runs[-1].end for runs in source.sounds if runs), 0.0)


def last_frame_seconds(source):
    """How long the last frame is shown, as its packet says, or as long as most others."""
    times = [frame.time for frame in source.frames[-50:]]
    steps = sorted(two - one for one, two in zip(times, times[1:]))
    return last_packet_seconds(source) or (steps[len(steps) // 2] if steps else 0.04)


def last_packet_seconds(source):
    """How long the last frame is shown, as its packet says; 0 where it does not say."""
    return max(source.packets(source.video), default=(0.0, 0.0))[1]
