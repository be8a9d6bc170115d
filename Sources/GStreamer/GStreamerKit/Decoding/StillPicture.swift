import CGStreamer
import FileNames
import Glibc
import Imaging

/// A picture, or the first frame of a clip, in its decoder's format.
package final class StillPicture: Sendable {
    let sample: GStreamer.Sample
    /// The turn that makes the picture upright.
    let orientation: ImageOrientation
    /// Whether more frames follow, so that the location is that of a clip.
    package let isClip: Bool

    /// Size of the decoded picture, in bytes.
    package var byteCount: Int { sample.buffer?.byteCount ?? 0 }

    private init(_ sample: GStreamer.Sample, _ orientation: ImageOrientation, isClip: Bool) {
        (self.sample, self.orientation, self.isClip) = (sample, orientation, isClip)
    }

    /// Whether reading `location` does not wait for another machine.
    ///
    /// - Throws: `GST_RESOURCE_ERROR_OPEN_READ` when it is not the location of a picture.
    package static func isOnThisMachine(_ location: String) throws(ElementError) -> Bool {
        try MediaLocation(location).isFile
    }

    /// Decodes the picture at `location`.
    ///
    /// - Parameter location: a path, relative to the current directory unless absolute, or a URI.
    /// - Parameter isCancelled: called while the function waits; true ends the wait.
    /// - Returns: nil when cancelled.
    /// - Throws: `GST_RESOURCE_ERROR_OPEN_READ` when no picture can be decoded within ten seconds, or the
    ///   picture is too large.
    package static func load(
        _ location: String, isCancelled: () -> Bool = { false }
    ) throws(ElementError) -> StillPicture? {
        try load(location, within: 10, isCancelled)
    }

    /// Decodes the picture at `location` within so many seconds.
    package static func load(
        _ location: String, within seconds: Int, _ isCancelled: () -> Bool = { false }
    ) throws(ElementError) -> StillPicture? {
        let place = try MediaLocation(location)
        do throws(ElementError) {
            return try load(place, location, within: seconds, isCancelled)
        } catch {
            throw ConvertiblePicture.advice(place).map { .unreadable(location, $0) } ?? error
        }
    }

    private static func load(
        _ place: MediaLocation, _ location: String, within seconds: Int, _ isCancelled: () -> Bool
    ) throws(ElementError) -> StillPicture? {
        let decoder = try DecodingPipeline(place)
        let header = EncodedHeader()
        decoder.pipeline.onElementAdded { header.watch($0) }
        decoder.play()
        let deadline = Deadline(seconds: seconds)
        guard let first = try decoder.nextSample(location, deadline, isCancelled) else {
            if isCancelled() { return nil }
            throw .unreadable(location, "it contains no image")
        }
        // A file that is damaged behind a good frame counts as a picture.
        let second = header.isOfPhoto ? nil : try? decoder.nextSample(location, deadline, isCancelled)
        let isClip = second.map { header.hasDemuxer || $0.hasSize(of: first) } ?? false
        let tagged = decoder.orientation.snapshot()
        if isClip { return StillPicture(first, tagged, isClip: true) }
        let decoded = header.isDeepOpaquePNG ? PNG16Workaround.repaired(first) ?? first : first
        let bytes = header.bytes
        let profile = EmbeddedProfile.bytes(of: bytes)
        let picture = profile.flatMap { ProfileConversion.converted(decoded, from: $0) } ?? decoded
        return StillPicture(picture, ImageOrientation(exifOf: bytes) ?? tagged, isClip: false)
    }
}

/// The end of a wait, counted from the creation of this value.
private struct Deadline {
    let seconds: Int
    /// Time of `g_get_monotonic_time`.
    let end: gint64

    init(seconds: Int) {
        self.seconds = seconds
        end = g_get_monotonic_time() + gint64(seconds) * 1_000_000
    }
}

extension DecodingPipeline {
    /// Returns the next decoded frame; nil at the end, or when cancelled.
    fileprivate func nextSample(
        _ location: String, _ deadline: Deadline, _ isCancelled: () -> Bool
    ) throws(ElementError) -> GStreamer.Sample? {
        let step: UInt64 = 20_000_000
        while g_get_monotonic_time() < deadline.end {
            if isCancelled() { return nil }
            if let sample = sink.pull(within: step) { return sample }
            if let reference { throw .unreadable(location, "\(reference), whose files are not opened") }
            if let refusal { throw .refused(location, refusal) }
            if let reason = readFault ?? failure() { throw .unreadable(location, reason) }
            if sink.isAtEnd { return nil }
        }
        throw .unreadable(location, "no image arrived within \(deadline.seconds) seconds")
    }
}

