import GStreamerKit
import Synchronization

/// The streams of a file, as its parsers describe them before anything is decoded.
final class InputStreams: Sendable {
    /// A stream's caps, and what they say.
    struct Stream: Sendable {
        let caps: GStreamer.Caps
        var type: String { caps.mediaType }
    }

    private let streams = Mutex<[Stream]>([])

    var all: [Stream] { streams.withLock { $0 } }

    /// Notes a stream that a parsebin shows.
    func note(_ pad: GStreamer.Pad) {
        guard !add(pad) else { return }
        // parsebin of GStreamer 1.26 hands out pads before their caps, which are there with the first buffer.
        pad.addProbe(.buffer) { [self] info in
            _ = add(info.pad)
            return .remove
        }
    }

    /// Adds the stream of a pad; false where its caps are not known yet.
    private func add(_ pad: GStreamer.Pad) -> Bool {
        guard let caps = pad.currentCaps ?? pad.possibleCaps, caps.isFixed else { return false }
        streams.withLock { $0.append(Stream(caps: caps)) }
        return true
    }
}

extension InputStreams.Stream {
    var isVideo: Bool { type.hasPrefix("video/") }
    var isAudio: Bool { type.hasPrefix("audio/") }
    var isSubtitle: Bool {
        [
            "text/", "subpicture/", "application/x-ssa", "application/x-ass", "application/x-subtitle",
            "application/ttml",
        ]
        .contains(where: type.hasPrefix)
    }

    /// Bits of a sample of video; nil where nothing says it.
    var bits: Int? {
        if let bits = caps.fields?.unsigned("bit-depth-luma") { return Int(bits) }
        return type == "video/x-prores" ? 10 : nil
    }

    /// Whether something installed decodes it.
    var hasDecoder: Bool { type.hasSuffix("/x-raw") || GStreamer.Registry.canDecode(caps) }

    var isInterlaced: Bool { caps.fields?.string("interlace-mode").map { $0 != "progressive" } ?? false }

    /// Whether the range of brightness is more than that of common screens (PQ, HLG).
    var hasHighDynamicRange: Bool {
        GStreamer.Colorimetry(caps.fields?.string("colorimetry"))?.highDynamicRange != nil
    }
}
