#!/usr/bin/python3
"""Sends a pipeline's picture by WebRTC, and receives it in the same program.

    webrtc.py SOURCE SINK

SOURCE and SINK are launch lines: `v4l2src ! personsegment quality=fast ! blendmask blur=40`, `videoconvert ! autovideosink`.
Between two computers the descriptions and candidates that are handed over in `connect` travel through a server of the
application's (signalling); all else stays. Ends with SOURCE, by Control-C, or with status 1 after an error.
Needs Debian's gir1.2-gst-plugins-bad-1.0 and gstreamer1.0-nice.
"""
import contextlib
import sys

try:
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstSdp", "1.0")
    gi.require_version("GstWebRTC", "1.0")
except (ImportError, ValueError) as error:
    sys.exit(f"{sys.argv[0]}: {error}. Install Debian's packages python3-gi and gir1.2-gst-plugins-bad-1.0.")

# GstSdp and GstWebRTC know the types of the descriptions that are handed over.
from gi.repository import GLib, Gst, GstSdp, GstWebRTC  # noqa: F401


def connect(sender, receiver):
    """Hands each side's offer or answer, and its addresses (candidates), to the other side."""

    def send_offer(promise, _):
        # The reply owns the description: it has to live as long.
        reply = promise.get_reply()
        offer = reply.get_value("offer")
        sender.emit("set-local-description", offer, None)
        receiver.emit("set-remote-description", offer, None)
        receiver.emit("create-answer", None, Gst.Promise.new_with_change_func(send_answer, None))

    def send_answer(promise, _):
        reply = promise.get_reply()
        answer = reply.get_value("answer")
        receiver.emit("set-local-description", answer, None)
        sender.emit("set-remote-description", answer, None)

    def negotiate(element):
        element.emit("create-offer", None, Gst.Promise.new_with_change_func(send_offer, None))

    sender.connect("on-negotiation-needed", negotiate)
    for side, other in ((sender, receiver), (receiver, sender)):
        side.connect("on-ice-candidate", lambda _, line, text, to: to.emit("add-ice-candidate", line, text), other)


def show(pipeline, pad, sink):
    """Decodes and shows the stream of a new pad of the receiver."""
    if pad.direction != Gst.PadDirection.SRC:
        return
    player = Gst.parse_bin_from_description(f"queue ! rtpvp8depay ! vp8dec ! {sink}", True)
    pipeline.add(player)
    player.sync_state_with_parent()
    pad.link(player.sinkpads[0])


def main(source, sink):
    pipeline = Gst.parse_launch(
        f"{source} ! videoconvert ! queue ! vp8enc deadline=1 cpu-used=8 keyframe-max-dist=60 ! rtpvp8pay "
        "! application/x-rtp,media=video,encoding-name=VP8,payload=96 ! webrtcbin name=sender webrtcbin name=receiver")
    sender, receiver = (pipeline.get_by_name(name) for name in ("sender", "receiver"))
    receiver.connect("pad-added", lambda _, pad: show(pipeline, pad, sink))
    connect(sender, receiver)
    loop, bus, failures = GLib.MainLoop(), pipeline.get_bus(), []
    bus.add_signal_watch()
    bus.connect("message::eos", lambda *_: loop.quit())
    bus.connect("message::error", lambda _, message: (failures.append(message.parse_error()[0].message), loop.quit()))
    pipeline.set_state(Gst.State.PLAYING)
    with contextlib.suppress(KeyboardInterrupt):
        loop.run()
    pipeline.set_state(Gst.State.NULL)
    if failures:
        sys.exit(f"webrtc.py: {failures[0]}")


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Gst.init(None)
    main(*sys.argv[1:])
