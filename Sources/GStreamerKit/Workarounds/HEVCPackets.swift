import Synchronization

/// Keeps the durations of packets across a parser.
///
/// `h265parse` gives each packet the duration of the stream's frame rate, which is wrong where the rate varies. Seen in GStreamer
/// 1.22; `VideoTranscodingTests.keepsVariableFrameRatesOfTenBits` tells when it can go.
package enum PacketDurations {
    /// Name of the parser in an encoder's chain.
    package static let parserName = "parser"

    package static func keep(in chain: GStreamer.Element) {
        guard let parser = chain.element(named: parserName), let sink = parser.pad("sink"),
            let source = parser.pad("src")
        else { return }
        HEVCHeaders.removeCopies(at: sink)
        let durations = Durations()
        sink.onBuffer { durations.note($0) }
        source.onBuffer { durations.restore($0) }
    }
}

/// The durations of packets that are inside the parser, by the times at which they are shown.
private final class Durations: Sendable {
    private let times = Mutex<[UInt64?: UInt64?]>([:])

    func note(_ info: GStreamer.ProbeInfo) {
        guard let packet = info.buffer else { return }
        let (time, duration) = (packet.presentationTime, packet.duration)
        times.withLock { _ = $0.updateValue(duration, forKey: time) }
    }

    func restore(_ info: GStreamer.ProbeInfo) {
        guard let packet = info.writableBuffer else { return }
        let time = packet.readable.presentationTime
        if let duration = times.withLock({ $0.removeValue(forKey: time) }) { packet.setDuration(duration) }
    }
}

/// Removes what `x265enc` puts before the first frame of high dynamic range.
///
/// It copies the encoder's headers and memory behind them, in which parsers find units that are none. The encoder
/// itself writes its headers into the stream once more. Seen in GStreamer 1.22; `VideoTranscodingTests.keepsHighDynamicRange` tells
/// when it can go.
private enum HEVCHeaders {
    /// - Parameter pad: where the encoder's frames arrive.
    static func removeCopies(at pad: GStreamer.Pad) {
        pad.onBuffer { info in
            guard let frame = info.buffer, let start = frame.withBytes(lastHeader) ?? nil,
                let rest = frame.part(from: start)
            else { return }
            info.replace(with: rest)
        }
    }

    /// A start code and a video parameter set's header (ITU-T H.265, 7.3.1.2 and B.2).
    private static let parameterSet: [UInt8] = [0, 0, 1, 0x40, 1]

    /// Where the last video parameter set begins; nil where there are fewer than two.
    private static func lastHeader(in bytes: UnsafeRawBufferPointer) -> Int? {
        guard bytes.count > parameterSet.count,
            bytes.starts(with: parameterSet)
                || bytes.dropFirst().starts(with: parameterSet)
        else { return nil }
        let last = stride(from: bytes.count - parameterSet.count, through: 0, by: -1).first { place in
            bytes[place...].starts(with: parameterSet)
        }
        return last.flatMap { $0 > 1 ? $0 : nil }
    }
}
