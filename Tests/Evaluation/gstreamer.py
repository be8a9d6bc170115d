"""Pipelines that pictures are pushed into and pulled from, one at a time."""
import time

import gi
import numpy

gi.require_version("Gst", "1.0")
gi.require_version("GstApp", "1.0")
gi.require_version("GstVideo", "1.0")
from gi.repository import GLib, Gst, GstApp, GstVideo  # noqa: E402, F401

Gst.init(None)

ENDINGS = {".jpg", ".jpeg", ".png", ".webp", ".bmp"}
#: A picture that takes longer is taken for a hang.
PATIENCE_SECONDS = 300


class EvaluationError(Exception):
    """What went wrong and what to do about it."""


def pictures(folder):
    """The pictures of a folder, in name order."""
    return sorted(p for p in folder.iterdir() if p.suffix.lower() in ENDINGS and p.is_file())


def pictures_in(folder):
    """The same, at least one."""
    if not folder.is_dir():
        raise EvaluationError(f"{folder} is not a folder; name a folder of pictures.")
    paths = pictures(folder)
    if not paths:
        raise EvaluationError(f"{folder} holds no picture (.jpg, .png, .webp, .bmp).")
    return paths


def streams_in(folder, is_stream):
    """Lists of pictures; the pictures of a list are one stream where `is_stream`.

    A folder of streams holds folders of pictures.
    """
    if is_stream and folder.is_dir():
        folders = sorted(path for path in folder.iterdir() if path.is_dir())
        if folders:
            return [pictures_in(path) for path in folders]
    return [pictures_in(folder)]


