import CVips
import CommandKit

/// A picture of libvips: its header is read at once, its pixels when they are needed.
final class VipsPicture {
    let raw: UnsafeMutablePointer<VipsImage>

    /// Takes over the caller's reference.
    init(taking raw: UnsafeMutablePointer<VipsImage>) { self.raw = raw }

    deinit { g_object_unref(raw) }

    typealias Operation = (
        UnsafeMutablePointer<VipsImage>?, UnsafeMutablePointer<UnsafeMutablePointer<VipsImage>?>?
    ) -> Int32

    /// Returns the result of an operation of libvips.
    func applying(_ operation: Operation) throws(VipsFailure) -> VipsPicture {
        var result: UnsafeMutablePointer<VipsImage>?
        guard operation(raw, &result) == 0, let result else { throw VipsFailure() }
        return VipsPicture(taking: result)
    }

    var width: Int { Int(raw.pointee.Xsize) }
    var height: Int { Int(raw.pointee.Ysize) }
    var bands: Int { Int(raw.pointee.Bands) }
    var isCMYK: Bool { raw.pointee.Type == VIPS_INTERPRETATION_CMYK }
    var isDeep: Bool { raw.pointee.BandFmt != VIPS_FORMAT_UCHAR }

    var isLab: Bool { raw.pointee.Type == VIPS_INTERPRETATION_LAB }
    var sampleFormat: VipsBandFormat { raw.pointee.BandFmt }

    /// Declares that the samples, of 16 bits, are grey, red, green and blue, or inks.
    func nameSamplesOf16Bits() {
        guard !isCMYK else { return }
        raw.pointee.Type = bands < 3 ? VIPS_INTERPRETATION_GREY16 : VIPS_INTERPRETATION_RGB16
    }

    /// The picture with all samples in memory, which can be read more than once.
    var inMemory: VipsPicture {
        get throws(VipsFailure) {
            try applying { input, output in
                output?.pointee = vips_image_copy_memory(input)
                return output?.pointee == nil ? -1 : 0
            }
        }
    }

    var meanAndMaximum: (mean: Double, maximum: Double) {
        get throws(VipsFailure) {
            var (mean, maximum) = (0.0, 0.0)
            guard people_vips_mean_and_maximum(raw, &mean, &maximum) == 0 else { throw VipsFailure() }
            return (mean, maximum)
        }
    }

    /// Pixels per millimetre, horizontally and vertically.
    var resolution: (x: Double, y: Double) {
        get { (raw.pointee.Xres, raw.pointee.Yres) }
        set { (raw.pointee.Xres, raw.pointee.Yres) = (newValue.x, newValue.y) }
    }

    // MARK: - Pixels

    /// Makes a picture of these samples, row by row, in sRGB.
    convenience init(pixels: [UInt8], width: Int, height: Int, bands: Int) throws(VipsFailure) {
        guard pixels.count == width * height * bands,
            let image = vips_image_new_from_memory_copy(
                pixels, pixels.count, Int32(clamping: width), Int32(clamping: height), Int32(clamping: bands),
                VIPS_FORMAT_UCHAR)
        else { throw VipsFailure() }
        image.pointee.Type = VIPS_INTERPRETATION_sRGB
        self.init(taking: image)
    }

    /// All samples, row by row.
    var pixels: [UInt8] {
        get throws(VipsFailure) {
            guard let region = vips_region_new(raw) else { throw VipsFailure() }
            defer { g_object_unref(region) }
            let row = width * bands * Int(people_vips_bytes_of_sample(raw))
            var isDone = true
            // Strip by strip: a copy of the whole picture would take as much memory again.
            let pixels = [UInt8](unsafeUninitializedCapacity: row * height) { target, count in
                for top in stride(from: 0, to: height, by: Self.stripRows) where isDone {
                    let rows = min(Self.stripRows, height - top)
                    isDone =
                        people_vips_copy_rows(
                            region, Int32(clamping: top), Int32(clamping: rows),
                            target.baseAddress.map { $0 + top * row })
                        == 0
                }
                count = isDone ? row * height : 0
            }
            guard isDone else { throw VipsFailure() }
            return pixels
        }
    }

    /// Rows that are made at once; decoders of JPEG and PNG give 16 or fewer.
    private static let stripRows = 64

    // MARK: - Fields

