#!/usr/bin/python3
"""A conference in one scene: browsers join by a page, each person is cut out here, and all see all before one background.

    conference.py [--background=forest.jpg] [--size=1280x720] [--rate=15] [--quality=fast]

Prints the address of the page. Browsers give a page of another computer the camera by HTTPS only: `--certificate=FILE` (PEM, with its
key) lets others join who have the address, with this computer's name in it. There is no sound. Ends by Control-C.
Needs Debian's gir1.2-soup-3.0, gir1.2-gst-plugins-bad-1.0, gstreamer1.0-nice and python3-numpy.
"""
import argparse
import contextlib
import json
import pathlib
import secrets
import sys

HERE = pathlib.Path(__file__).resolve().parent
# The module gst_people of a checkout, or of the installed examples.
sys.path.append(str(HERE.parent))

try:
    import gi
    for name, version in {"Gst": "1.0", "GstSdp": "1.0", "GstWebRTC": "1.0", "Soup": "3.0"}.items():
        gi.require_version(name, version)
    from participant import Participant
    from scene import Scene
except (ImportError, ValueError) as error:
    sys.exit(f"{sys.argv[0]}: {error}. Install Debian's packages gir1.2-soup-3.0, gir1.2-gst-plugins-bad-1.0 and python3-numpy.")

from gi.repository import Gio, GLib, Gst, Soup  # noqa: E402


class Conference:
    """The page, and the participants by their connections (WebSocket)."""

    def __init__(self, scene, quality):
        self.scene, self.quality, self.participants = scene, quality, {}

    def serve(self, port, certificate):
        """Begins to serve; returns the page's address, of which nobody can guess the path."""
        path = "/" + secrets.token_urlsafe(16)
        # It serves as long as something holds it.
        self.server = Soup.Server()
        self.server.add_handler(path, answer)
        self.server.add_websocket_handler(path + "/talk", None, None, self.join)
        if certificate:
            self.server.set_tls_certificate(certificate)
            self.server.listen_all(port, Soup.ServerListenOptions.HTTPS)
        else:
            self.server.listen_local(port, 0)
        return self.server.get_uris()[0].to_string() + path[1:]

    def join(self, _, __, ___, connection, *____):
        def tell(message):
            if connection.get_state() == Soup.WebsocketState.OPEN:
                connection.send_text(json.dumps(message))

        def end(reason):
            if connection.get_state() == Soup.WebsocketState.OPEN:
                connection.close(Soup.WebsocketCloseCode.GOING_AWAY, reason[:40])

        self.participants[connection] = Participant(self.scene, self.quality, tell, end)
        connection.connect("message", self.hear)
        connection.connect("closed", lambda _: self.participants.pop(connection).leave())

    def hear(self, connection, _, text):
        participant = self.participants[connection]
        try:
            participant.hear(json.loads(text.get_data()))
        except (ValueError, TypeError, LookupError, AttributeError, OverflowError):
            participant.end("unknown message")


def answer(_, message, *__):
    message.set_status(200, None)
    message.set_response("text/html", Soup.MemoryUse.COPY, (HERE / "page.html").read_bytes())


def arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name, default in {"background": None, "size": "1280x720", "quality": "fast", "certificate": None}.items():
        parser.add_argument(f"--{name}", default=default)
    for name, default in {"rate": 15, "port": 0}.items():
        parser.add_argument(f"--{name}", type=int, default=default)
    return parser.parse_args()


def main(options):
    background = "videotestsrc num-buffers=1 pattern=solid-color foreground-color=0xff335577"
    if options.background:
        background = f'uridecodebin uri="{Gst.filename_to_uri(options.background)}"'
    scene = Scene(background, *(int(side) for side in options.size.split("x")), options.rate)
    certificate = options.certificate and Gio.TlsCertificate.new_from_file(options.certificate)
    loop, bus, failures = GLib.MainLoop(), scene.pipeline.get_bus(), []
    bus.add_signal_watch()
    bus.connect("message::latency", lambda *_: scene.pipeline.recalculate_latency())
    bus.connect("message::error", lambda _, message: (failures.append(message.parse_error()[0].message), loop.quit()))
    scene.pipeline.set_state(Gst.State.PLAYING)
    scene.pipeline.get_state(Gst.CLOCK_TIME_NONE)  # Participants take over its clock.
    conference = Conference(scene, options.quality)
    print(conference.serve(options.port, certificate), flush=True)
    with contextlib.suppress(KeyboardInterrupt):
        loop.run()
    for participant in conference.participants.values():
        participant.leave()
    scene.pipeline.set_state(Gst.State.NULL)
    if failures:
        sys.exit(f"conference.py: {failures[0]}")


if __name__ == "__main__":
    Gst.init(None)
    main(arguments())
