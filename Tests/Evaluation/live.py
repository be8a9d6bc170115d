"""Masks of a live stream beside those that each frame would have by itself."""
import threading
import time

import gst_people
import numpy

from gstreamer import EvaluationError, Gst, Pipeline, contents

WIDTH, HEIGHT = 1280, 720
CAPS = f"video/x-raw,format=I420,width={WIDTH},height={HEIGHT}"


def evaluate(arguments):
    """Runs `Tests/evaluate live`."""
    frames = decode(arguments.input, arguments.frames)
    exact = masks(frames, arguments.rate, "quality=balanced")
    fast = masks(frames, arguments.rate, "quality=fast")
    live = masks(frames, arguments.rate, "quality=balanced", is_live=True)
    late = masks(frames, arguments.rate, "quality=balanced lookahead=4", is_live=True)
    print(f"{len(frames)} frames of {WIDTH}x{HEIGHT}, {arguments.rate} a second; against `balanced` masks of every frame:")
    print("masks                               frames  error x 1000, mean  90 %    IoU, mean  lowest tenth")
    for name, found in (("quality=fast", fast), ("quality=balanced, live", live), ("quality=balanced lookahead=4, live", late)):
        print(f"{name:34}  {len(found):6}  {difference(found, exact)}")


def decode(path, count):
    """The first frames of a video."""
    source = Pipeline(
        f"filesrc name=file ! decodebin ! videoconvert ! videoscale ! {CAPS} ! appsink name=out sync=false max-buffers=4", path)
    frames = []
    while len(frames) < count:
        try:
            frames.append(contents(source.pull(f"{path} could not be decoded").get_buffer()))
        except EvaluationError:
            if frames:
                break
            raise
    source.stop()
    return frames


def masks(frames, rate, settings, is_live=False, first=0):
    """The mask of each frame that came through, by the frame's number, the first one's being `first`."""
    step = Gst.SECOND // rate
    camera = (f"is-live=true do-timestamp=true max-buffers=4 leaky-type=downstream min-latency={step} max-latency={4 * step}"
              if is_live else "max-buffers=4 block=true")
    stream = Pipeline(
        f'appsrc name=in format=time {camera} caps="{CAPS},framerate={rate}/1" ! personsegment {settings} ! queue ! '
        f"appsink name=out max-buffers=4 sync={str(is_live).lower()} qos={str(is_live).lower()} max-lateness=20000000")
    pusher = threading.Thread(target=push, args=(stream, frames, step, is_live, first))
    pusher.start()
    found = {}
    try:
        while True:
            buffer = stream.pull("the stream broke off").get_buffer()
            found[buffer.offset] = gst_people.mask(buffer).coverage
    except EvaluationError:
        if not stream["out"].is_eos():
            raise
    finally:
        # A stream that has failed takes no frame until it is stopped.
        stream.stop()
        pusher.join()
    return found


def push(stream, frames, step, is_live, first):
    """Gives the stream its frames: those of a live one when they are due."""
    start = time.monotonic()
    for number, data in enumerate(frames, first):
        buffer = Gst.Buffer.new_wrapped(data)
        buffer.offset, buffer.duration = number, step
        if is_live:
            time.sleep(max(0, start + (number - first) * step / Gst.SECOND - time.monotonic()))
        else:
            buffer.pts = number * step
        stream["in"].emit("push-buffer", buffer)
        if stream.pipeline.get_bus().pop_filtered(Gst.MessageType.LATENCY):
            stream.pipeline.recalculate_latency()
    stream["in"].emit("end-of-stream")


def difference(found, exact):
    """How far masks are from others of the same frames, as a part of a table's row."""
    errors, overlaps = [], []
    for number, one in found.items():
        if number not in exact:
            continue
        truth = exact[number] / 255
        values = resized(one / 255, *truth.shape)
        errors.append(1000 * abs(values - truth).mean())
        inside, other = values > 0.5, truth > 0.5
        overlaps.append((inside & other).sum() / max(1, (inside | other).sum()))
    if not errors:
        raise EvaluationError("No frame came through.")
    return (f"{numpy.mean(errors):18.1f}  {numpy.percentile(errors, 90):4.1f}    "
            f"{numpy.mean(overlaps):9.3f}  {numpy.percentile(overlaps, 10):12.3f}")


def resized(values, height, width):
    """A mask at another size, interpolated linearly between the middles of its values."""
    own_height, own_width = values.shape
    columns = (numpy.arange(width) + 0.5) * own_width / width - 0.5
    rows = (numpy.arange(height) + 0.5) * own_height / height - 0.5
    across = numpy.array([numpy.interp(columns, numpy.arange(own_width), row) for row in values])
    return numpy.array([numpy.interp(rows, numpy.arange(own_height), column) for column in across.T]).T