    /// Returns a field of bytes, such as a colour profile; nil if the picture has no such field.
    func bytes(_ field: String) -> [UInt8]? {
        var (data, count) = (UnsafeRawPointer?.none, 0)
        guard vips_image_get_typeof(raw, field) != 0, vips_image_get_blob(raw, field, &data, &count) == 0,
            let data
        else { return nil }
        return Array(UnsafeRawBufferPointer(start: data, count: count))
    }

    /// Sets a field of bytes.
    func set(_ field: String, to bytes: [UInt8]) {
        vips_image_set_blob_copy(raw, field, bytes, bytes.count)
    }

    /// Sets a field with a number.
    func set(_ field: String, to number: Int32) { vips_image_set_int(raw, field, number) }

    func int(_ field: String) -> Int? {
        var number: Int32 = 0
        guard vips_image_get_typeof(raw, field) != 0, vips_image_get_int(raw, field, &number) == 0 else {
            return nil
        }
        return Int(number)
    }

    /// Returns a field with a text; nil if the picture has no such field.
    func text(_ field: String) -> String? {
        var text: UnsafePointer<CChar>?
        guard vips_image_get_typeof(raw, field) != 0, vips_image_get_string(raw, field, &text) == 0, let text
        else { return nil }
        return String(cString: text)
    }

    func remove(_ field: String) { _ = vips_image_remove(raw, field) }

    /// The names of all fields.
    var fields: [String] {
        guard let list = vips_image_get_fields(raw) else { return [] }
        defer { g_strfreev(list) }
        var (names, next) = ([String](), list)
        while let name = next.pointee {
            names.append(String(cString: name))
            next += 1
        }
        return names
    }

    /// Copies a field of another picture.
    func copy(_ field: String, of other: VipsPicture) {
        var value = GValue()
        guard vips_image_get(other.raw, field, &value) == 0 else { return vips_error_clear() }
        vips_image_set(raw, field, &value)
        g_value_unset(&value)
    }
}

/// The failure of an operation of libvips.
struct VipsFailure: Error {
    let reason: String

    /// Takes the reason from libvips's error buffer.
    init() {
        let text = vips_error_buffer().map { String(cString: $0) } ?? ""
        vips_error_clear()
        // Each function on the way out adds a line; the first line is the failed one's.
        let first = text.split(separator: "\n").first.map(String.init) ?? "libvips does not say why"
        reason = first.hasSuffix(".") ? String(first.dropLast()) : first
    }
}

/// Faults of a file that are no errors.
enum DamageTolerance {
    /// Everything that is missing is an error.
    case none
    /// Warnings of the decoder are errors, too.
    case strict
    /// All that can be read is taken.
    case full

    fileprivate var level: VipsFailOn {
        switch self {
        case .none: VIPS_FAIL_ON_TRUNCATED
        case .strict: VIPS_FAIL_ON_WARNING
        case .full: VIPS_FAIL_ON_NONE
        }
    }
}

/// Access to libvips, initialised at first use.
enum Vips {
    /// Whether libvips is ready; it may use only the loaders of the known kinds, because others start
    /// programs or interpreters.
    private static let isReady: Bool = {
        guard people_vips_init("gst-people") == 0 else { return false }
        vips_cache_set_max(0)
        vips_operation_block_set("VipsForeignLoad", 1)
        for kind in PictureKind.allCases where kind != .bmp { vips_operation_block_set(kind.loader, 0) }
        return true
    }()

    /// Forgets errors of earlier work, so that the reason of a failure is never that of another file.
    static func forgetErrors() { if isReady { vips_error_clear() } }

    /// Loads the picture in a file's bytes, which must stay in place as long as the picture is used.
    ///
    /// - Parameter tolerance: faults of the file that are no errors.
    static func load(
        _ bytes: UnsafeRawBufferPointer, _ kind: PictureKind, _ tolerance: DamageTolerance = .none
    ) throws(VipsFailure) -> VipsPicture {
        guard isReady else { throw VipsFailure() }
        forgetErrors()
        if kind == .bmp { vips_operation_block_set(kind.loader, 0) }
        if let image = people_vips_load(bytes.baseAddress, bytes.count, tolerance.level) {
            return VipsPicture(taking: image)
        }
        // ImageMagick reads samples that libvips does not know, such as floating-point numbers of 16 bits.
        let failure = VipsFailure()
        guard kind == .tiff else { throw failure }
        vips_operation_block_set(PictureKind.bmp.loader, 0)
        guard let image = people_vips_load_by_magick(bytes.baseAddress, bytes.count) else {
            vips_error_clear()
            throw failure
        }
        return VipsPicture(taking: image)
    }
}
