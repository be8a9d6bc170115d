"""People of a folder of pictures, found by the bodypose element."""
import json

from gstreamer import Analyzer, EvaluationError, decode, pictures_in, size


def evaluate(arguments):
    """Runs `Tests/evaluate bodies` and says how long a picture took."""
    paths = pictures_in(arguments.input)
    settings = ["max-people=16", "pose-3d=true", f"field-of-view={arguments.field_of_view}", *arguments.properties]
    analyzer = Analyzer("bodypose", settings, is_stream=arguments.video)
    images = {}
    for path in paths:
        frame = analyzer.analyze(decode(path))
        extent = size(frame.get_caps())
        images[path.name] = {"people": [described(body, extent) for body in bodies_of(frame)]}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps({"images": images}, indent=1) + "\n")
    count = sum(len(image["people"]) for image in images.values())
    print(f"{len(paths)} pictures, {count} people: {analyzer.milliseconds():.1f} ms a picture")


def bodies_of(frame):
    """The structures `body` of a frame."""
    meta = frame.get_buffer().get_custom_meta("GstPeopleBodies")
    if meta is None:
        raise EvaluationError("bodypose attached nothing to a picture.")
    _, bodies = meta.get_structure().get_list("bodies")
    # The frame owns them.
    return [bodies.get_nth(n).copy() for n in range(bodies.n_values)]


def described(body, extent):
    """A person's box and joints in pixels, and the joints in space in metres from the root."""
    scale = (*extent, 1)
    fields = {
        "box": [body.get_value(name) * extent[n % 2] for n, name in enumerate(("x", "y", "width", "height"))],
        "confidence": body.get_value("confidence"),
        "joints": {name: [a * b for a, b in zip(values, scale)] for name, values in arrays(body, "joints").items()},
    }
    if body.has_field("joints-3d"):
        fields["joints-3d"] = arrays(body, "joints-3d")
        fields["camera-position"] = numbers(body, "camera-position")
    return fields


def arrays(body, field):
    """The arrays of a structure within a structure."""
    inner = body.get_value(field)
    return {name: numbers(inner, name) for name in (inner.nth_field_name(n) for n in range(inner.n_fields()))}


def numbers(structure, name):
    """An array of doubles."""
    _, array = structure.get_array(name)
    return [array.get_nth(n) for n in range(array.n_values)]
