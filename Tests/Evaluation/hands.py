"""Hands of a folder of pictures, found by the handpose element."""
import json

import gst_people

import joints
from gstreamer import Analyzer, decode, pictures_in, size

ELEMENT = ("handpose", ["max-hands=4", "pose-3d=true"])
#: Hands of a picture and its mirror image are one if their points are nearer than this, in hands' sizes, on average.
SAME_HAND = 0.2


def evaluate(arguments):
    """Runs `Tests/evaluate hands`."""
    element, settings = ELEMENT
    joints.evaluate(arguments, element, settings, "hands",
                    lambda frame, extent: [described(hand, extent) for hand in gst_people.hands(frame.get_buffer())])
    if arguments.mirrored:
        mirrored(arguments)


def described(hand, extent):
    """A hand's id and side, its joints in pixels, and those in space in metres from its middle, in the element's order."""
    return {"id": hand.id, "confidence": hand.confidence, "chirality": hand.chirality,
            "chirality-confidence": hand.chirality_confidence,
            "points": list(joints.pixels(hand, extent).values()), "points-3d": list(joints.metres(hand).values())}


def mirrored(arguments):
    """Finds the hands of the mirror images, and prints how many of those found in both change sides."""
    element, settings = ELEMENT
    analyzer = Analyzer(element, [*settings, *arguments.properties], is_stream=arguments.video)
    found = json.loads(arguments.output.read_text())["images"]
    both = changed = alone = 0
    for path in pictures_in(arguments.input):
        picture = decode(path, "videoconvert ! videoflip video-direction=horiz")
        frame = analyzer.analyze(picture)
        extent = size(frame.get_caps())
        images = [turned_back(described(hand, extent), extent) for hand in gst_people.hands(frame.get_buffer())]
        for hand in found[path.name]["hands"]:
            image = min(images, key=lambda image: distance(hand, image), default=None)
            if image is None or distance(hand, image) > SAME_HAND:
                alone += 1
                continue
            images.remove(image)
            both += 1
            changed += image["chirality"] != hand["chirality"]
            if image["chirality"] == hand["chirality"]:
                sure = " and ".join(f"{100 * one['chirality-confidence']:.0f} %" for one in (hand, image))
                x, y = hand["points"][0][:2]
                print(f"  {path.name}: {hand['chirality']} in both, {sure} certain, wrist at {x:.0f}, {y:.0f}")
        alone += len(images)
    share = f" ({100 * changed / both:.1f} %)" if both else ""
    print(f"mirror images: {changed} of {both} hands change sides{share}; {alone} found in one of the two only")


def turned_back(hand, extent):
    """A hand of the mirror image where it is in the picture."""
    return {**hand, "points": [[extent[0] - x, *rest] for x, *rest in hand["points"]]}


def distance(one, other):
    """Mean distance of the points of two hands, in sizes of the first."""
    (left, top), (right, bottom) = (
        [pick(point[axis] for point in one["points"]) for axis in (0, 1)] for pick in (min, max))
    apart = sum(((a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2) ** 0.5 for a, b in zip(one["points"], other["points"]))
    return apart / len(one["points"]) / max(right - left, bottom - top, 1)
