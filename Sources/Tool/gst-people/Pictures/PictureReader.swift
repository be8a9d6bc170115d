import CVips
import CommandKit
import FileNames
import Files
import Glibc

/// Reads still pictures with libvips.
enum PictureReader {
    /// Maximum number of pixels of a picture, 16384 x 16384: more than any camera takes at once.
    private static let maximumPixels = 1 << 28
    /// Limits to the memory that reading a picture may take, and what is done with larger ones.
    struct Limits {
        /// Maximum number of pixels; larger pictures are errors.
        var pixels = maximumPixels
        /// Maximum width and height, to which larger pictures are shrunk while they are decoded; nil for any.
        var side: Int32?
        /// Whether missing parts of damaged files are a note, not an error.
        var acceptsDamage = false
        /// A turn of the upright picture.
        var turn = PictureTurn()
    }

    /// Maximum size of a file in bytes: 1 GiB.
    private static let maximumBytes = 1 << 30

    /// Returns the kind of a picture file; nil for a video, and for kinds that libvips does not read here.
    ///
    /// - Throws: for a picture that has to be converted first.
    static func kind(of path: String, named name: String? = nil) throws(ToolError) -> PictureKind? {
        try checkInput(path)
        return try kind(FileSystem.start(of: path, count: PictureKind.headerLength), name ?? path)
    }

    private static func kind(_ header: [UInt8], _ path: String) throws(ToolError) -> PictureKind? {
        if let foreign = ForeignPicture(path: path, header) {
            let command = foreign.conversion(of: FileSystem.shellWord(path))
            throw ToolError(
                .input, "\(path) is \(foreign.kind), which is not read here. Convert it first: \(command)")
        }
        return PictureKind(header)
    }

    /// Reads a picture and turns it upright; nil for a file that is no picture.
    ///
    /// - Parameter name: name of the file in messages; nil for its path.
    static func read(
        _ path: String, named name: String? = nil, _ limits: Limits = Limits()
    ) throws(ToolError) -> Picture? {
        let name = name ?? path
        guard let kind = try kind(of: path, named: name) else { return nil }
        return try WatchedWork.run(name, "while it is read") { () throws(ToolError) in
            try read(FileBytes(path, maximum: maximumBytes), name, kind, limits)
        }
    }

    /// Reads the bytes of a picture's file and turns the picture upright; nil for other files.
    ///
    /// - Parameter name: name of the file in messages.
    static func read(
        _ bytes: [UInt8], named name: String, _ limits: Limits = Limits()
    ) throws(ToolError) -> Picture? {
        guard let kind = try kind(Array(bytes.prefix(PictureKind.headerLength)), name) else { return nil }
        return try WatchedWork.run(name, "while it is read") { () throws(ToolError) in
            try read(FileBytes(bytes), name, kind, limits)
        }
    }

    private static func read(
        _ file: FileBytes, _ path: String, _ kind: PictureKind, _ limits: Limits
    ) throws(ToolError) -> Picture {
        let coded = CodedColors(file.bytes, kind)
        if let range = coded?.highDynamicRange { throw .highDynamicRange(path, range) }
        let fatal = people_vips_begin_quiet()
        defer { people_vips_end_quiet(fatal) }
        do throws(VipsFailure) {
            return try decode(file, kind, coded, limits, .none)
        } catch {
            guard let part = part(of: file, kind, coded, limits, error) else {
                throw failure(error, path, kind)
            }
            return part
        }
    }

    private static func decode(
        _ file: FileBytes, _ kind: PictureKind, _ coded: CodedColors?, _ limits: Limits,
        _ tolerance: DamageTolerance
    ) throws(VipsFailure) -> Picture {
        let stored = try Vips.load(file.bytes, kind, tolerance)
        guard stored.width * stored.height <= limits.pixels else {
            let maximum = limits.pixels / 1_000_000
            throw VipsFailure(
                "it is too large (\(stored.width)x\(stored.height) pixels; \(maximum) million are the maximum)"
            )
        }
        var notes: [String] = []
        var colors = try StillColors.convert(stored, coded, &notes)
        if let side = limits.side, max(stored.width, stored.height) > Int(side) {
            colors = try colors.applying { people_vips_shrink($0, $1, side) }
        }
        if stored.isDeep {
            notes.append("the picture has more than 8 bits per sample, and is read with 8")
        }
        notes += OtherPictures.notes(stored, file.bytes, kind)
        return try picture(colors, notes, limits.turn)
    }

