import CommandKit
import GStreamerKit
import Synchronization

/// A measurement of the frames per second that this machine reaches at a level, beside the live picture.
///
/// It takes a second after the model is loaded. The frames show the packaged portrait, which moves: a frame without a person takes a
/// quarter of the time.
final class QualityMeter {
    /// A level that is measured, by the page's name.
    enum Level: String {
        case fine = "Fine"
        case finest = "Finest"

        fileprivate var quality: String { self == .fine ? "balanced" : "accurate" }
    }

    let level: Level
    let mode: CameraMode?
    private let pipeline: GStreamer.Pipeline
    private let passed: Passed
    private let began = ContinuousClock.now

    /// The frames that have been counted, and the time that they took.
    private final class Passed: Sendable {
        /// Frames that do not count: models are loaded and people are searched in the whole frame.
        private static let warmUp = 2

        private let state = Mutex<(frames: Int, first: UInt64, last: UInt64)>((-warmUp - 1, 0, 0))

        func note() {
            let now = GStreamer.systemTime
            state.withLock { state in
                state.frames += 1
                if state.frames <= 0 { state.first = now }
                state.last = now
            }
        }

        /// The frames after the first one that counts, and the seconds since then; nil before.
        var reading: (frames: Int, seconds: Double)? {
            state.withLock { $0.frames > 0 ? ($0.frames, Double($0.last - $0.first) / 1e9) : nil }
        }
    }

    /// Seconds that are measured.
    private static let duration = 1.0
    /// Frames after which the measurement may end earlier; the portrait has 200.
    private static let sufficientFrames = 150
    /// Time after which a machine that has not finished counts as slow, loading included.
    private static let patience = Duration.seconds(15)
    /// The frames per second that suffice, as a multiple of the camera's: a call takes its share.
    private static let reserve = 2.0
    /// Size of the frames, and their rate, where the camera tells none.
    private static let usual = (width: 1280, height: 720, rate: 30.0)

    /// Starts the measurement.
    ///
    /// - Parameter mode: the camera's; frames of its size are measured.
    /// - Returns: nil where the portrait is not installed.
    init?(_ level: Level, for mode: CameraMode?) throws(ToolError) {
        guard let portrait = SampleMedia.portrait else { return nil }
        (self.level, self.mode) = (level, mode)
        let size = "width=\(mode?.width ?? Self.usual.width),height=\(mode?.height ?? Self.usual.height)"
        let passed = Passed()
        pipeline = try .make()
        let chain = try pipeline.add(
            chain:
                "filesrc location=\(descriptionText(portrait)) ! decodebin ! videoconvert ! videoscale "
                + "! capsfilter caps=video/x-raw,format=I420,\(size),pixel-aspect-ratio=1/1 "
                + "! personsegment quality=\(level.quality) ! identity name=out ! fakesink sync=false",
            hasEnds: false
        )
        chain.element(named: "out")?.pad("src")?.onBuffer { _ in passed.note() }
        self.passed = passed
        pipeline.element.setState(.playing)
    }

    deinit { pipeline.element.setState(.null) }

    /// The level to choose, and the reason as a sentence; nil while it is being measured, or if a better one
    /// suffices already.
    var result: (quality: String, reason: String)? {
        guard let rate else { return nil }
        let reached = "this machine reaches \(rate.text(decimals: 0)) frames/s"
        if rate >= sufficient {
            return (level.quality, "“\(level.rawValue)” was chosen: \(reached) with it.")
        }
        // "Fine" has been chosen when "Finest" is measured.
        return level == .fine ? ("fast", "“Fast” was chosen: \(reached) at “Fine”.") : nil
    }

    /// Whether the measurement has ended.
    var isOver: Bool { rate != nil }

    /// Frames per second at which the level is chosen.
    private var sufficient: Double {
        let camera = mode.map { Double($0.rate.numerator) / Double(max(1, $0.rate.denominator)) }
        // A rate of 0 is a variable one.
        return Self.reserve * (camera.flatMap { $0 > 0 ? $0 : nil } ?? Self.usual.rate)
    }

    /// The frames per second that were reached; nil while they are being measured.
    private var rate: Double? {
        let reading = passed.reading ?? (0, 0)
        let suffices = reading.seconds >= Self.duration || reading.frames >= Self.sufficientFrames
        guard suffices || ContinuousClock.now - began > Self.patience else { return nil }
        return reading.seconds > 0 ? Double(reading.frames) / reading.seconds : 0
    }
}
