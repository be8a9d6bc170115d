import CGStreamer
import Synchronization

/// Keeps the durations of packets across a parser.
///
/// `h265parse` gives each packet the duration of the stream's frame rate, which is wrong where the rate varies.
enum PacketDurations {
    /// Name of the parser in an encoder's chain.
    static let parserName = "parser"

    static func keep(in chain: Element) {
        _ = withElement(parserName, in: chain) { parser in
            guard let sink = gst_element_get_static_pad(parser, "sink"),
                let source = gst_element_get_static_pad(parser, "src")
            else { return }
            HEVCHeaders.removeCopies(at: sink)
            let durations = Durations()
            onBuffer(sink) { durations.note($0) }
            onBuffer(source) { durations.restore($0) }
            gst_object_unref(sink)
            gst_object_unref(source)
        }
    }
}

/// The durations of packets that are inside the parser, by the times at which they are shown.
private final class Durations: Sendable {
    private let times = Mutex<[GstClockTime: GstClockTime]>([:])

    func note(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let data = info.pointee.data else { return }
        let packet = data.assumingMemoryBound(to: GstBuffer.self).pointee
        times.withLock { $0[packet.pts] = packet.duration }
    }

    func restore(_ info: UnsafeMutablePointer<GstPadProbeInfo>) {
        guard let packet = writableBuffer(of: info) else { return }
        if let duration = times.withLock({ $0.removeValue(forKey: packet.pointee.pts) }) {
            packet.pointee.duration = duration
        }
    }
}
