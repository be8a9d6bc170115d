"""Colours at people's soft edges, with and without the old background taken out of them."""
import numpy

from gstreamer import EvaluationError, Pipeline, contents, grid_sample, padded, pictures_in, size, write_png

HEIGHT = 480
#: The wall that the people stood before, and what is put there.
WALLS = ((40, 200, 60), (235, 235, 235), (20, 30, 120), (200, 60, 50))
NEW = (128, 128, 128)
#: Coverage of the pixels that are compared; others show one colour only.
SOFT = range(10, 246)
OPAQUE = 248


def evaluate(arguments):
    """Runs `Tests/evaluate edges`."""
    if arguments.keep:
        arguments.keep.mkdir(parents=True, exist_ok=True)
    cutter = Cutter(arguments.quality)
    totals = {"plain": 0, "clean": 0}
    count = 0
    for path in pictures_in(arguments.input)[:arguments.most]:
        matte = arguments.mattes / (path.stem + ".png")
        if not matte.is_file():
            raise EvaluationError(f"{path} has no matte {matte}.")
        width, picture = pixels(path, "RGB")
        _, alpha = pixels(matte, "GRAY8", width)
        people = extended(picture, alpha, width)
        wall = before(people, alpha, WALLS[count % len(WALLS)])
        truth = before(people, alpha, NEW)
        soft = [i for i, a in enumerate(alpha) if a in SOFT]
        for name, result in cutter.cut(wall, width).items():
            totals[name] += mean_difference(result, truth, soft)
            if arguments.keep:
                write_png(rgb_sample(result, width), arguments.keep / f"{path.stem}-{name}.png")
        if arguments.keep:
            write_png(rgb_sample(wall, width), arguments.keep / f"{path.stem}-wall.png")
        count += 1
    print(f"{count} pictures, {arguments.quality}: mean error of colour at soft edges, of 255: "
          f"{totals['plain'] / count:.2f} without decontaminate, {totals['clean'] / count:.2f} with")


class Cutter:
    """Cuts people out by the elements and puts them before the new background, in both ways at once."""

    def __init__(self, quality):
        color = "0xff{:02x}{:02x}{:02x}".format(*NEW)
        self.pipeline = Pipeline(
            f"appsrc name=in format=time ! personsegment quality={quality} ! tee name=both"
            + "".join(
                f" both. ! queue ! blendmask background-color={color} decontaminate={flag}"
                f" ! appsink name={name} sync=false"
                for name, flag in (("plain", "false"), ("clean", "true"))))

    def cut(self, wall, width):
        self.pipeline.push(rgb_sample(wall, width))
        return {
            name: packed(contents(self.pipeline.pull("no picture came back", name).get_buffer()), 3 * width)
            for name in ("plain", "clean")}


def pixels(path, layout, width=None):
    """Width and packed samples of a picture at the common height."""
    scaled = f"height={HEIGHT},pixel-aspect-ratio=1/1" + (f",width={width}" if width else "")
    pipeline = Pipeline(
        "filesrc name=file ! decodebin ! videoconvert ! videoscale method=lanczos add-borders=false ! "
        f"video/x-raw,format={layout},{scaled} ! appsink name=out sync=false", path)
    sample = pipeline.pull(f"{path} could not be decoded")
    pipeline.stop()
    width, _ = size(sample.get_caps())
    return width, packed(contents(sample.get_buffer()), width * (3 if layout == "RGB" else 1))


def packed(data, row):
    """Rows without the padding that GStreamer gives them."""
    stride = -(-row // 4) * 4
    return b"".join(data[y * stride:y * stride + row] for y in range(HEIGHT))


def rgb_sample(data, width):
    """Packed RGB pixels as a Gst.Sample."""
    return grid_sample(padded(numpy.frombuffer(data, numpy.uint8).reshape(HEIGHT, 3 * width)), "RGB", width, HEIGHT)


def extended(picture, alpha, width):
    """The people's own colours, continued outwards from the nearest opaque pixel of the row or column."""
    distances = [HEIGHT * width] * len(alpha)
    nearest = list(range(len(alpha)))
    rows = [range(y * width, (y + 1) * width) for y in range(HEIGHT)]
    columns = [range(x, len(alpha), width) for x in range(width)]
    for line in rows + columns:
        for pixels_in_order in (line, reversed(line)):
            follow(pixels_in_order, alpha, distances, nearest)
    return b"".join(picture[3 * i:3 * i + 3] for i in nearest)


def follow(line, alpha, distances, nearest):
    last, distance = None, 0
    for i in line:
        if alpha[i] >= OPAQUE:
            last, distance = i, 0
        distance += 1
        if last is not None and distance < distances[i]:
            distances[i], nearest[i] = distance, last


def before(people, alpha, color):
    """The people before a plain colour."""
    return bytes(
        (people[3 * i + c] * a + color[c] * (255 - a) + 127) // 255 for i, a in enumerate(alpha) for c in range(3))


def mean_difference(result, truth, pixels_compared):
    sums = sum(abs(result[3 * i + c] - truth[3 * i + c]) for i in pixels_compared for c in range(3))
    return sums / max(1, 3 * len(pixels_compared))
