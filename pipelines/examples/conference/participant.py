"""A participant of a conference: one connection by WebRTC, in a pipeline of its own, so that what fails in it stops nobody else."""
import gst_people
import numpy
from gi.repository import GLib, Gst, GstSdp, GstWebRTC
from scene import PACKETS, Person

# Until a frame has its mask, blendmask covers it, and nothing is given to the scene.
CUT_OUT = (
    "queue ! rtpvp8depay request-keyframe=true ! vp8dec ! queue max-size-buffers=1 leaky=downstream "
    "! videoconvert ! personsegment quality={quality} min-area=1 expand=-1 ! facepose max-faces=1 "
    "! blendmask background-source=transparent decontaminate=true keep-mask=true "
    "! appsink name=people sync=false emit-signals=true max-buffers=1 drop=true")


class Participant:
    """Sends the scene to a browser, and cuts people out of the picture that comes back.

    `tell` sends a dictionary to the browser; `end` is called once the connection has failed. Both are called in the main loop.
    """

    def __init__(self, scene, quality, tell, end):
        self.scene, self.quality, self.tell, self.end, self.person = scene, quality, tell, end, None
        self.pipeline = Gst.parse_launch(
            f"appsrc name=scene is-live=true format=time do-timestamp=true max-buffers=500 leaky-type=downstream caps={PACKETS} "
            "! webrtcbin name=peer bundle-policy=max-bundle latency=60")
        self.peer, self.packets = (self.pipeline.get_by_name(name) for name in ("peer", "scene"))
        self.peer.connect("deep-element-added", keep_ports_closed)
        self.peer.connect("on-negotiation-needed", lambda peer: peer.emit(
            "create-offer", None, Gst.Promise.new_with_change_func(self.offer, None)))
        self.peer.connect("on-ice-candidate", lambda _, line, text: self.say(candidate={"sdpMLineIndex": line, "candidate": text}))
        self.peer.connect("pad-added", self.receive)
        self.peer.connect("notify::connection-state", self.watch)
        self.packets.get_static_pad("src").add_probe(Gst.PadProbeType.EVENT_UPSTREAM, self.ask)
        self.bus = self.pipeline.get_bus()
        self.bus.add_signal_watch()
        self.bus.connect("message::error", lambda _, message: self.end(message.parse_error()[0].message))
        # One clock and one beginning for all pipelines: the times of the packets hold in this one, too.
        self.pipeline.use_clock(scene.pipeline.get_clock())
        self.pipeline.set_start_time(Gst.CLOCK_TIME_NONE)
        self.pipeline.set_base_time(scene.pipeline.get_base_time())
        self.pipeline.set_state(Gst.State.PLAYING)
        scene.listeners.append(self.packets)

    def say(self, **message):
        GLib.idle_add(self.tell, message)

    def offer(self, promise, _):
        reply = promise.get_reply()  # It owns the description, and has to live as long.
        offer = reply.get_value("offer")
        self.peer.emit("set-local-description", offer, None)
        self.say(offer=offer.sdp.as_text())

    def hear(self, message):
        """Takes the browser's answer, or one of its addresses (candidates)."""
        if text := message.get("answer"):
            _, sdp = GstSdp.SDPMessage.new_from_text(text)
            answer = GstWebRTC.WebRTCSessionDescription.new(GstWebRTC.WebRTCSDPType.ANSWER, sdp)
            self.peer.emit("set-remote-description", answer, None)
        elif candidate := message.get("candidate"):
            self.peer.emit("add-ice-candidate", candidate["sdpMLineIndex"], candidate["candidate"])

    def ask(self, _, info):
        """Passes a request for a whole picture, from which the browser can decode, to the encoder."""
        if (event := info.get_event()).has_name("GstForceKeyUnit"):
            self.scene.encoder.get_static_pad("src").send_event(event)
        return Gst.PadProbeReturn.OK

    def watch(self, peer, _):
        if peer.get_property("connection-state") == GstWebRTC.WebRTCPeerConnectionState.FAILED:
            GLib.idle_add(self.end, "the connection has failed")

    def receive(self, _, pad):
        if pad.direction != Gst.PadDirection.SRC:
            return
        line = Gst.parse_bin_from_description(CUT_OUT.format(quality=self.quality), True)
        line.get_by_name("people").connect("new-sample", self.show)
        self.person = Person(self.scene)
        self.pipeline.add(line)
        line.sync_state_with_parent()
        pad.link(line.sinkpads[0])

    def show(self, sink):
        sample = sink.emit("pull-sample")
        buffer = sample.get_buffer()
        if mask := gst_people.mask(buffer):
            faces = gst_people.faces(buffer)
            self.person.show(sample, mask.coverage.any(), head(mask.coverage, faces[0].box) if faces else None)
        return Gst.FlowReturn.OK

    def leave(self):
        self.scene.listeners.remove(self.packets)
        self.bus.remove_signal_watch()
        self.pipeline.set_state(Gst.State.NULL)
        if self.person:
            self.person.leave()


def keep_ports_closed(_, __, element):
    """Lets libnice ask no router to open ports."""
    if element.__gtype__.name == "GstNiceSrc":
        element.get_property("agent").set_property("upnp", False)


def head(coverage, face):
    """The box of a head: of the face, and above it as far as the mask goes on, by one height of the face at most."""
    rows, columns = coverage.shape
    left, right = (min(max(int((face.x + part * face.width) * columns), 0), columns - 1) for part in (0.4, 0.6))
    middle = min(max(int((face.y + face.height / 2) * rows), 0), rows)
    bare = numpy.flatnonzero(coverage[:middle, left:right + 1].mean(axis=1) < 128)
    top = min(max((bare[-1] + 1) / rows if len(bare) else 0, face.y - face.height), face.y)
    return gst_people.Box(face.x, top, face.width, face.y + face.height - top)
