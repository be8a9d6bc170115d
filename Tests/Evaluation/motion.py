"""Clips of pictures that move as is known."""
import scorer
from gstreamer import pictures_in


def evaluate(arguments):
    """Runs `Tests/evaluate motion`."""
    pictures_in(arguments.input)
    return scorer.run("render_motion.py", [arguments.input, arguments.output])
