"""Tries the tool on files made by ffmpeg, and judges what it makes of them by ffmpeg and ffprobe."""

import argparse
import concurrent.futures
import contextlib
import pathlib
import shlex
import shutil
import sys
import tempfile
import threading
import time
import traceback

import judge
import making
import media
import rows
import tool as tools
from actions import Case, Damaged, Refused, Skipped, Whole
from difference import EXCUSES

CHECKOUT = pathlib.Path(__file__).resolve().parent.parent.parent
PAGE = CHECKOUT / "docs/video-files.md"
WORKERS = 2


def main():
    arguments = read_arguments()
    if arguments.random:
        drawn = rows.drawn(arguments.random, arguments.seed)
        chosen = [row for row in drawn if not arguments.filter or row.title in arguments.filter]
    else:
        titles = {row.title for row in rows.table()}
        chosen = [row for row in rows.table() if matches(row, arguments, titles)]
    if arguments.list:
        return print("\n".join(f"{row.slice:6}{row.title}" for row in chosen))
    if arguments.table:
        return print(table_text(chosen))
    if arguments.update:
        return PAGE.write_text(updated(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    if arguments.make:
        return make_input(chosen, arguments.make)
    if not chosen:
        sys.exit("No row has such a name.")
    with folder(arguments.keep) as work:
        passed, failed = Examination(arguments, work).examine(chosen)
    print(f"{passed} passed, {failed} failed")
    sys.exit(1 if failed or not passed else 0)


def read_arguments():
    parser = argparse.ArgumentParser(add_help=False)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--slow", action="store_true")
    parser.add_argument("--filter", action="append", default=[])
    parser.add_argument("--list", action="store_true")
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("--random", type=int, default=0)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--tool")
    parser.add_argument("--program", type=pathlib.Path, default=CHECKOUT / ".build/release/gst-people")
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--make", type=pathlib.Path)
    return parser.parse_args()


def matches(row, arguments, titles):
    """Whether a row is asked for. A whole name is that row, of any slice."""
    if row.title in arguments.filter:
        return True
    if arguments.filter and not any(text.lower() in row.title.lower() for text in arguments.filter if text not in titles):
        return False
    slices = ["quick"] if arguments.quick else ["slow"] if arguments.slow else ["quick", "whole"]
    return row.slice in slices or arguments.table


@contextlib.contextmanager
def folder(keep):
    """Where files are made: a folder that is kept, or one for this run."""
    if keep:
        keep.mkdir(parents=True, exist_ok=True)
        yield keep.resolve()
        return
    with tempfile.TemporaryDirectory(prefix="conformance-") as path:
        yield pathlib.Path(path)


def make_input(chosen, target):
    if len(chosen) != 1:
        sys.exit(f"{len(chosen)} rows have such a name; --make needs one.")
    with tempfile.TemporaryDirectory() as path:
        shutil.copyfile(making.make(chosen[0].source, pathlib.Path(path)), target)


class Examination:
    """Rows at work, two at a time."""

    def __init__(self, arguments, work):
        self.arguments, self.work = arguments, work
        self.tool = tools.Tool(arguments.program, arguments.tool)
        self.lock = threading.Lock()
        self.inputs = {}
        (work / "inputs").mkdir(exist_ok=True)

    def examine(self, chosen):
        """The numbers of rows that pass and that fail."""
        passed = failed = 0
        uses = {}
        for row in chosen:
            uses[row.source] = uses.get(row.source, 0) + 1
        self.uses = uses
        with concurrent.futures.ThreadPoolExecutor(WORKERS) as pool:
            # The longest first, so that no worker waits for the other at the end.
            jobs = [pool.submit(self.row, place, row) for place, row in enumerate(sorted(chosen, key=weight, reverse=True))]
            for job in concurrent.futures.as_completed(jobs):
                outcome = job.result()
                passed += outcome is True
                failed += outcome is False
        return passed, failed

    def row(self, place, row):
        """Whether a row passes; none if it is skipped."""
        if self.tool.stand_in and row.action.needs_tool:
            return self.skip(row, "needs the tool itself")
        target = self.work / f"row{place}"
        target.mkdir(exist_ok=True)
        start = time.monotonic()
        case, problems = None, []
        try:
            clip = self.input(row)
            case = Case(row, clip, target, self.tool)
            row.action.act(case)
            problems = case.problems
        except Skipped as reason:
            return self.skip(row, str(reason))
        except Exception:
            problems = [*(case.problems if case else []), f"the judge failed: {traceback.format_exc(limit=-4)}"]
        finally:
            self.release(row)
            if not self.arguments.keep:
                shutil.rmtree(target, ignore_errors=True)
        self.report(row, case, problems, time.monotonic() - start)
        return not problems

    def input(self, row):
        with self.lock:
            lock, made = self.inputs.setdefault(row.source, (threading.Lock(), []))
        with lock:
            if not made:
                path = making.make(row.source, self.work / "inputs")
                clip = media.Clip(path, making.continued(path) if row.source.restarts else None)
                if row.shows_its_numbers and (wrong := judge.number_problems(row.source, clip)):
                    raise RuntimeError(wrong[0])
                made.append(clip)
        return made[0]

    def release(self, row):
        """Removes an input that no further row needs: inputs of hours are large."""
        with self.lock:
            self.uses[row.source] -= 1
            if not self.uses[row.source] and not self.arguments.keep:
                (self.work / "inputs" / row.source.name).unlink(missing_ok=True)
                self.inputs.pop(row.source, None)

    def skip(self, row, reason):
        with self.lock:
            print(f"skipped  {row.title}: {reason}", flush=True)

    def report(self, row, case, problems, seconds):
        with self.lock:
            print(f"{'FAILED' if problems else 'passed':8} {row.title} ({seconds:.1f} s)", flush=True)
            for problem in dict.fromkeys(problems):
                print("         " + problem.strip().replace("\n", "\n           "), flush=True)
            if problems:
                drawn = f"--random {self.arguments.random} --seed {self.arguments.seed} " if self.arguments.random else ""
                print(f"         input: Tests/conformance {drawn}--filter {shlex.quote(row.title)} --make in.{row.source.ending}")
                for words in case.commands[:3] if case else []:
                    print(f"         ran: {self.plain(words, case)}", flush=True)

    def plain(self, words, case):
        """A command with short names of files."""
        text = tools.shown(words, CHECKOUT)
        return (
            text
            if self.arguments.keep
            else text.replace(str(case.clip.path), f"in.{case.row.source.ending}").replace(f"{case.folder}/", "")
        )


def weight(row):
    """About how much work a row is."""
    return row.source.frames * getattr(row.action, "count", getattr(row.action, "places", 1)) + (1 if row.action != Whole() else 0)


NAMES = {
    "sound codec": "sound is encoded again",
    "sound tracks": "sound tracks",
    "language": "languages",
    "title": "titles of tracks",
    "flags": "flags of tracks",
    "subtitles": "subtitles",
    "chapters": "chapters",
    "tags": "some tags",
    "attachments": "attached files",
    "data": "data tracks",
    "timecode": "timecode",
    "spherical": "spherical projection",
    "second video": "the second video track",
    "cover": "cover picture",
    "bits": "8 bits per sample",
    "interlaced": "deinterlaced",
    "size": "size: even numbers, and later pictures are scaled and boxed",
    "aspect": "aspect: later pictures are scaled and boxed",
    "colour": "colours are written with limited range",
    "hdr": "static metadata of HDR",
    "dolby": "Dolby Vision",
    "damage": "what is damaged",
}
assert NAMES.keys() == EXCUSES.keys()


def table_text(chosen):
    """Two tables as Markdown: inputs of which nothing is lost, in summary, and for each loss the inputs that have it, by name."""
    whole, changed = set(), {}
    for row in chosen:
        lost = ", ".join(NAMES[kind] for kind in (*row.lost, *extra(row)))
        if isinstance(row.action, (Damaged, Refused)):
            lost = row.action.promise
        if lost:
            changed.setdefault(lost, {}).setdefault(row.area, []).append(row.name)
        else:
            whole.add(row.area)
    return "\n".join([
        "| | nothing is lost |", "|---|---|", *(f"| {area} | {text} |" for area, text in WHOLE.items() if area in whole), "",
        "| changed or lost, with a note | of |", "|---|---|",
        *(f"| {lost} | {'; '.join(LONG.get((area, lost)) or '; '.join(names) for area, names in areas.items())} |"
          for lost, areas in changed.items())])


#: In words, the rows of which nothing is lost; `--list` prints them one by one.
WHOLE = {
    "Length": "1 frame to 2 hours, with and without sound, in all containers, whole and in segments",
    "Rate": "1 to 60 frames a second, 23.976, 29.97 and 59.94; variable; frames held for 8 s; sound that is longer than the picture",
    "First time": "10 and 26 hours (TS's clock ends then), below zero, picture 1.5 s after the sound",
    "Container and codec": "MP4 (H.264, H.265, AV1, MPEG-4; AAC, Opus, MP3, AC-3, ALAC), fragmented MP4, MOV (PCM), MKV (also VP8, VP9, "
    "MPEG-2; Vorbis, FLAC), WebM, TS, M2TS, MPEG-PS, AVI, FLV, MXF without sound; from pipes; MP4, MOV and MKV to each other",
    "Key frames": "open groups, one key frame in 130 s, H.264 and H.265",
    "Sound": "late, early, longer or shorter than the picture; mono to 5.1; several tracks with languages and flags",
    "Metadata": "chapters, tags, subtitles (SRT, ASS, of MP4) and flags within MKV and MP4; timecode of MOV; attached files of MKV",
    "Cut and joined": "cut by ffmpeg without encoding, edit lists, moved sound, files joined by ffmpeg and cat",
    "Picture": "rotated, mirrored, other pixel aspects, HDR10, HLG, `--bits=10`, 4:4:4, 4:2:2, 32x16 to 640x32 pixels",
    "Large": "1080p and 2160p, also upright, with 10 bits, 59.94 frames a second, a variable rate, and timecodes",
    "Encoder": "H.265, AV1, VP9 and ProRes in the containers that hold them, in one piece and in segments; presets; `--bitrate`",
    "Inside": "empty chunks of a capture card, AVI",
    "Part": "`--start` and `--end` at up to 20 places of each container",
    "Photo": "`photo --start`, 3 places of each container",
    "List": "`faces` and its like, of each container",
    "Segments": "segments of 1, 2, 7 and 60 s of MP4, MKV, WebM, TS and AVI",
    "Stopped": "Ctrl-C and kill -9 at up to 10 places, then again",
    "Farm": "two workers",
    "Place": "standard input and output, addresses (files, HLS), image sequences, APNG",
}


#: In words, the rows of an area of which the same is lost, where these are many.
LONG = {
    ("Sound", NAMES["sound codec"]): "layouts from 2.1 to 7.1 of AC-3, DTS and PCM to WebM, 6.1 and 7.1 also to MP4; Speex; AAC to WebM",
    ("Metadata", NAMES["spherical"]): "of MP4, also in boxes of version 2, and MKV",
    ("Picture", NAMES["size"]): "a larger one or another shape within TS, WebM and MKV; odd ones",
    ("Inside", NAMES["cover"]): "where something is hidden, of MP4 and MKV; a picture without a flag first, MKV",
    ("Damage", Damaged.promise): "the first 35, 70 and 97 % of MP4 (index first), MKV, WebM, TS, fragmented MP4 and AVI; 200 kB of garbage "
    "inside or between, MP4, MKV, TS",
}


def updated(page):
    """The page of the documents with the table between its two lines."""
    begin, end = "<!-- begin conformance -->\n", "<!-- end conformance -->"
    before, _, rest = page.partition(begin)
    _, _, after = rest.partition(end)
    return f"{before}{begin}\n{table_text(rows.table())}\n\n{end}{after}"


def extra(row):
    return [kind for kind in row.told if kind not in row.lost]


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    main()
