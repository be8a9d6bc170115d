"""Scores of masks, their mirror images, video mattes, pops, translucency, head poses, face landmarks, person instances, ids of people and
their parts, body and hand joints, in space and over time, against truth.

  Tests/evaluate score masks     --truth data --pred out            every set under data/ that has predictions
  Tests/evaluate score masks     --truth data/portraits --pred out/portraits
  Tests/evaluate score video     --truth data/clip --pred out/clip
  Tests/evaluate score pops      --truth frames --pred masks          the pictures of a clip and its masks
  Tests/evaluate score translucency --truth frames --pred masks      the same, for half transparent places
  Tests/evaluate score mirror    --truth out --pred mirrored        masks of pictures and of their mirror images
  Tests/evaluate score pose      --truth data/heads/pose.csv --pred out/pose.csv
  Tests/evaluate score landmarks --truth data/faces/landmarks.json --pred out/faces.json
  Tests/evaluate score instances --truth data/photos --pred out/labels
  Tests/evaluate score identities --truth data/clip/truth --pred out/clip
  Tests/evaluate score parts     --truth data/clip/truth --pred out/clip.json
  Tests/evaluate score bodies    --truth data/bodies.json --pred out/bodies.json
  Tests/evaluate score hands     --truth data/hands.json --pred out/hands.json
  Tests/evaluate score poses     --truth renders/truth.json --pred out/bodies.json
  Tests/evaluate score views     --truth videos/cameras.json --pred out/bodies.json
  Tests/evaluate score motion    --truth clips/truth.json --pred out/bodies.json

Each command prints a table and, with --json FILE, writes the same numbers in full. The truth is the list of
what is scored: predictions of other names are left aside, and a missing prediction counts as an empty one.
"""
import argparse
import json
import multiprocessing
import sys
from pathlib import Path

import bodies
import hands
import identities
import instances
import landmarks
import masks
import mirror
import motion
import parts
import pops
import pose
import poses
import translucency
import video
import views
from pictures import ScoreError

COMMANDS = {
    "masks": masks, "mirror": mirror, "video": video, "pops": pops, "pose": pose, "landmarks": landmarks, "instances": instances,
    "identities": identities, "parts": parts, "bodies": bodies, "hands": hands, "poses": poses, "views": views,
    "motion": motion, "translucency": translucency}


def parser():
    raw = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(prog="score", description=__doc__, formatter_class=raw)
    commands = parser.add_subparsers(dest="command", required=True)
    for name, module in COMMANDS.items():
        summary = module.__doc__.splitlines()[0]
        command = commands.add_parser(name, help=summary, description=module.__doc__, formatter_class=raw)
        command.add_argument("--truth", type=Path, required=True)
        command.add_argument("--pred", type=Path, required=True)
        command.add_argument("--json", type=Path, metavar="FILE", help="write the numbers here")
        module.add_options(command)
    return parser


def main():
    arguments = parser().parse_args()
    module = COMMANDS[arguments.command]
    try:
        with multiprocessing.Pool() as pool:
            scores = module.score(arguments, pool)
    except (ScoreError, OSError) as error:
        sys.exit(f"score: {error}")
    module.report(scores)
    if arguments.json:
        arguments.json.write_text(json.dumps(scores, indent=1) + "\n")


if __name__ == "__main__":
    main()
