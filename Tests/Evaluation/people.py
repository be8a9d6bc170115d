"""Masks, bodies, faces and hands of the people of a clip, each with its person, found by elements in one pipeline."""
import json

from gstreamer import Analyzer, EvaluationError, contents, decode, found_in, pictures_in, size
from joints import pixels

#: The elements in the order in which they stand, with what each needs.
ELEMENTS = {
    "personsegment": "personsegment instances=true max-instances=12", "bodypose": "bodypose max-people=12",
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
    extent = size(frame.get_caps())
    found = [described("mask", mask, places_of_mask(frame, mask, extent))
             for mask in found_in(frame, "GstPeopleMask", "instances")]
    for kind, meta, name in (("body", "GstPeopleBodies", "bodies"), ("hand", "GstPeopleHands", "hands")):
        found += [described(kind, part, [p[:2] for p in pixels(part, extent).values() if p[2] >= SEEN])
                  for part in found_in(frame, meta, name)]
    return found + [described("face", face, places_of_face(face, extent))
                    for face in found_in(frame, "GstPeopleFaces", "faces")]


def described(kind, part, places):
    return {"kind": kind, "id": part.get_value("id"), "person": part.get_value("person"),
            "places": [[round(x, 1), round(y, 1)] for x, y in places]}


def places_of_face(face, extent):
    """A grid over the inner part of the box."""
    x, y, width, height = (face.get_value(name) for name in ("x", "y", "width", "height"))
    shares = [0.5 + INNER * (n / (GRID - 1) - 0.5) for n in range(GRID)]
    return [((x + a * width) * extent[0], (y + b * height) * extent[1]) for a in shares for b in shares]


def places_of_mask(frame, instance, extent):
    """Places that have the instance's label, in even steps."""
    fields = frame.get_buffer().get_custom_meta("GstPeopleMask").get_structure()
    width, height, stride = (fields.get_value(name) for name in ("width", "height", "labels-stride"))
    data, label = contents(fields.get_value("labels")), instance.get_value("label")
    found = [((x + 0.5) * extent[0] / width, (y + 0.5) * extent[1] / height)
             for y in range(height) for x in range(width) if data[y * stride + x] == label]
    return found[::max(1, len(found) // MOST_PLACES)]
