"""People of a folder of pictures, found by the bodypose element."""
import gst_people

import depth
import joints


def evaluate(arguments):
    """Runs `Tests/evaluate bodies`."""
    if arguments.depth:
        arguments.attach = lambda buffer, name: depth.attach(buffer, arguments.depth / name)
    settings = ["max-people=16", "pose-3d=true", f"field-of-view={arguments.field_of_view}"]
    joints.evaluate(arguments, "bodypose", settings, "people",
                    lambda frame, extent: [described(body, extent) for body in gst_people.bodies(frame.get_buffer())])


def described(body, extent):
    """A person's id, box and joints in pixels, and the joints in space in metres from the root."""
    fields = {
        "id": body.id,
        "box": [value * extent[n % 2] for n, value in enumerate(body.box)],
        "confidence": body.confidence,
        "joints": joints.pixels(body, extent),
    }
    if body.joints_3d:
        fields["joints-3d"] = joints.metres(body)
        fields["camera-position"] = body.camera_position.tolist()
        fields["body-height"] = body.body_height
        fields["height-estimation"] = body.height_estimation
    return fields
