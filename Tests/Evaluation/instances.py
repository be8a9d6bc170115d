"""Label maps of a folder of pictures, made by the personsegment element with instances=true."""
import json

from gstreamer import Analyzer, EvaluationError, contents, decode, grid_sample, padded, pictures_in, size, structures, write_png
from masks import scale


def evaluate(arguments):
    """Runs `Tests/evaluate instances` and says how long a picture took."""
    paths = pictures_in(arguments.input)
    arguments.output.mkdir(parents=True, exist_ok=True)
    settings = [f"quality={arguments.quality}", "instances=true", *arguments.properties]
    segmenter = Analyzer("personsegment", settings, is_stream=arguments.video)
    pictures = {}
    for path, frame in zip(paths, segmenter.analyze_all(map(decode, paths))):
        fields = fields_of(frame)
        write_png(labels(fields, *size(frame.get_caps())), arguments.output / (path.stem + ".png"))
        pictures[path.name] = [described(person) for person in structures(fields, "instances")]
    (arguments.output / "people.json").write_text(json.dumps(pictures, indent=1) + "\n")
    count = sum(len(found) for found in pictures.values())
    print(f"{len(paths)} label maps, {arguments.quality}, {count} people: {segmenter.milliseconds():.1f} ms a picture")


def fields_of(frame):
    """The mask's fields, with a label map."""
    meta = frame.get_buffer().get_custom_meta("GstPeopleMask")
    if meta is None or not meta.get_structure().has_field("labels"):
        raise EvaluationError("personsegment attached no label map to a picture.")
    # The frame owns it.
    return meta.get_structure().copy()


def labels(fields, width, height):
    """The label map as a grey picture of the frame's size; the nearest labels, none of them mixed."""
    own = fields.get_value("width"), fields.get_value("height")
    rows = padded(contents(fields.get_value("labels")), own[0], fields.get_value("labels-stride"), own[1])
    return scale(grid_sample(rows, "GRAY8", *own), width, height, method="nearest-neighbour")


def described(person):
    """What tells a person from the others."""
    return {name: person.get_value(name) for name in ("id", "label", "x", "y", "width", "height", "confidence")}
