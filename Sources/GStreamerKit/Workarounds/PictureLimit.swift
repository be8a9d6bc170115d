/// Refuses pictures that would fill the machine's memory, for a small file can claim any size, or be decoded for ever.
///
/// What parsers and decoders say in their caps counts, before they decode anything. Decoders of JPEG take memory before they
/// say anything, and parsers do not read all damaged files: there the frames' own headers count.
final class PictureLimit: Sendable {
    /// Pixels of the largest picture, 16384 x 16384: more than any camera takes at once.
    private static let maximumPixels = 1 << 28
    /// Bytes of the largest decoded picture: 1 GiB.
    private static let maximumBytes = 1 << 30

    /// Why a picture was refused.
    enum Refusal: Sendable {
        /// Width and height.
        case size(String)
        /// Two starts of a JPEG, one after the other: `jpegdec` of GStreamer 1.22 never ends with those.
        case doubleStart
    }

    private let refused = Guarded<Refusal?>(nil)

    /// Nil when no picture was refused.
    var refusal: Refusal? { refused.snapshot() }

    /// Looks at whatever comes to the element.
    func watch(_ element: GStreamer.Element) {
        element.pad("sink")?.addProbe([.events, .buffer]) { [self] info in
            let isRefused =
                info.event?.caps.map { refuses(Self.fault(of: $0)) }
                ?? info.buffer.map { refuses(Self.fault(of: $0, at: info.pad)) }
            // Other events go on: GStreamer warns of a pad to which data comes without them.
            return isRefused ?? false ? .drop : .ok
        }
    }

    /// Whether caps or a buffer with this fault go no further; no others do once a picture has been refused.
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
