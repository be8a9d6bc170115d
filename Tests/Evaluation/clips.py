"""What is half transparent in the masks of clips without truth, and how much they flicker."""
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import scorer
import table
from gstreamer import EvaluationError

ROOT = scorer.HERE.parent.parent


def evaluate(arguments):
    """Runs `Tests/evaluate clips`."""
    clips = [path for path in sorted(arguments.folder.glob("*.mp4")) if not arguments.only or path.stem in arguments.only]
    if not clips:
        raise EvaluationError(f"{arguments.folder} has no such clip (.mp4).")
    with tempfile.TemporaryDirectory() as scratch:
        keep = arguments.keep or Path(scratch)
        scores = {clip.stem: dict(rows(clip, keep / clip.stem, arguments)) for clip in clips}
    first = next(iter(scores.values()))
    columns = list(next(iter(first.values())))
    table.print_row("masks", "clip", *columns)
    table.print_row(*["---"] * (2 + len(columns)))
    for way in first:
        for name, found in scores.items():
            table.print_row(way, name, *map(cell, found[way].values()))
        table.print_row(way, "mean", *map(cell, means([found[way] for found in scores.values()])))
    if arguments.json:
        arguments.json.write_text(json.dumps(scores, indent=1) + "\n")


def rows(clip, folder, arguments):
    """The scores of one clip by the masks' maker: each level, and the peers whose masks lie beside the clips."""
    frames = pictures(clip, folder / "frames", "rgb24")
    for quality in arguments.quality or table.QUALITIES:
        words = ["masks", frames, folder / quality, "--quality", quality, "--video"]
        run([sys.executable, ROOT / "Tests" / "evaluate", *words, *(w for p in arguments.properties for w in ("--set", p))])
        yield quality, scorer.scores("translucency", frames.parent, folder / quality)
    for peer in sorted(path for path in clip.parent.iterdir() if (path / clip.name).is_file()):
        yield peer.name, scorer.scores("translucency", frames.parent, pictures(peer / clip.name, folder / peer.name, "gray"))


def pictures(clip, folder, pixel_format):
    """The frames of a clip as a folder of pictures."""
    folder.mkdir(parents=True, exist_ok=True)
    run(["ffmpeg", "-v", "error", "-y", "-i", clip, "-pix_fmt", pixel_format, folder / "%04d.png"])
    return folder


def run(words):
    if subprocess.run(words, stdout=sys.stderr).returncode:
        raise EvaluationError(f"{words[0]} has failed; it says why above.")


def means(scores):
    """The mean of each measure, without clips that have none."""
    values = [[value for value in column if value is not None] for column in zip(*(s.values() for s in scores))]
    return [sum(v) / len(v) if v else None for v in values]


def cell(value):
    return "-" if value is None else f"{value:.2f}"
