"""Frames, their masks, and several of them drawn as one picture. Used by the scripts beside it."""
import gi

gi.require_version("Gst", "1.0")
from gi.repository import Gst  # noqa: E402


def mask(frame):
    """The frame's mask as a grey picture."""
    fields = frame.get_custom_meta("GstPeopleMask").get_structure()
    width, height = fields.get_int("width")[1], fields.get_int("height")[1]
    caps = Gst.Caps.from_string(f"video/x-raw,format=GRAY8,width={width},height={height},framerate=0/1")
    return Gst.Sample.new(fields.get_value("mask"), caps, None, None)


def draw(rows, path, tile):
    """Writes the samples of each row side by side, `tile` pixels each, as one PNG or JPEG."""
    width, height = tile
    encoder = "pngenc snapshot=true" if path.endswith(".png") else "jpegenc quality=88 snapshot=true"
    pads, sources = [], []
    for y, row in enumerate(rows):
        for x, _ in enumerate(row):
            n = len(sources)
            pads.append(f"sink_{n}::xpos={x * (width + 4)} sink_{n}::ypos={y * (height + 4)}")
            sources.append(
                f"appsrc name=tile{n} format=time ! videoconvert ! videoscale "
                f"! video/x-raw,format=RGBA,width={width},height={height},pixel-aspect-ratio=1/1 ! c.sink_{n}"
            )
    pipeline = Gst.parse_launch(
        f"compositor name=c background=white {' '.join(pads)} ! videoconvert ! {encoder} "
        f"! filesink name=file {' '.join(sources)}"
    )
    pipeline.get_by_name("file").props.location = path
    pipeline.set_state(Gst.State.PLAYING)
    for n, shown in enumerate(shown for row in rows for shown in row):
        shared = shown.get_buffer()
        # Of its own, so that its times can be set.
        picture = shared.copy_region(Gst.BufferCopyFlags.META | Gst.BufferCopyFlags.MEMORY, 0, shared.get_size())
        picture.pts, picture.duration = 0, Gst.SECOND
        source = pipeline.get_by_name(f"tile{n}")
        source.emit("push-sample", Gst.Sample.new(picture, shown.get_caps(), None, None))
        source.emit("end-of-stream")
    types = Gst.MessageType.EOS | Gst.MessageType.ERROR
    message = pipeline.get_bus().timed_pop_filtered(60 * Gst.SECOND, types)
    pipeline.set_state(Gst.State.NULL)
    if message is None or message.type == Gst.MessageType.ERROR:
        raise RuntimeError("the picture could not be drawn")
