/// Ends reading that gives no frame: some damaged files keep a demuxer asking for the same bytes for ever, and a server may
/// send for ever what a parser keeps in memory.
///
/// Seen in GStreamer 1.22 with FFmpeg 5; `StillPictureTests.endsToReadWhatIsReadWithoutEnd` tells when it can go.
final class ReadLimit: Sendable {
    /// Reads for a frame: one of 1 GiB takes a tenth of that, in steps of 64 KiB or more.
    private static let maximumReads = 100_000
    /// Bytes for a frame that come over a network: 128 MiB.
    ///
    /// Uncompressed, with four bytes a pixel, the largest frames of ITU-R BT.2020 (7680x4320) take 127 MiB.
    private static let maximumBytes = 1 << 27

    private struct Count: Sendable {
        var (reads, bytes) = (0, 0)
        var isExceeded = false
    }

    private let count = Guarded(Count())
    private let countsBytes: Bool

    /// - Parameter isFile: whether what is read is a file of this machine, whose bytes are not counted.
    init(isFile: Bool) { countsBytes = !isFile }

    /// Why reading ends; nil while it may go on.
    var fault: String? {
        let count = count.snapshot()
        if count.isExceeded { return "\(Self.maximumBytes >> 20) MiB arrived without an image" }
        return count.reads > Self.maximumReads ? "reading it does not end" : nil
    }

    /// Counts what is asked of an element that is a source, and what it sends.
    func watch(_ element: GStreamer.Element) {
        // Only a source has no sink.
        guard element.sinkPadCount == 0, let pad = element.pad("src") else { return }
        pad.addProbe(.read) { [count] _ in
            count.update { $0.reads &+= 1 }
            return .pass
        }
        guard countsBytes else { return }
        pad.addProbe([.buffer, .push]) { [self] info in
            guard let buffer = info.buffer, isExceeded(by: buffer.byteCount) else { return .ok }
            // The source reads no more.
            return info.finish(.error)
        }
    }

    private func isExceeded(by size: Int) -> Bool {
        count.update { count in
            count.bytes += size
            count.isExceeded = count.isExceeded || count.bytes > Self.maximumBytes
            return count.isExceeded
        }
    }

    /// Starts counting again with each frame that comes to `pad`.
    func watchFrames(at pad: GStreamer.Pad) {
        pad.onBuffer { [count] _ in count.update { ($0.reads, $0.bytes) = (0, 0) } }
    }
}