class Pipeline:
    """A running pipeline: from an appsrc `in`, or the file of a filesrc `file`, to an appsink `out`."""

    def __init__(self, description, file=None):
        try:
            self.pipeline = Gst.parse_launch(description)
        except GLib.Error as error:
            raise EvaluationError(f"{error.message} (is the plugin built? run pipelines/setup)") from error
        if file:
            self["file"].set_property("location", str(file))
        self.pipeline.set_state(Gst.State.PLAYING)

    def __getitem__(self, name):
        return self.pipeline.get_by_name(name)

    def __del__(self):
        self.stop()

    def push(self, sample):
        self["in"].push_sample(sample)

    def pull(self, failure, sink="out"):
        """The next picture; what the pipeline says when there is none."""
        patience = PATIENCE_SECONDS
        while patience > 0:
            sample = self[sink].emit("try-pull-sample", Gst.SECOND // 5)
            if sample is not None:
                return sample
            complaint = self.pipeline.get_bus().pop_filtered(Gst.MessageType.ERROR)
            if complaint:
                raise EvaluationError(f"{failure}: {complaint.parse_error()[0].message}")
            if self[sink].is_eos():
                break
            patience -= 0.2
        raise EvaluationError(f"{failure}: the pipeline gave no picture.")

    def stop(self):
        if getattr(self, "pipeline", None):
            self.pipeline.set_state(Gst.State.NULL)


#: The metadata that each element attaches to every frame.
METADATA = {
    "personsegment": "GstPeopleMask", "subjectsegment": "GstPeopleMask", "facepose": "GstPeopleFaces",
    "bodypose": "GstPeopleBodies", "handpose": "GstPeopleHands"}
#: Elements that may hold frames until they have seen those after them, and how many at most.
LOOKING_AHEAD = {"personsegment", "subjectsegment"}
LONGEST_LOOKAHEAD = 2


class Analyzer:
    """One element that all pictures go through."""

    def __init__(self, element, settings, is_stream, rate=25):
        """`rate`: frames a second of a stream."""
        self.element = element
        self.rate = rate
        # Pictures that are no stream wait for none after them.
        alone = ["lookahead=0"] if not is_stream and element in LOOKING_AHEAD else []
        settings = [*alone, *settings]
        self.pipeline = Pipeline(
            f"appsrc name=in format=time ! videoconvert ! {element} {' '.join(settings)} "
            "! appsink name=out sync=false")
        self.is_stream = is_stream
        self.count = 0
        self.seconds = []

    def analyze(self, picture, attach=lambda buffer: None):
        """The picture with what the element attached to it, after `attach(buffer)`.

        For pictures that are no stream, and elements that do not look ahead.
        """
        self.push(picture, attach)
        return self.pull()

    def analyze_all(self, pictures):
        """The pictures with what the element attached to them, as `analyze`, in their order."""
        waiting = 0
        for picture in pictures:
            self.push(picture)
            waiting += 1
            if not self.is_stream or waiting > LONGEST_LOOKAHEAD:
                yield self.pull()
                waiting -= 1
        self.pipeline["in"].end_of_stream()
        for _ in range(waiting):
            yield self.pull()

    def push(self, picture, attach=lambda buffer: None):
        """Sends a picture to the element, after `attach(buffer)`.

        Pictures that are no stream are marked as discontinuous, lie far apart in time and have no duration, so that each is
        analyzed by itself and nothing is carried over.
        """
        shared = picture.get_buffer()
        # A buffer of its own, of which times and flags can be set; copy() gives one more reference.
        kept = Gst.BufferCopyFlags.FLAGS | Gst.BufferCopyFlags.META | Gst.BufferCopyFlags.MEMORY
        buffer = shared.copy_region(kept, 0, shared.get_size())
        duration = Gst.SECOND // self.rate
        buffer.pts = self.count * (duration if self.is_stream else 10 * Gst.SECOND)
        if self.is_stream:
            buffer.duration = duration
            buffer.unset_flags(Gst.BufferFlags.DISCONT)
        else:
            buffer.duration = Gst.CLOCK_TIME_NONE
            buffer.set_flags(Gst.BufferFlags.DISCONT)
        attach(buffer)
        self.count += 1
        self.began = time.monotonic()
        rate = self.rate if self.is_stream else 0
        self.pipeline.push(Gst.Sample.new(buffer, video_caps(picture.get_caps(), rate), None, None))

    def pull(self):
        """The next picture, as `analyze` has it."""
        frame = self.pipeline.pull(f"{self.element} gave nothing for a picture")
        if frame.get_buffer().get_custom_meta(METADATA[self.element]) is None:
            raise EvaluationError(f"{self.element} attached nothing to a picture.")
        self.seconds.append(time.monotonic() - self.began)
        return frame

    def milliseconds(self):
        """Median time of a picture, conversion included, loading left out when it can be."""
        return 1000 * sorted(self.seconds)[len(self.seconds) // 2]


def video_caps(caps, rate):
    """Caps at a frame rate, which is 0 for still pictures."""
    # As text: PyGObject has no fractions without a package of overrides.
    rest = [field for field in caps.to_string().split(", ") if not field.startswith("framerate=")]
    return Gst.Caps.from_string(", ".join([*rest, f"framerate={rate}/1"]))


def decode(path, elements="videoconvert"):
    """The picture as a Gst.Sample, after `elements` of a launch line."""
    pipeline = Pipeline(f"filesrc name=file ! decodebin ! {elements} ! appsink name=out sync=false", path)
    sample = pipeline.pull(f"{path} could not be decoded")
    pipeline.stop()
    return sample


def grid_sample(data, layout, width, height):
    """Raw pixels as a Gst.Sample; rows lie at multiples of four bytes."""
    colors = ",colorimetry=1:4:0:0" if layout == "GRAY8" else ""
    caps = Gst.Caps.from_string(
        f"video/x-raw,format={layout},width={width},height={height},framerate=25/1{colors}")
    buffer = Gst.Buffer.new_wrapped(data)
    buffer.pts = 0
    return Gst.Sample.new(buffer, caps, None, None)


def padded(rows):
    """The bytes of a two-dimensional array of bytes; rows begin at multiples of four, as those of GStreamer's pictures."""
    return numpy.pad(rows, ((0, 0), (0, -rows.shape[1] % 4))).tobytes()


def grey_sample(values):
    """A Gst.Sample of a two-dimensional array of bytes: a mask or a label map."""
    return grid_sample(padded(values), "GRAY8", values.shape[1], values.shape[0])


def write_png(sample, path):
    """Writes a picture."""
    encoder = Pipeline(
        "appsrc name=in format=time ! videoconvert ! pngenc snapshot=true ! appsink name=out sync=false")
    encoder.push(sample)
    path.write_bytes(contents(encoder.pull(f"{path} could not be encoded").get_buffer()))
    encoder.stop()


def size(caps):
    """Width and height."""
    info = GstVideo.VideoInfo.new_from_caps(caps)
    return info.width, info.height


def contents(buffer):
    """The bytes of a Gst.Buffer."""
    return buffer.extract_dup(0, buffer.get_size())
