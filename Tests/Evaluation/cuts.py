"""Straight cuts: outlines that run along a side of the picture where the picture shows no edge, as those of crops and boxes do."""
import gst_people
import numpy

from gstreamer import Analyzer, contents, decode, pictures_in, size
from masks import scale

#: Caps of the pictures that are compared.
GREY = "video/x-raw,format=GRAY8"
#: A straight piece of an outline: its minimum length as a share of the subject's longer side and in pixels, and how far its
#: points may lie from each other across it, in pixels. Shorter ones are in every outline.
SHARE, LENGTH, WIDTH = 0.05, 12, 2
#: Maximum difference of the picture's mean brightness (of 255) beside a piece, over so many pixels to both sides. The
#: outlines of things have more.
EDGE, REACH = 12, 4
#: Maximum deviation of a piece from a line, in pixels, and slope of that line, where nobody else is beyond it. Outlines that
#: happen to be straight deviate more.
DEVIATION, SLOPE = 0.25, 0.02
#: Minimum share of a piece beyond which others are, from which on it is a seam between two subjects.
SEAM = 0.6


def evaluate(arguments):
    """Runs `Tests/evaluate cuts`: a line for each subject that is cut, and the share of all outlines."""
    paths = pictures_in(arguments.input)[:arguments.most]
    subjects = pictures = cut = total = 0
    for path, labels, coverage in given_masks(paths, arguments.masks) if arguments.masks else masks_of(paths, arguments):
        lengths = []
        for label, (length, outline) in outlines(labels, coverage, brightness(path, labels.shape)).items():
            lengths += [length] * (length > 0)
            cut += length
            total += outline
            if length:
                print(f"{path.name}: subject {label}, {length} of {outline} pixels")
        subjects += len(lengths)
        pictures += bool(lengths)
    print(f"{len(paths)} pictures: {cut} of {total} pixels of outlines are straight cuts ({100 * cut / max(1, total):.3f} %), "
          f"of {subjects} subjects in {pictures} pictures")


def masks_of(paths, arguments):
    """Each picture with the labels and the coverage that the element finds."""
    settings = [f"quality={arguments.quality}", "max-instances=12", *arguments.properties]
    if arguments.element == "personsegment":
        settings.append("instance-masks=true")
    segmenter = Analyzer(arguments.element, settings, is_stream=False)
    for path in paths:
        mask = gst_people.mask(segmenter.analyze(decode(path)).get_buffer())
        yield path, mask.labels, mask.coverage


def given_masks(paths, folder):
    """Each picture with the mask of its name, as that of one subject."""
    for path in paths:
        sample = decode(folder / (path.stem + ".png"), f"videoconvert ! {GREY}")
        coverage = rows_of(sample, *size(sample.get_caps()))
        yield path, (coverage > 127).astype(numpy.uint8), coverage


def brightness(path, shape):
    """The picture's brightness at the size of its mask."""
    height, width = shape
    return rows_of(scale(decode(path, f"videoconvert ! {GREY}"), width, height), width, height).astype(float)


def rows_of(sample, width, height):
    """The samples of a grey picture."""
    return numpy.frombuffer(contents(sample.get_buffer()), numpy.uint8).reshape(height, -1)[:, :width]


def outlines(labels, coverage, grey):
    """For each label how much of its outline is cut, and how long it is, both in pixels."""
    return {label: outline(labels == label, labels, coverage.astype(float), grey)
            for label in range(1, int(labels.max()) + 1) if (labels == label).any()}


def outline(region, labels, coverage, grey):
    """How much of a region's outline is cut, and how long it is."""
    rows, columns = region.nonzero()
    length = max(LENGTH, int(numpy.ceil(SHARE * (1 + max(numpy.ptp(rows), numpy.ptp(columns))))))
    cut = total = 0
    # The outline's pieces that face to the right, in four turns of the picture.
    for turn in range(4):
        here, other, alpha, light = (numpy.rot90(image, turn) for image in (region, labels, coverage, grey))
        ends = here[:, :-1] & ~here[:, 1:]
        total += int(ends.sum())
        cut += sum(last - first for column, first, last in pieces(ends, length)
                   if is_cut(ends, other, alpha, light, column, first, last))
    return cut, total


def pieces(ends, length):
    """Straight pieces along columns, the longest first: the first of `WIDTH` columns, the first row and the one past the last."""
    found = []
    band = ends.copy()
    for shift in range(1, WIDTH):
        band[:, :-shift] |= ends[:, shift:]
    for column in (band.sum(0) >= length).nonzero()[0]:
        steps = numpy.diff(numpy.concatenate([[0], band[:, column].astype(int), [0]]))
        for first, last in zip((steps == 1).nonzero()[0], (steps == -1).nonzero()[0]):
            if last - first >= length:
                found.append((int(column), int(first), int(last)))
    taken = numpy.zeros_like(ends)
    for column, first, last in sorted(found, key=lambda piece: piece[1] - piece[2]):
        near = slice(max(0, column - WIDTH), column + 2 * WIDTH)
        if not taken[first:last, near].any():
            taken[first:last, near] = True
            yield column, first, last


def is_cut(ends, labels, coverage, grey, column, first, last):
    """Whether a piece is no outline of what the picture shows."""
    rows = numpy.arange(first, last)
    columns = numpy.where(ends[rows, column], column, numpy.minimum(column + 1, ends.shape[1] - 1))
    inner = grey[first:last, max(0, column + 1 - REACH):column + 1]
    outer = grey[first:last, column + WIDTH + 1:column + WIDTH + 1 + REACH]
    if not outer.size or abs(inner.mean() - outer.mean()) >= EDGE:
        return False
    if (labels[rows, columns + 1] > 0).mean() >= SEAM:
        return True
    here, beyond = coverage[rows, columns], coverage[rows, columns + 1]
    # The place between two pixels where the coverage is one half.
    places = columns + numpy.clip((here - 127.5) / numpy.maximum(1, here - beyond), 0, 1)
    slope, start = numpy.polyfit(rows, places, 1)
    return abs(slope) <= SLOPE and numpy.std(places - slope * rows - start) <= DEVIATION
