import CommandKit
import GStreamerKit

/// A size, frame rate and format in which a camera delivers frames.
struct CameraMode {
    /// `video/x-raw` or `image/jpeg`.
    let type: String
    /// The pixel format of raw frames; nil for other frames.
    let format: String?
    let width: Int
    let height: Int
    let rate: (numerator: Int, denominator: Int)

    /// Makes the mode of fixed caps.
    init?(_ caps: GStreamer.Caps) {
        guard let fields = caps.fields, let width = fields.int("width"), let height = fields.int("height"),
            let rate = fields.fraction("framerate")
        else { return nil }
        (type, format) = (fields.name, fields.string("format"))
        (self.width, self.height, self.rate) = (width, height, rate)
    }

    /// The mode as caps in a pipeline description.
    ///
    /// Other fields are left out: a driver need not accept all that it lists.
    var caps: String {
        "\(type),width=\(width),height=\(height),framerate=\(rate.numerator)/\(rate.denominator)"
            + (format.map { ",format=\($0)" } ?? "")
    }

    /// The caps of the mode's frames after decoding.
    var rawCaps: String {
        type == "image/jpeg"
            ? "video/x-raw,width=\(width),height=\(height),framerate=\(rate.numerator)/\(rate.denominator)"
            : caps
    }

    /// Elements that decode the mode's frames, as a pipeline description.
    var decoder: String { type == "image/jpeg" ? "jpegdec ! videoconvert" : "videoconvert" }

    /// Elements that convert raw frames to this mode, as a pipeline description.
    var adapter: String {
        "videoscale ! videorate ! videoconvert ! capsfilter caps=\(rawCaps),pixel-aspect-ratio=1/1"
            + (type == "image/jpeg" ? " ! jpegenc" : "")
    }

    /// The mode for users: `YUY2 640x480 at 30 frames/s`.
    var summary: String {
        let rate = (Double(rate.numerator) / Double(rate.denominator)).shortText
        return "\(format ?? "JPEG") \(width)x\(height) at \(rate) frames/s"
    }

    // MARK: - Choice

    /// Returns the best of a camera's modes; nil if none has this size.
    ///
    /// Raw frames are preferred at 24 frames per second or more, else JPEG. Many cameras have the bandwidth
    /// for raw frames only at small sizes or low rates.
    static func best(of offered: GStreamer.Caps, size: (width: Int, height: Int)?) -> CameraMode? {
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

    /// Returns the mode nearest to the usual one for each structure of the wanted caps.
    private static func usualModes(of offered: GStreamer.Caps, _ wanted: String) -> [CameraMode] {
        guard let wanted = GStreamer.Caps(wanted), let common = offered.intersection(wanted) else {
            return []
        }
        return (0..<common.count).compactMap { index in
            // A source of any caps has no information about its sizes.
            guard let fields = common.fields(at: index), fields.has("width"), fields.has("height") else {
                return nil
            }
            let nearest = common.fixated(
                at: index, nearest: [("width", usual.width), ("height", usual.height)],
                fractions: [("framerate", usual.rate)])
            return nearest.flatMap { CameraMode($0) }
        }
    }

    /// Distance from the usual mode: first in pixels, then in frames per second.
    private var distance: (Int, Double) {
        (
            abs(width * height - Self.usual.width * Self.usual.height),
            abs(Double(rate.numerator) / Double(rate.denominator) - Double(Self.usual.rate))
        )
    }
}
