"""Faces of pictures turned by many angles: found again, and with the roll that the turn gives them."""
import math

import gst_people

from gstreamer import Analyzer, EvaluationError, Pipeline, decode, pictures_in, size, write_png

#: Longer pictures are shrunk: the measurement is about turns, not about size.
LONGEST = 1024
#: The turning element takes the nearest pixel, so it works on a picture so many times as large.
FINER = 2
#: Angle along the longer side of an unknown camera, as facepose assumes it.
UNKNOWN_CAMERA = math.radians(40)
#: Farther from where it should be than this share of its size, it is another face.
NEAR = 0.25
#: A roll that is off by more degrees is worth a look.
TOLERANCE = 3
#: The mesh's point between the eyes.
BRIDGE = 168


def evaluate(arguments):
    """Runs `Tests/evaluate rotation`."""
    if not 1 <= arguments.step <= 360:
        raise EvaluationError("--step takes 1 to 360 degrees.")
    paths = pictures_in(arguments.input)
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    finder = Analyzer("facepose", ["name=finder", "mesh=true", "max-faces=16", *arguments.properties],
                      is_stream=False)
    tallies = {angle: Tally() for angle in range(0, 360, arguments.step)}
    for path in paths:
        turner = Turner(decode(path))
        upright = turner.faces(finder, turner.plain)
        for angle, tally in tallies.items():
            picture = turner.turned(angle)
            expected = [face.turned(angle, turner) for face in upright]
            seen = turner.faces(finder, picture)
            if tally.add(expected, seen) and arguments.keep:
                write_png(picture, arguments.keep / f"{path.stem}-{angle:03}.png")
        turner.stop()
    report(paths, tallies)


def report(paths, tallies):
    total = Tally.sum(tallies.values())
    print(f"{len(paths)} pictures, {total.expected // len(tallies)} faces; errors of roll in degrees")
    print(f"{'turn':>5} {'found':>8} {'mean':>7} {'95 %':>7} {'max':>7} {'extra':>6}")
    for name, tally in [*tallies.items(), ("all", total)]:
        print(f"{name:>5} {tally}")


class Tally:
    """What was found at one angle."""

    def __init__(self):
        self.expected = 0
        self.errors = []
        self.extra = 0

    def add(self, expected, seen):
        """Counts the faces of a picture; says whether something is wrong with them."""
        strangers = list(seen)
        errors = []
        for face in expected:
            nearest = min(strangers, key=face.distance, default=None)
            if nearest is not None and face.distance(nearest) < NEAR:
                strangers.remove(nearest)
                errors.append(abs((nearest.roll - face.roll + 180) % 360 - 180))
        self.expected += len(expected)
        self.errors += errors
        self.extra += len(strangers)
        return len(errors) < len(expected) or bool(strangers) or max(errors, default=0) > TOLERANCE

    @staticmethod
    def sum(tallies):
        total = Tally()
        for tally in tallies:
            total.expected += tally.expected
            total.errors += tally.errors
            total.extra += tally.extra
        return total

    def __str__(self):
        if not self.errors:
            return f"{0:6.1f} % {'-':>7} {'-':>7} {'-':>7} {self.extra:6}"
        errors = sorted(self.errors)
        mean = sum(errors) / len(errors)
        most = errors[math.ceil(0.95 * len(errors)) - 1]
        share = 100 * len(errors) / self.expected
        return f"{share:6.1f} % {mean:7.2f} {most:7.2f} {errors[-1]:7.2f} {self.extra:6}"


class Face:
    """Where a face is, relative to the picture's middle in pixels, and its roll in degrees."""

    def __init__(self, x, y, size, roll):
        self.x = x
        self.y = y
        self.size = size
        self.roll = roll

    def turned(self, degrees, turner):
        """The same face in the turned picture; turns are counter-clockwise, as roll is."""
        cosine, sine = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
        x, y = self.x * turner.scale, self.y * turner.scale
        return Face(cosine * x + sine * y, cosine * y - sine * x, self.size * turner.scale, self.roll + degrees)

    def distance(self, other):
        """To another face, as a share of this one's size."""
        return math.hypot(self.x - other.x, self.y - other.y) / self.size


class Turner:
    """A picture on a square canvas that is large enough for every turn."""

    def __init__(self, plain):
        self.plain = plain
        width, height = size(plain.get_caps())
        self.scale = min(1, LONGEST / max(width, height))
        #: Distance of the picture plane in pixels: the canvas shows more, but through the same lens.
        self.focal_length = max(width, height) / (2 * math.tan(UNKNOWN_CAMERA / 2))
        side = 2 * math.ceil(math.hypot(width, height) * self.scale / 2)
        large = [max(2, round(FINER * self.scale * length)) for length in (width, height)]
        (left, right), (top, bottom) = (margins(FINER * side, length) for length in large)
        enlarger = Pipeline(
            "appsrc name=in format=time ! videoconvert ! videoscale method=lanczos add-borders=false "
            f"! video/x-raw,format=BGRx,width={large[0]},height={large[1]},pixel-aspect-ratio=1/1 "
            f"! videobox left={-left} right={-right} top={-top} bottom={-bottom} ! appsink name=out sync=false")
        enlarger.push(plain)
        self.canvas = enlarger.pull("a picture could not be enlarged")
        enlarger.stop()
        self.pipeline = Pipeline(
            "appsrc name=in format=time ! rotate name=rotate ! videoscale method=lanczos "
            f"! video/x-raw,width={side},height={side} ! appsink name=out sync=false")

    def turned(self, degrees):
        """The canvas, turned counter-clockwise."""
        self.pipeline["rotate"].set_property("angle", math.radians(degrees))
        self.pipeline.push(self.canvas)
        return self.pipeline.pull("a picture could not be turned")

    def faces(self, finder, picture):
        """The faces of the picture or of its canvas."""
        width, height = size(picture.get_caps())
        focal_length = self.focal_length * (1 if picture is self.plain else self.scale)
        view = 2 * math.degrees(math.atan(height / (2 * focal_length)))
        finder.pipeline["finder"].set_property("field-of-view", view)
        return [place(face, width, height) for face in gst_people.faces(finder.analyze(picture).get_buffer())]

    def stop(self):
        self.pipeline.stop()


def margins(whole, part):
    """Left and right of a part in the middle."""
    return (whole - part) // 2, whole - part - (whole - part) // 2


def place(face, width, height):
    """The Face of a face as gst_people reads it."""
    x, y = face.mesh[BRIDGE, :2]
    longer = max(face.box.width * width, face.box.height * height)
    return Face((x - 0.5) * width, (y - 0.5) * height, longer, math.degrees(face.roll))
