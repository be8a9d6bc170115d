import CommandKit
import MediaFiles

/// Display aspects of a broadcast's pictures, which change with programs and advertisements.
///
/// Since version 7, ffmpeg gives all frames the pixel aspect of the first one. Key frames by themselves have their own.
struct PictureShapes: Sendable {
    /// A time from which on pictures have another size or aspect than before.
    private struct Change {
        /// Time in the stream.
        let seconds: Double
        /// Width divided by height, as shown.
        let aspect: Double
    }

    /// The first key frame, and those that differ from the key frame before.
    private let changes: [Change]

    /// Shapes of a stream that keeps one.
    static let constant = PictureShapes(changes: [])

    private init(changes: [Change]) { self.changes = changes }

    /// Decodes the key frames of a stream.
    init(of media: MediaInput, stream: Int) throws(ToolError) {
        var changes: [Change] = []
        var last = ""
        _ = try FFmpeg.probe(
            [
                "-select_streams", "\(stream)", "-skip_frame", "nokey", "-show_entries",
                "frame=pts_time,width,height,sample_aspect_ratio", "-of", "csv=p=0",
            ] + media.arguments
        ) { line in
            let fields = String(cString: line).split { $0 == "," || $0.isNewline }
            guard fields.count >= 4, let seconds = Double(fields[0]), let width = Double(fields[1]),
                let height = Double(fields[2]), height > 0
            else { return }
            let shape = fields[1...3].joined(separator: ",")
            guard shape != last else { return }
            last = shape
            let pixel = Rational(String(fields[3]))?.value ?? 1
            changes.append(Change(seconds: seconds, aspect: width * pixel / height))
        }
        self.changes = changes
    }

    /// Number of changes.
    var changeCount: Int { max(0, changes.count - 1) }

    /// Whether pictures change between two times in the stream, in seconds.
    func changes(between start: Double, and end: Double) -> Bool {
        changes.dropFirst().contains { start < $0.seconds && $0.seconds < end }
    }

    /// Returns the display aspect of the frame at a time in the stream, in seconds; nil where it never changes.
    func displayAspect(at seconds: Double) -> Double? {
        guard changeCount > 0 else { return nil }
        return (changes.last { $0.seconds <= seconds + Self.tolerance } ?? changes.first)?.aspect
    }

    /// Half a millisecond, in seconds: less than any frame lasts.
    private static let tolerance = 0.0005

    /// An expression of ffmpeg's filters for the display aspect of a frame at the time `t`.
    var displayAspect: String {
        guard changeCount > 0, let first = changes.first else { return "dar" }
        let steps = zip(changes, changes.dropFirst()).map { before, after in
            "+gte(t,\(after.seconds - Self.tolerance))*(\(after.aspect - before.aspect))"
        }
        return "\(first.aspect)" + steps.joined()
    }
}
