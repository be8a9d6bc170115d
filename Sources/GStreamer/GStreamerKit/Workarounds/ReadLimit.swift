/// Ends reading that gives no frame.
///
/// Some damaged files make a demuxer read the same bytes for ever, and a server may send data for ever that a
/// parser keeps in memory.
///
/// Seen in GStreamer 1.22 with FFmpeg 5; `StillPictureTests.stopsReadingAGIFWithoutFrames` shows when this
/// can go.
final class ReadLimit: Sendable {
    /// Maximum number of reads for a frame: a frame of 1 GiB takes a tenth of that, in steps of 64 KiB or
    /// more.
    private static let maximumReads = 100_000
    /// Maximum number of bytes for a frame that comes over a network: 128 MiB.
    ///
    /// The largest frames of ITU-R BT.2020 (7680x4320), uncompressed with four bytes a pixel, take 127 MiB.
    private static let maximumBytes = 1 << 27

    private struct Count: Sendable {
        var (reads, bytes) = (0, 0)
        var isExceeded = false
    }

    private let count = Guarded(Count())
    private let countsBytes: Bool

    /// - Parameter isFile: whether the source is a file of this machine, whose bytes are not counted.
    init(isFile: Bool) { countsBytes = !isFile }

    /// The reason why reading ends; nil while it may go on.
    var fault: String? {
        let count = count.snapshot()
        if count.isExceeded { return "\(Self.maximumBytes >> 20) MiB arrived without an image" }
        return count.reads > Self.maximumReads ? "reading it does not end" : nil
    }

    /// Counts the reads from an element and the bytes that it sends, if it is a source.
    func watch(_ element: GStreamer.Element) {
        // Only a source has no sink pad.
        guard element.sinkPadCount == 0, let pad = element.pad("src") else { return }
        pad.addProbe(.read) { [count] _ in
            count.update { $0.reads &+= 1 }
            return .pass
        }
        guard countsBytes else { return }
        pad.addProbe([.buffer, .push]) { [self] info in
            guard let buffer = info.buffer, isExceeded(by: buffer.byteCount) else { return .ok }
            // The source stops reading.
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

    /// Resets the counts with each frame that reaches `pad`.
    func watchFrames(at pad: GStreamer.Pad) {
        pad.onBuffer { [count] _ in count.update { ($0.reads, $0.bytes) = (0, 0) } }
    }
}
