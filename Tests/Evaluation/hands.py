"""Hands of a folder of pictures, found by the handpose element."""
import joints
from gstreamer import found_in


def evaluate(arguments):
    """Runs `Tests/evaluate hands`."""
    joints.evaluate(arguments, "handpose", ["max-hands=4"], "hands",
                    lambda frame, extent: [described(hand, extent) for hand in hands_of(frame)])


def hands_of(frame):
    """The structures `hand` of a frame."""
    return found_in(frame, "GstPeopleHands", "hands")


def described(hand, extent):
    """Which hand it is, and its joints in pixels, in the element's order."""
    return {"confidence": hand.get_value("confidence"), "chirality": hand.get_value("chirality"),
            "points": list(joints.pixels(hand, extent).values())}
