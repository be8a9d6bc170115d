#!/usr/bin/python3
"""Serves a pipeline to RTSP players, such as VLC or rtspsrc, at rtsp://HOST:PORT/people.

    rtsp_server.py PORT LINE

LINE is a launch line that ends in raw video: `v4l2src ! personsegment quality=fast ! blendmask blur=40`. All players share
one run of it, which starts with the first and ends with the last. PORT 0 takes a free one; the address is printed. Ends by Control-C.
Needs Debian's gir1.2-gst-rtsp-server-1.0.
"""
import contextlib
import sys

try:
    import gi
    gi.require_version("Gst", "1.0")
    gi.require_version("GstRtspServer", "1.0")
except (ImportError, ValueError) as error:
    sys.exit(f"{sys.argv[0]}: {error}. Install Debian's packages python3-gi and gir1.2-gst-rtsp-server-1.0.")

from gi.repository import GLib, Gst, GstRtspServer


def main(port, line):
    factory = GstRtspServer.RTSPMediaFactory()
    factory.set_launch(
        f"( {line} ! videoconvert ! x264enc tune=zerolatency speed-preset=veryfast key-int-max=60 "
        "! video/x-h264,profile=baseline ! rtph264pay name=pay0 config-interval=-1 )")
    factory.set_shared(True)
    server = GstRtspServer.RTSPServer()
    server.set_service(port)
    server.get_mount_points().add_factory("/people", factory)
    if not server.attach(None):
        sys.exit(f"rtsp_server.py: port {port} cannot be opened")
    print(f"rtsp://127.0.0.1:{server.get_bound_port()}/people", flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        GLib.MainLoop().run()


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    Gst.init(None)
    main(*sys.argv[1:])
