"""Faces of a folder of pictures, found by the facepose element."""
import csv
import json
import math

import gst_people

from gstreamer import Analyzer, EvaluationError, decode, size, streams_in
from ibug import IBUG


def evaluate(arguments):
    """Runs `Tests/evaluate faces` and says how long a picture took."""
    writers = {".json": write_points, ".csv": write_angles}
    write = writers.get(arguments.output.suffix.lower())
    if write is None:
        raise EvaluationError(f"{arguments.output} ends neither in .json nor in .csv.")
    settings = ["mesh=true", "max-faces=16", f"field-of-view={arguments.field_of_view}", *arguments.properties]
    found, milliseconds = {}, []
    for paths in streams_in(arguments.input, arguments.video):
        analyzer = Analyzer("facepose", settings, is_stream=arguments.video, rate=arguments.rate)
        for path in paths:
            frame = analyzer.analyze(decode(path))
            found[str(path.relative_to(arguments.input))] = (size(frame.get_caps()), gst_people.faces(frame.get_buffer()))
        milliseconds.append(analyzer.milliseconds())
    arguments.output.parent.mkdir(parents=True, exist_ok=True)
    write(found, arguments.output)
    count = sum(len(faces) for _, faces in found.values())
    print(f"{len(found)} pictures, {count} faces: {sum(milliseconds) / len(milliseconds):.1f} ms a picture")


def write_points(found, path):
    """The 68 points of all faces, in pixels."""
    images = {}
    for name, (extent, faces) in found.items():
        images[name] = {"faces": [{
            "id": face.id,
            "points": points(face, extent),
            "confidence": face.confidence,
            "angles-reliable": face.angles_reliable,
            **degrees(face),
        } for face in faces]}
    path.write_text(json.dumps({"images": images}, indent=1) + "\n")


def points(face, extent):
    """x and y of the 68 points of a face."""
    return (face.mesh[list(IBUG), :2] * extent).tolist()


def degrees(face):
    """The angles under the names that scorers know."""
    return {f"{name}_deg": math.degrees(getattr(face, name)) for name in ("pitch", "yaw", "roll")}


def write_angles(found, path):
    """The angles of each picture's surest face; pictures without one are left out."""
    with path.open("w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["image", "pitch_deg", "yaw_deg", "roll_deg", "confidence", "reliable"])
        for name, (_, faces) in found.items():
            if not faces:
                continue
            best = max(faces, key=lambda face: face.confidence)
            certainty = [best.confidence, int(best.angles_reliable)]
            rows.writerow([name, *(f"{value:.4f}" for value in degrees(best).values()), *certainty])
