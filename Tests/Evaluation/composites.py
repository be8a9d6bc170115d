"""Portraits before backgrounds of photos."""
import scorer


def evaluate(arguments):
    """Runs `Tests/evaluate composites`."""
    return scorer.run("render_composites.py", [arguments.portraits, arguments.photos, arguments.output, str(arguments.seed),
                                               *arguments.without])
