"""Label maps of a folder of pictures, made by the personsegment element with instance-masks=true."""
import json

import gst_people

from gstreamer import Analyzer, decode, grey_sample, pictures_in, size, write_png
from masks import scale


def evaluate(arguments):
    """Runs `Tests/evaluate instances` and says how long a picture took."""
    paths = pictures_in(arguments.input)
    arguments.output.mkdir(parents=True, exist_ok=True)
    settings = [f"quality={arguments.quality}", "instance-masks=true", *arguments.properties]
    segmenter = Analyzer("personsegment", settings, is_stream=arguments.video)
    pictures = {}
    for path, frame in zip(paths, segmenter.analyze_all(map(decode, paths))):
        mask = gst_people.mask(frame.get_buffer())
        write_png(labels(mask, *size(frame.get_caps())), arguments.output / (path.stem + ".png"))
        pictures[path.name] = [described(person) for person in mask.instances]
    (arguments.output / "people.json").write_text(json.dumps(pictures, indent=1) + "\n")
    count = sum(len(found) for found in pictures.values())
    print(f"{len(paths)} label maps, {arguments.quality}, {count} people: {segmenter.milliseconds():.1f} ms a picture")


def labels(mask, width, height):
    """The label map as a grey picture of the frame's size; the nearest labels, none of them mixed."""
    return scale(grey_sample(mask.labels), width, height, method="nearest-neighbour")


def described(person):
    """The id, label, box and confidence of a person."""
    return {"id": person.id, "label": person.label, **person.box._asdict(), "confidence": person.confidence}