    /// Returns what can be read of a file that is not whole; nil where that is nothing, or not wanted.
    ///
    /// A JPEG that lacks only its end mark is read whole.
    private static func part(
        of file: FileBytes, _ kind: PictureKind, _ coded: CodedColors?, _ limits: Limits,
        _ failure: VipsFailure
    ) -> Picture? {
        defer { Vips.forgetErrors() }
        if kind == .jpeg, JPEGEnd.isMissing(file.bytes) {
            let closed = FileBytes(Array(file.bytes) + [0xff, 0xd9])
            if let whole = try? decode(closed, kind, coded, limits, .strict) {
                return whole.noting("the file lacks its end mark; the picture is whole")
            }
        }
        guard limits.acceptsDamage else { return nil }
        let padded: [UInt8]? =
            switch kind {
            // Decoders of WebP need as many bytes as the header names.
            case .webp: WebPLength.padded(file.bytes)
            // Those of TIFF need each strip, which may be stored in any order.
            case .tiff: Array(file.bytes) + [UInt8](repeating: 0, count: file.bytes.count)
            default: nil
            }
        return (try? decode(padded.map { FileBytes($0) } ?? file, kind, coded, limits, .full))?.noting(
            "the file is damaged or truncated (\(failure.reason)): what is missing is gray, black or noise")
    }

    private static func failure(_ failure: VipsFailure, _ path: String, _ kind: PictureKind) -> ToolError {
        // Newer systems have the decoders of HEIC and AVIF in separate packages.
        guard kind == .heif, failure.reason.contains("nsupported") else {
            return ToolError(.input, "\(path) cannot be read: \(failure.reason).")
        }
        return ToolError(
            .missing,
            "\(path) cannot be read: \(failure.reason). Install its decoder: "
                + "apt-get install libheif-plugin-libde265 libheif-plugin-dav1d")
    }

    /// Decodes the whole picture.
    private static func picture(
        _ colors: VipsPicture, _ notes: [String], _ turn: PictureTurn
    ) throws(VipsFailure) -> Picture {
        // Rows are decoded in order, but turning needs random access.
        let upright = try colors.inMemory.applying { people_vips_upright($0, $1) }
        let metadata = PictureMetadata(of: upright)
        let turned = try turn.applied(to: upright)
        return Picture(
            width: turned.width, height: turned.height, pixels: try turned.pixels,
            hasAlpha: turned.bands == 4, metadata: metadata, notes: notes + metadata.notes)
    }
}

extension VipsFailure {
    init(_ reason: String) { self.reason = reason }
}

extension ToolError {
    fileprivate static func highDynamicRange(_ path: String, _ range: String) -> ToolError {
        ToolError(
            .input,
            "\(path) has high dynamic range (\(range)), which photos here do not keep. "
                + "Convert it to standard range first: ffmpeg -i \(FileSystem.shellWord(path)) -vf "
                + "zscale=t=linear:npl=100,tonemap=hable,zscale=p=bt709:t=iec61966-2-1:m=gbr,format=rgb24 sdr.png"
        )
    }
}

/// The bytes of a file.
final class FileBytes {
    let bytes: UnsafeRawBufferPointer

    /// Reads a file.
    ///
    /// - Throws: when the file cannot be read, or has more than `maximum` bytes.
    init(_ path: String, maximum: Int) throws(ToolError) {
        let descriptor = open(path.fileName, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw .unreadable(path) }
        defer { close(descriptor) }
        var status = stat()
        guard fstat(descriptor, &status) == 0 else { throw .unreadable(path) }
        guard status.st_size <= maximum else {
            throw ToolError(.input, "\(path) cannot be read: it has more than \(maximum >> 20) MiB.")
        }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: Int(status.st_size) + 1, alignment: 16)
        let count = Descriptor.read(into: memory, from: descriptor)
        guard count >= 0 else {
            memory.deallocate()
            throw .unreadable(path)
        }
        bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<count])
    }

    /// Copies bytes.
    init(_ copied: [UInt8]) {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: copied.count + 1, alignment: 16)
        memory.copyBytes(from: copied)
        bytes = UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(memory)[..<copied.count])
    }

    deinit { bytes.deallocate() }
}

extension ToolError {
    fileprivate static func unreadable(_ path: String) -> ToolError {
        ToolError(.input, "\(path) cannot be read: \(String(cString: strerror(errno))).")
    }
}
