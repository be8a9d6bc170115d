import CGStreamer
import Synchronization

/// Keeps what is below the people at the size of the camera's pictures, and the compositor in time.
final class StreamOverlay: @unchecked Sendable {
    // Immutable after init; GStreamer's objects do their own locking.
    private let player: LivePlayer
    private let meter: LiveMeter
    private let hasSize = Mutex(false)

    /// Frames that are older give way to newer ones, as they do everywhere before the compositor; nanoseconds.
    private static let late: Int64 = 200_000_000

    init(_ player: LivePlayer) {
        (self.player, meter) = (player, player.meter)
        watch("blendmask") { pad in
            onProbe(pad, GST_PAD_PROBE_TYPE_EVENT_DOWNSTREAM) { [weak self] info in
                self?.followSize(info)
                return GST_PAD_PROBE_OK
            }
        }
        watch("over") { pad in
            onProbe(pad, GST_PAD_PROBE_TYPE_BUFFER) { [weak self] info in
                // What the compositor makes before the camera's first picture is kept back.
                guard let self, hasSize.withLock({ $0 }) else { return GST_PAD_PROBE_DROP }
                keepUp(info)
                return GST_PAD_PROBE_OK
            }
        }
    }

    private func watch(_ name: String, _ body: (Pad) -> Void) {
        _ = withElement(name, in: player.chain) { element in
            guard let pad = gst_element_get_static_pad(element, "src") else { return }
            body(pad)
            gst_object_unref(pad)
        }
    }

    /// Scales what is below to the camera's pictures.
    private func followSize(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let event = info.pointee.data?.assumingMemoryBound(to: GstEvent.self),
            people_event_type(event) == GST_EVENT_CAPS
        else { return }
        var caps: Caps?
        gst_event_parse_caps(event, &caps)
        var (width, height): (gint, gint) = (0, 0)
        guard let fields = caps.flatMap({ gst_caps_get_structure($0, 0) }),
            gst_structure_get_int(fields, "width", &width) != 0,
            gst_structure_get_int(fields, "height", &height) != 0
        else { return }
        _ = withElement("over", in: player.chain) { over in
            guard let below = gst_element_get_static_pad(over, "sink_0") else { return }
            let object = UnsafeMutableRawPointer(below).assumingMemoryBound(to: GObject.self)
            gst_util_set_object_arg(object, "width", "\(width)")
            gst_util_set_object_arg(object, "height", "\(height)")
            gst_object_unref(below)
        }
        hasSize.withLock { $0 = true }
    }

    /// Tells the compositor that it is late: it makes every frame, however long ago its time was, until a sink
    /// reports that; ours waits for nothing and reports nothing.
    private func keepUp(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let times = meter.times(info), times.delay > Self.late else { return }
        watch("over") { pad in
            gst_pad_send_event(
                pad,
                gst_event_new_qos(
                    GST_QOS_TYPE_UNDERFLOW, 1, GstClockTimeDiff(times.delay), GstClockTime(times.taken)))
        }
    }
}
