"""Masks of a folder of pictures, made by the personsegment element."""
import time

import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402

from gstreamer import EvaluationError, Pipeline, contents, grid_sample, pictures, size  # noqa: E402
from sheet import Sheet  # noqa: E402


def evaluate(arguments):
    """Runs `Tests/evaluate masks` and says how long a picture took."""
    if not arguments.input.is_dir():
        raise EvaluationError(f"{arguments.input} is not a folder; name a folder of pictures.")
    paths = pictures(arguments.input)
    if not paths:
        raise EvaluationError(f"{arguments.input} holds no picture (.jpg, .png, .webp, .bmp).")
    clashes = {p.stem for p in paths if sum(q.stem == p.stem for q in paths) > 1}
    if clashes:
        raise EvaluationError(f"several pictures are called {sorted(clashes)[0]}; their masks would be one file.")
    arguments.output.mkdir(parents=True, exist_ok=True)
    sheet = Sheet(arguments.sheet) if arguments.sheet else None
    segmenter = Segmenter(arguments.quality, arguments.properties, is_stream=arguments.video)
    writer = MaskFile()
    for path in paths:
        picture = decode(path)
        frame = segmenter.segment(picture)
        mask = writer.write(frame, arguments.output / (path.stem + ".png"))
        if sheet:
            sheet.add(frame, mask)
    if sheet:
        sheet.save()
    print(f"{len(paths)} masks, {arguments.quality}: {segmenter.milliseconds():.1f} ms a picture")


def decode(path):
    """The picture as a Gst.Sample."""
    pipeline = Pipeline("filesrc name=file ! decodebin ! videoconvert ! appsink name=out sync=false", path)
    sample = pipeline.pull(f"{path} could not be decoded")
    pipeline.stop()
    return sample


class Segmenter:
    """One personsegment element that all pictures go through."""

    def __init__(self, quality, properties, is_stream):
        settings = " ".join([f"quality={quality}", *properties])
        self.pipeline = Pipeline(
            f"appsrc name=in format=time ! videoconvert ! personsegment {settings} ! appsink name=out sync=false")
        self.is_stream = is_stream
        self.count = 0
        self.seconds = []

    def segment(self, picture):
        """The picture with its GstPeopleMask.

        Pictures that are no stream are marked as discontinuous, so that nothing is carried over.
        """
        buffer = picture.get_buffer().copy()
        buffer.pts = self.count * Gst.SECOND // 25
        buffer.duration = Gst.SECOND // 25
        if not self.is_stream:
            buffer.set_flags(Gst.BufferFlags.DISCONT)
        else:
            buffer.unset_flags(Gst.BufferFlags.DISCONT)
        self.count += 1
        began = time.monotonic()
        self.pipeline.push(Gst.Sample.new(buffer, video_caps(picture.get_caps()), None, None))
        frame = self.pipeline.pull("the picture was not segmented")
        self.seconds.append(time.monotonic() - began)
        return frame

    def milliseconds(self):
        """Median time of a picture, conversion included, loading left out when it can be."""
        return 1000 * sorted(self.seconds)[len(self.seconds) // 2]


def video_caps(caps):
    """Caps of a stream: a still picture's have no frame rate, or 0."""
    # As text: PyGObject has no fractions without a package of overrides.
    rest = [field for field in caps.to_string().split(", ") if not field.startswith("framerate=")]
    return Gst.Caps.from_string(", ".join([*rest, "framerate=25/1"]))


class MaskFile:
    """Scales masks to their pictures and writes them."""

    def write(self, frame, path):
        """Writes the mask of `frame` at its size; returns it as a Gst.Sample."""
        scaled = scale(mask_of(frame), *size(frame.get_caps()))
        encoder = Pipeline("appsrc name=in format=time ! pngenc snapshot=true ! appsink name=out sync=false")
        encoder.push(scaled)
        png = encoder.pull(f"{path} could not be encoded")
        path.write_bytes(contents(png.get_buffer()))
        encoder.stop()
        return scaled


def mask_of(frame):
    """The frame's mask as a grey picture."""
    meta = frame.get_buffer().get_custom_meta("GstPeopleMask")
    if meta is None:
        raise EvaluationError("personsegment attached no mask to a picture.")
    fields = meta.get_structure()
    if fields.get_value("format") != "gray8":
        raise EvaluationError("only masks of the format gray8 can be written; leave mask-format alone.")
    width, height = fields.get_value("width"), fields.get_value("height")
    rows = padded(contents(fields.get_value("mask")), width, fields.get_value("stride"), height)
    return grid_sample(rows, "GRAY8", width, height)


def padded(data, width, stride, height):
    """Rows at the multiple of four bytes that GStreamer's own grey pictures have."""
    gap = bytes(-width % 4)
    return b"".join(data[y * stride:y * stride + width] + gap for y in range(height))


def scale(sample, width, height):
    """The picture at another size, bilinearly."""
    caps = sample.get_caps().copy()
    caps.set_value("width", width)
    caps.set_value("height", height)
    scaler = Pipeline("appsrc name=in format=time ! videoscale method=bilinear add-borders=false ! "
                      f"{caps.to_string()} ! appsink name=out sync=false")
    scaler.push(sample)
    scaled = scaler.pull("a mask could not be scaled")
    scaler.stop()
    return scaled

