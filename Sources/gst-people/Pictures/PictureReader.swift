import CVips
import CommandKit
import FileNames
import Glibc

/// Reads still pictures with libvips.
enum PictureReader {
    /// Maximum number of pixels of a picture, 16384 x 16384: more than any camera takes at once.
    private static let maximumPixels = 1 << 28
    /// Maximum size of a file in bytes: 1 GiB.
    private static let maximumBytes = 1 << 30

    /// Returns the kind of a picture file; nil for a video, and for kinds that libvips does not read here.
    ///
    /// - Throws: for a picture that has to be converted first.
    static func kind(of path: String) throws(ToolError) -> PictureKind? {
        try checkInput(path)
        return try kind(FileSystem.start(of: path, count: PictureKind.headerLength), path)
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
    static func read(_ path: String) throws(ToolError) -> Picture? {
        guard let kind = try kind(of: path) else { return nil }
        return try WatchedWork.run(path, "while it is read") { () throws(ToolError) in
            try read(FileBytes(path, maximum: maximumBytes), path, kind)
        }
    }

    /// Reads the bytes of a picture's file and turns the picture upright; nil for other files.
    ///
    /// - Parameter name: name of the file in messages.
    static func read(_ bytes: [UInt8], named name: String) throws(ToolError) -> Picture? {
        guard let kind = try kind(Array(bytes.prefix(PictureKind.headerLength)), name) else { return nil }
        return try WatchedWork.run(name, "while it is read") { () throws(ToolError) in
            try read(FileBytes(bytes), name, kind)
        }
    }

    private static func read(
        _ file: FileBytes, _ path: String, _ kind: PictureKind
    ) throws(ToolError) -> Picture {
        let coded = CodedColors(file.bytes, kind)
        if let range = coded?.highDynamicRange { throw .highDynamicRange(path, range) }
        let fatal = people_vips_begin_quiet()
        defer { people_vips_end_quiet(fatal) }
        do throws(VipsFailure) {
            let stored = try Vips.load(file.bytes, kind)
            guard stored.width * stored.height <= maximumPixels else {
                throw VipsFailure("it is too large (\(stored.width)x\(stored.height) pixels)")
            }
            var notes: [String] = []
            let colors = try StillColors.convert(stored, coded, &notes)
            if stored.isDeep {
                notes.append("the picture has more than 8 bits per sample, and is read with 8")
            }
            notes += further(stored, file, kind)
            return try picture(colors, notes)
        } catch {
            throw failure(error, path, kind)
        }
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
        _ colors: VipsPicture, _ notes: [String]
    ) throws(VipsFailure) -> Picture {
        // Rows are decoded in order, but turning needs random access.
        let decoded = try colors.applying { input, output in
            output?.pointee = vips_image_copy_memory(input)
            return output?.pointee == nil ? -1 : 0
        }
        let upright = try decoded.applying { people_vips_upright($0, $1) }
        return Picture(
            width: upright.width, height: upright.height, pixels: try upright.pixels,
            hasAlpha: upright.bands == 4, metadata: PictureMetadata(of: upright), notes: notes)
    }

    /// Notes about further pictures in the file.
    private static func further(
        _ picture: VipsPicture, _ file: FileBytes, _ kind: PictureKind
    ) -> [String] {
        // Pages of JPEG 2000 are sizes of one picture.
        let count = kind == .jpeg2000 ? 1 : picture.int("n-pages") ?? 1
        if count > 1 { return ["only the first of \(count) pictures in the file is read"] }
        guard kind == .jpeg, JPEGEnd.isFollowedByMore(file.bytes) else { return [] }
        return [
            "what follows the first picture in the file (a gain map, other pictures or a clip) is left out"
        ]
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
        var count = 0
        while count < memory.count {
            let read = Glibc.read(descriptor, memory.baseAddress.map { $0 + count }, memory.count - count)
            if read < 0, errno == EINTR { continue }
            guard read >= 0 else {
                memory.deallocate()
                throw .unreadable(path)
            }
            guard read > 0 else { break }
            count += read
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
