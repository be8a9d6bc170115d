/// Refuses pictures that would fill the machine's memory, because a small file can claim any size, or be
/// decoded for ever.
///
/// The sizes in the caps of parsers and decoders count, before anything is decoded. JPEG decoders allocate
/// memory before they set caps, and parsers do not read all damaged files: for JPEG the frame headers count.
final class PictureLimit: Sendable {
    /// Pixels of the largest picture, 16384 x 16384: more than any camera takes at once.
    private static let maximumPixels = 1 << 28
    /// Bytes of the largest decoded picture: 1 GiB.
    private static let maximumBytes = 1 << 30

    /// The reason why a picture was refused.
    enum Refusal: Sendable {
        /// Width and height.
        case size(String)
        /// Two starts of a JPEG, one after the other. `jpegdec` of GStreamer 1.22 does not end with such a
        /// file; `StillPictureTests.endsWithAJPEGThatStartsTwice` shows when this case can go.
        case doubleStart
    }

    private let refused = Guarded<Refusal?>(nil)

    /// The reason why a picture was refused; nil when none was.
    var refusal: Refusal? { refused.snapshot() }

    /// Checks all data that an element receives.
    func watch(_ element: GStreamer.Element) {
        element.pad("sink")?.addProbe([.events, .buffer]) { [self] info in
            let isRefused =
                info.event?.caps.map { refuses(Self.fault(of: $0)) }
                ?? info.buffer.map { refuses(Self.fault(of: $0, at: info.pad)) }
            // Other events pass: GStreamer warns of a pad that gets data without them.
            return isRefused ?? false ? .drop : .ok
        }
    }

    /// Whether caps or a buffer with this fault are dropped; after a refusal all others are dropped, too.
    private func refuses(_ fault: @autoclosure () -> Refusal?) -> Bool {
        if refusal != nil { return true }
        guard let fault = fault() else { return false }
        refused.update { $0 = fault }
        return true
    }

    private static func fault(of buffer: GStreamer.BufferView, at pad: GStreamer.Pad) -> Refusal? {
        guard pad.currentCaps?.mediaType == "image/jpeg" else { return nil }
        return buffer.withBytes { bytes in
            if bytes.starts(with: [0xff, 0xd8, 0xff, 0xd8]) { return .doubleStart }
            let frame = JPEGFrame.first(in: bytes) {
                $0.width * $0.height > maximumPixels || $0.coefficients > maximumBytes
            }
            return frame.map { .size("\($0.width)x\($0.height)") }
        } ?? nil
    }

    private static func fault(of caps: GStreamer.Caps) -> Refusal? {
        guard let fields = caps.fields, let width = fields.int("width"), let height = fields.int("height")
        else { return nil }
        let bytes = fields.name == "video/x-raw" ? VideoInfo(caps).map { Int(clamping: $0.raw.size) } ?? 0 : 0
        guard width * height > maximumPixels || bytes > maximumBytes else { return nil }
        return .size("\(width)x\(height)")
    }
}

extension ElementError {
    static func refused(_ location: String, _ reason: PictureLimit.Refusal) -> ElementError {
        switch reason {
        case .size(let size):
            ElementError(
                .resourceOpenRead,
                "\"\(location)\" is too large (\(size) pixels); the maximum is 268 million pixels, and 1 GiB when decoded."
            )
        case .doubleStart: .unreadable(location, "a damaged JPEG")
        }
    }
}

/// The header of a frame in a JPEG: ISO/IEC 10918-1, section B.2.2.
struct JPEGFrame {
    /// Width in pixels.
    let width: Int
    /// Height in pixels.
    let height: Int
    /// Number of samples of a pixel.
    let components: Int
    /// Bytes of all coefficients, which decoders keep for progressive frames; 0 for other frames, which are
    /// decoded row by row.
    let coefficients: Int

    /// Returns the first header in `bytes` that is `wanted`; damaged files may have several headers.
    static func first(in bytes: UnsafeRawBufferPointer, where wanted: (JPEGFrame) -> Bool) -> JPEGFrame? {
        for index in bytes.indices where bytes[index] == 0xff {
            let frame = JPEGFrame(UnsafeRawBufferPointer(rebasing: bytes[index...]))
            if let frame, wanted(frame) { return frame }
        }
        return nil
    }

    /// Reads the header at the start of `bytes`; nil if there is none.
    private init?(_ bytes: UnsafeRawBufferPointer) {
        // Marker, length, bits of a sample, height, width and number of components.
        let start = 10
        // The other markers in this range are tables.
        guard bytes.count >= start, (0xc0...0xcf).contains(bytes[1]), ![0xc4, 0xc8, 0xcc].contains(bytes[1])
        else { return nil }
        func number(_ index: Int) -> Int { Int(bytes[index]) << 8 | Int(bytes[index + 1]) }
        components = Int(bytes[9])
        guard number(2) == 8 + 3 * components, bytes.count >= start + 3 * components else { return nil }
        (height, width) = (number(5), number(7))
        guard bytes[1] & 3 == 2 else {
            coefficients = 0
            return
        }
        // Number of samples, and the greatest sampling factors along both axes.
        var (samples, across, down) = (0, 1, 1)
        for component in 0..<components {
            let factors = bytes[start + 3 * component + 1]
            let (x, y) = (Int(factors >> 4), Int(factors & 15))
            (samples, across, down) = (samples + x * y, max(across, x), max(down, y))
        }
        coefficients = 2 * width * height * samples / (across * down)
    }
}

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
