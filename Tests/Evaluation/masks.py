"""Masks of a folder of pictures, made by the elements for people and for subjects."""
import gst_people
import numpy

from gstreamer import Analyzer, EvaluationError, Pipeline, decode, grey_sample, pictures_in, size, write_png
from sheet import Sheet


def evaluate(arguments):
    """Runs `Tests/evaluate masks` and says how long a picture took."""
    paths = pictures_in(arguments.input)
    clashes = {p.stem for p in paths if sum(q.stem == p.stem for q in paths) > 1}
    if clashes:
        raise EvaluationError(f"several pictures are called {sorted(clashes)[0]}; their masks would be one file.")
    arguments.output.mkdir(parents=True, exist_ok=True)
    sheet = Sheet(arguments.sheet) if arguments.sheet else None
    settings = [f"quality={arguments.quality}", *arguments.properties]
    segmenter = Analyzer(arguments.element, settings, is_stream=arguments.video)
    for path, frame in zip(paths, segmenter.analyze_all(map(decode, paths))):
        mask = write_mask(frame, arguments.output / (path.stem + ".png"))
        if sheet:
            sheet.add(frame, mask)
    if sheet:
        sheet.save()
    print(f"{len(paths)} masks, {arguments.quality}: {segmenter.milliseconds():.1f} ms a picture")


def write_mask(frame, path):
    """Writes the mask of `frame` at its size; returns it as a Gst.Sample."""
    scaled = scale(mask_of(frame), *size(frame.get_caps()))
    write_png(scaled, path)
    return scaled


def mask_of(frame):
    """The frame's mask as a grey picture."""
    coverage = gst_people.mask(frame.get_buffer()).coverage
    if coverage.dtype != numpy.uint8:
        raise EvaluationError("only masks of the format gray8 can be written; leave mask-format alone.")
    return grey_sample(coverage)


def scale(sample, width, height, method="bilinear"):
    """The picture at another size."""
    scaler = Pipeline(f"appsrc name=in format=time ! videoscale method={method} add-borders=false ! "
                      f"video/x-raw,width={width},height={height},pixel-aspect-ratio=1/1 ! appsink name=out sync=false")
    scaler.push(sample)
    scaled = scaler.pull("a mask could not be scaled")
    scaler.stop()
    return scaled
