"""Hands of a folder of pictures, found by the handpose element."""
import json

from bodies import arrays
from gstreamer import Analyzer, EvaluationError, decode, pictures_in, size


def evaluate(arguments):
    """Runs `Tests/evaluate hands` and says how long a picture took."""
    paths = pictures_in(arguments.input)
    analyzer = Analyzer("handpose", ["max-hands=4", *arguments.properties], is_stream=arguments.video)
    images = {}
    for path in paths:
        frame = analyzer.analyze(decode(path))
        extent = size(frame.get_caps())
        images[path.name] = {"hands": [described(hand, extent) for hand in hands_of(frame)]}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps({"images": images}, indent=1) + "\n")
    count = sum(len(image["hands"]) for image in images.values())
    print(f"{len(paths)} pictures, {count} hands: {analyzer.milliseconds():.1f} ms a picture")


def hands_of(frame):
    """The structures `hand` of a frame."""
    meta = frame.get_buffer().get_custom_meta("GstPeopleHands")
    if meta is None:
        raise EvaluationError("handpose attached nothing to a picture.")
    _, hands = meta.get_structure().get_list("hands")
    # The frame owns them.
    return [hands.get_nth(n).copy() for n in range(hands.n_values)]


def described(hand, extent):
    """Which hand it is, and its joints in pixels, in the element's order."""
    scale = (*extent, 1)
    return {
        "confidence": hand.get_value("confidence"), "chirality": hand.get_value("chirality"),
        "points": [[a * b for a, b in zip(values, scale)] for values in arrays(hand, "joints").values()]}
