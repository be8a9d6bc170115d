"""Masks, bodies, faces and hands of the people of a clip, each with its person, found by elements in one pipeline."""
import json

import gst_people
import numpy

from gstreamer import Analyzer, EvaluationError, decode, pictures_in, size
from joints import pixels

#: The elements in the order in which they stand, with what each needs.
ELEMENTS = {
    "personsegment": "personsegment instance-masks=true max-instances=12", "bodypose": "bodypose max-people=12",
    "facepose": "facepose max-faces=12", "handpose": "handpose max-hands=16"}
#: Joints that are less certain are not seen, 0 to 1.
SEEN = 0.5
#: Places of a mask that are written at most.
MOST_PLACES = 400
#: Places to a side of a face, and the part of its box that they cover.
GRID, INNER = 5, 0.7


def evaluate(arguments):
    """Runs `Tests/evaluate people` and says how long a picture took."""
    names = arguments.order.split(",")
    if sorted(names) != sorted(ELEMENTS):
        raise EvaluationError(f"--order names each of {', '.join(ELEMENTS)} once.")
    paths = pictures_in(arguments.input)
    lines = {**ELEMENTS, "personsegment": f"{ELEMENTS['personsegment']} quality={arguments.quality}"}
    line = " ! ".join(lines[name] for name in names)
    analyzer = Analyzer(names[0], line.split(" ")[1:], is_stream=True)
    images = {path.name: {"parts": parts(frame)}
              for path, frame in zip(paths, analyzer.analyze_all(map(decode, paths)))}
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    arguments.output.write_text(json.dumps({"images": images}) + "\n")
    people = {part["person"] for image in images.values() for part in image["parts"]} - {-1}
    print(f"{len(paths)} pictures, {len(people)} people: {analyzer.milliseconds():.1f} ms a picture")


def parts(frame):
    """Kind, id, person and places in pixels of all that a frame carries."""
    buffer, extent = frame.get_buffer(), size(frame.get_caps())
    mask = gst_people.mask(buffer)
    found = [described("mask", person, places_of_mask(mask.labels, person.label, extent)) for person in mask.instances]
    for kind, parts in (("body", gst_people.bodies(buffer)), ("hand", gst_people.hands(buffer))):
        found += [described(kind, part, [p[:2] for p in pixels(part, extent).values() if p[2] >= SEEN]) for part in parts]
    return found + [described("face", face, places_of_face(face, extent)) for face in gst_people.faces(buffer)]


def described(kind, part, places):
    return {"kind": kind, "id": part.id, "person": part.person,
            "places": [[round(x, 1), round(y, 1)] for x, y in places]}


def places_of_face(face, extent):
    """A grid over the inner part of the box."""
    x, y, width, height = face.box
    shares = [0.5 + INNER * (n / (GRID - 1) - 0.5) for n in range(GRID)]
    return [((x + a * width) * extent[0], (y + b * height) * extent[1]) for a in shares for b in shares]


def places_of_mask(labels, label, extent):
    """Places in pixels of a frame's label map that have the label, in even steps."""
    height, width = labels.shape
    rows, columns = numpy.nonzero(labels == label)
    found = numpy.stack([(columns + 0.5) * extent[0] / width, (rows + 0.5) * extent[1] / height], axis=1)
    return found[::max(1, len(found) // MOST_PLACES)].tolist()
