"""People of a folder of pictures, found by the bodypose element."""
import depth
import joints
from gstreamer import found_in


def evaluate(arguments):
    """Runs `Tests/evaluate bodies`."""
    if arguments.depth:
        arguments.attach = lambda buffer, name: depth.attach(buffer, arguments.depth / name)
    settings = ["max-people=16", "pose-3d=true", f"field-of-view={arguments.field_of_view}"]
    joints.evaluate(arguments, "bodypose", settings, "people",
                    lambda frame, extent: [described(body, extent) for body in bodies_of(frame)])


def bodies_of(frame):
    """The structures `body` of a frame."""
    return found_in(frame, "GstPeopleBodies", "bodies")


def described(body, extent):
    """A person's id, box and joints in pixels, and the joints in space in metres from the root."""
    fields = {
        "id": body.get_value("id"),
        "box": [body.get_value(name) * extent[n % 2] for n, name in enumerate(("x", "y", "width", "height"))],
        "confidence": body.get_value("confidence"),
        "joints": joints.pixels(body, extent),
    }
    if body.has_field("joints-3d"):
        fields["joints-3d"] = joints.arrays(body, "joints-3d")
        fields["camera-position"] = joints.numbers(body, "camera-position")
        fields["body-height"] = body.get_value("body-height")
        fields["height-estimation"] = body.get_value("height-estimation")
    return fields