extension GStreamer.Sample {
    /// Whether both have the same size; a gain map is smaller than the photo before it.
    fileprivate func hasSize(of other: GStreamer.Sample) -> Bool {
        guard let (own, others) = size, let (width, height) = other.size else { return false }
        return own == width && others == height
    }

    private var size: (width: Int, height: Int)? {
        caps.flatMap { VideoInfo($0) }.map { ($0.width, $0.height) }
    }
}

/// The first bytes that a picture's decoder receives, which contain data that the decoder leaves out.
final class EncodedHeader: Sendable {
    /// Number of bytes that are kept.
    ///
    /// EXIF data and colour profiles are in the first segments; a profile for printing has half of that size.
    private static let limit = 1 << 20
    private let header = Guarded([UInt8]())
    private let demuxer = Guarded<String?>(nil)

    /// Whether the frames come from a container.
    var hasDemuxer: Bool { demuxer.snapshot() != nil }

    /// Whether the picture is a JPEG with metadata of cameras and editors.
    ///
    /// The metadata are EXIF or XMP data, a profile, or a list of the pictures in the file (CIPA DC-007).
    /// Behind a photo there may be a gain map or another view, which are not frames of a clip. Frames of
    /// Motion JPEG have no such metadata.
    var isOfPhoto: Bool {
        guard !hasDemuxer else { return false }
        let marks = ["Exif\0", "http://ns.adobe.com/", "ICC_PROFILE\0", "MPF\0"]
        return JPEGSegment.all(of: bytes).contains { segment in
            marks.contains { segment.data.starts(with: $0.utf8) }
        }
    }

    /// The bytes received until now.
    var bytes: [UInt8] { header.snapshot() }

    /// Whether the picture is a PNG with 16 bits for each of red, green and blue, and no alpha.
    var isDeepOpaquePNG: Bool {
        let (depth, colorType) = (24, 25)
        let bytes = bytes
        guard bytes.count > colorType, bytes.starts(with: [0x89, 0x50, 0x4e, 0x47]) else { return false }
        return bytes[depth] == 16 && bytes[colorType] == 2
    }

    /// Copies the first bytes that an element receives, if it decodes pictures.
    func watch(_ element: GStreamer.Element) {
        let kind = element.classification ?? ""
        if kind.contains("Demux") { demuxer.update { $0 = kind } }
        guard kind.contains("Decoder/Image") else { return }
        element.pad("sink")?.addProbe(.buffer) { [self] info in
            guard let buffer = info.buffer else { return .ok }
            return append(buffer) ? .remove : .ok
        }
    }

    /// Adds a buffer's bytes; returns true when no more are needed.
    private func append(_ buffer: GStreamer.BufferView) -> Bool {
        buffer.withBytes { new in
            header.update { header in
                header.append(contentsOf: new.prefix(max(0, Self.limit - header.count)))
                return header.count >= Self.limit
            }
        } ?? true
    }
}

/// Pictures that not every installation of GStreamer decodes, and the command that converts them.
enum ConvertiblePicture {
    /// Returns the kind of a file and the command that converts it, as a phrase; nil for other files.
    ///
    /// - Parameter location: a path or URI from the user.
    static func advice(_ location: MediaLocation) -> String? {
        guard let path = location.path, let kind = kind(start(of: path)) else { return nil }
        let word = g_shell_quote(path).map(copyAndFree) ?? path
        return "it is \(kind): convert it first, with vips colourspace \(word) picture.png srgb"
    }

    private static func kind(_ header: [UInt8]) -> String? {
        func has(_ text: String, at place: Int = 0) -> Bool {
            header.dropFirst(place).starts(with: text.utf8)
        }
        if has("ftypavif", at: 4) || has("ftypavis", at: 4) { return "an AVIF picture" }
        if ["heic", "heix", "mif1", "msf1", "heim", "heis"].contains(where: { has("ftyp" + $0, at: 4) }) {
            return "a HEIC picture"
        }
        if has("BM") { return "a BMP picture" }
        if has("II*\0") || has("MM\0*") { return "a TIFF picture" }
        if has("\0\0\0\u{c}JXL ") || header.starts(with: [0xff, 0x0a]) { return "a JPEG XL picture" }
        if has("\0\0\0\u{c}jP  ") { return "a JPEG 2000 picture" }
        return isCMYK(header) ? "a JPEG in CMYK" : nil
    }

    private static func isCMYK(_ header: [UInt8]) -> Bool {
        guard header.starts(with: [0xff, 0xd8, 0xff]) else { return false }
        return header.withUnsafeBytes { JPEGFrame.first(in: $0) { $0.components == 4 } } != nil
    }

    private static func start(of path: String) -> [UInt8] {
        guard let file = fopen(path.fileName, "r") else { return [] }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 18)
        let count = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(count))
    }
}
