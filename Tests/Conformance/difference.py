"""A difference between an input and an output, and the notes that may excuse it."""

import re
from dataclasses import dataclass

# What a difference that may be said in a note is about, and what such a note has to say.
EXCUSES = {
    "sound codec": r"audio|sound",
    "sound tracks": r"audio|sound",
    "language": r"language",
    "title": r"title|track name",
    "flags": r"flag|default|forced|disposition",
    "subtitles": r"subtitle",
    "chapters": r"chapter",
    "tags": r"tag|title|artist|comment|date|place|location",
    "attachments": r"attach|font|data",
    "data": r"data|timecode",
    "timecode": r"time ?code",
    "spherical": r"spherical|360",
    "second video": r"video track|second video",
    "cover": r"cover|attached picture|picture",
    "bits": r"\bbit",
    "interlaced": r"interlac",
    "size": r"size|scaled|odd|pixel|cropped",
    "aspect": r"aspect|size|scaled",
    "colour": r"colou?r|range",
    "hdr": r"hdr|dynamic|light level|mastering",
    "dolby": r"Dolby Vision",
    "damage": r"damaged|missing|truncated|incomplete|corrupt",
}

# Notes that tell of no loss.
INFORMATION = r"segments? w(as|ere) kept|continues"


@dataclass(frozen=True)
class Difference:
    """Something that is not as expected. Its kind is a key of EXCUSES if a note may excuse it."""

    kind: str
    text: str


def unexcused(problems, notes):
    """The differences that no note names, and the notes that name no difference."""
    left = [problem for problem in problems if not any(excuses(note, problem) for note in notes)]
    telling = [note for note in notes if not re.search(INFORMATION, note)]
    idle = [note for note in telling if not any(excuses(note, problem) for problem in problems)]
    return left, idle


def excuses(note, problem):
    words = EXCUSES.get(problem.kind)
    return bool(words and re.search(words, note, re.IGNORECASE))
