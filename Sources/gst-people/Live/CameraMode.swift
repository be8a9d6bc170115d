import CGStreamer
import CommandKit

/// A size, frame rate and format in which a camera delivers pictures.
struct CameraMode {
    /// `video/x-raw` or `image/jpeg`.
    let type: String
    /// Of raw pictures.
    let format: String?
    let width: Int
    let height: Int
    let rate: (numerator: Int, denominator: Int)

    /// The mode of fixed caps.
    init?(_ fields: UnsafePointer<GstStructure>) {
        var (width, height, numerator, denominator): (gint, gint, gint, gint) = (0, 0, 0, 0)
        guard let type = gst_structure_get_name(fields),
            gst_structure_get_int(fields, "width", &width) != 0,
            gst_structure_get_int(fields, "height", &height) != 0,
            gst_structure_get_fraction(fields, "framerate", &numerator, &denominator) != 0
        else { return nil }
        self.type = String(cString: type)
        format = gst_structure_get_string(fields, "format").map { String(cString: $0) }
        (self.width, self.height) = (Int(width), Int(height))
        rate = (Int(numerator), max(1, Int(denominator)))
    }

    /// As caps in a launch line.
    ///
    /// What else a driver lists, it need not accept.
    var caps: String {
        "\(type),width=\(width),height=\(height),framerate=\(rate.numerator)/\(rate.denominator)"
            + (format.map { ",format=\($0)" } ?? "")
    }

    /// For users: `YUY2 640x480 at 30 frames/s`.
    var summary: String {
        let rate = (Double(rate.numerator) / Double(rate.denominator)).shortText
        return "\(format ?? "JPEG") \(width)x\(height) at \(rate) frames/s"
    }

    // MARK: - Choice

    /// The best of a camera's modes; nil if it has none of this size.
    ///
    /// Raw pictures at 24 frames per second or more, else JPEG. Many cameras have the bandwidth for raw pictures only
    /// when they are small or slow.
    static func best(of offered: Caps, size: (width: Int, height: Int)?) -> CameraMode? {
        let atSize = size.map { ",width=\($0.width),height=\($0.height)" } ?? ""
        let (fast, any) = ("framerate=[24/1,2147483647/1]", "framerate=[1/1,2147483647/1]")
        for wanted in [
            "video/x-raw,\(fast)", "image/jpeg,\(fast)", "image/jpeg,\(any)", "video/x-raw,\(any)",
        ] {
            let modes = usualModes(of: offered, wanted + atSize)
            if let best = modes.min(by: { $0.distance < $1.distance }) { return best }
        }
        return nil
    }

    private static let usual = (width: 1280, height: 720, rate: 30)

    /// For each of the caps that are wanted its mode nearest to the usual one.
    private static func usualModes(of offered: Caps, _ wanted: String) -> [CameraMode] {
        guard let wanted = gst_caps_from_string(wanted) else { return [] }
        defer { gst_caps_unref(wanted) }
        guard let common = gst_caps_intersect(offered, wanted) else { return [] }
        defer { gst_caps_unref(common) }
        return (0..<gst_caps_get_size(common)).compactMap { index in
            guard let fields = gst_structure_copy(gst_caps_get_structure(common, index)) else { return nil }
            defer { gst_structure_free(fields) }
            // A source of any caps says nothing of its sizes.
            guard gst_structure_has_field(fields, "width") != 0,
                gst_structure_has_field(fields, "height") != 0
            else { return nil }
            gst_structure_fixate_field_nearest_int(fields, "width", gint(usual.width))
            gst_structure_fixate_field_nearest_int(fields, "height", gint(usual.height))
            gst_structure_fixate_field_nearest_fraction(fields, "framerate", gint(usual.rate), 1)
            gst_structure_fixate(fields)
            return CameraMode(fields)
        }
    }

    /// From the usual mode: first in pixels, then in frames per second.
    private var distance: (Int, Double) {
        (
            abs(width * height - Self.usual.width * Self.usual.height),
            abs(Double(rate.numerator) / Double(rate.denominator) - Double(Self.usual.rate))
        )
    }
}
