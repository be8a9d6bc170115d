/// The first bytes that a picture's decoder gets, which tell what the decoder leaves out.
final class EncodedHeader: Sendable {
    /// EXIF data are in one of the first segments, each of which is smaller than that.
    private static let limit = 1 << 17
    private let header = Guarded([UInt8]())

    /// What has come until now.
    var bytes: [UInt8] { header.snapshot() }

    /// Whether it is a PNG of 16 bits for each of red, green and blue, and none for alpha.
    var isDeepOpaquePNG: Bool {
        let (depth, colorType) = (24, 25)
        let bytes = bytes
        guard bytes.count > colorType, bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) else { return false }
        return bytes[depth] == 16 && bytes[colorType] == 2
    }

    /// Reads along at picture decoders.
    func watch(_ element: GStreamer.Element) {
        guard element.classification?.contains("Decoder/Image") ?? false else { return }
        element.pad("sink")?.addProbe(.buffer) { [self] info in
            guard let buffer = info.buffer else { return .ok }
            return append(buffer) ? .remove : .ok
        }
    }

    /// Returns true when no more is needed.
    private func append(_ buffer: GStreamer.BufferView) -> Bool {
        buffer.withBytes { new in
            header.update { header in
                header.append(contentsOf: new.prefix(max(0, Self.limit - header.count)))
                return header.count >= Self.limit
            }
        } ?? true
    }
}
