import CommandKit
import GStreamerKit

/// A size, frame rate and format in which a camera delivers frames.
struct CameraMode {
    /// `video/x-raw` or `image/jpeg`.
    let type: String
    /// The pixel format of raw frames; nil for others.
    let format: String?
    let width: Int
    let height: Int
    let rate: (numerator: Int, denominator: Int)

    /// The mode of fixed caps.
    init?(_ caps: GStreamer.Caps) {
        guard let fields = caps.fields, let width = fields.int("width"), let height = fields.int("height"),
            let rate = fields.fraction("framerate")
        else { return nil }
        (type, format) = (fields.name, fields.string("format"))
        (self.width, self.height, self.rate) = (width, height, rate)
    }

    /// As caps in a pipeline description.
    ///
    /// What else a driver lists, it need not accept.
    var caps: String {
        "\(type),width=\(width),height=\(height),framerate=\(rate.numerator)/\(rate.denominator)"
            + (format.map { ",format=\($0)" } ?? "")
    }

    /// The caps of its frames once they are raw.
    var rawCaps: String {
        type == "image/jpeg"
            ? "video/x-raw,width=\(width),height=\(height),framerate=\(rate.numerator)/\(rate.denominator)"
            : caps
    }

    /// Elements that make raw frames of its frames, as a pipeline description.
    var decoder: String { type == "image/jpeg" ? "jpegdec ! videoconvert" : "videoconvert" }

    /// Elements that make frames of this mode of any raw frames, likewise.
    var adapter: String {
        "videoscale ! videorate ! videoconvert ! capsfilter caps=\(rawCaps),pixel-aspect-ratio=1/1"
            + (type == "image/jpeg" ? " ! jpegenc" : "")
    }

    /// For users: `YUY2 640x480 at 30 frames/s`.
    var summary: String {
        let rate = (Double(rate.numerator) / Double(rate.denominator)).shortText
        return "\(format ?? "JPEG") \(width)x\(height) at \(rate) frames/s"
    }

    // MARK: - Choice

    /// The best of a camera's modes; nil if it has none of this size.
    ///
    /// Raw frames at 24 frames per second or more, else JPEG. Many cameras have the bandwidth for raw frames only
    /// when they are small or slow.
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

    /// For each of the caps that are wanted its mode nearest to the usual one.
    private static func usualModes(of offered: GStreamer.Caps, _ wanted: String) -> [CameraMode] {
        guard let wanted = GStreamer.Caps(wanted), let common = offered.intersection(wanted) else {
            return []
        }
        return (0..<common.count).compactMap { index in
            // A source of any caps says nothing of its sizes.
            guard let fields = common.fields(at: index), fields.has("width"), fields.has("height") else {
                return nil
            }
            let nearest = common.fixated(
                at: index, nearest: [("width", usual.width), ("height", usual.height)],
                fractions: [("framerate", usual.rate)])
            return nearest.flatMap { CameraMode($0) }
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
