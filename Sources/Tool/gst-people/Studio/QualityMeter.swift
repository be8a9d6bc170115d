import CommandKit
import GStreamerKit
import Synchronization

/// A measurement of the frames per second that this machine reaches at "Fine", beside the live picture.
///
/// It takes a second after the model is loaded. "Fast" runs everywhere, and "Finest" takes ten times the work of "Fine".
final class QualityMeter {
    private let pipeline: GStreamer.Pipeline
    /// The frames since the first one, and the times of the first and of the newest one in nanoseconds.
    private let passed: Passed
    private let began = ContinuousClock.now

    private final class Passed: Sendable {
        private let state = Mutex<(frames: Int, first: UInt64, last: UInt64)?>(nil)

        func note() {
            let now = GStreamer.systemTime
            state.withLock { state in
                state = state.map { ($0.frames + 1, $0.first, now) } ?? (0, now, now)
            }
        }

        var reading: (frames: Int, seconds: Double)? {
            state.withLock { $0.map { ($0.frames, Double($0.last - $0.first) / 1e9) } }
        }
    }

    /// Seconds that are measured.
    private static let duration = 1.0
    /// Time after which a machine that has not finished counts as slow, loading included.
    private static let patience = Duration.seconds(15)
    /// Frames per second at which "Fine" is chosen: twice those of a camera, since a call takes its share.
    private static let sufficient = 60.0

    /// Starts the measurement.
    init() throws(ToolError) {
        let passed = Passed()
        pipeline = try .make()
        let chain = try pipeline.add(
            chain:
                "videotestsrc pattern=ball ! capsfilter caps=video/x-raw,format=I420,width=1280,height=720 "
                + "! personsegment quality=balanced ! identity name=out ! fakesink sync=false", hasEnds: false
        )
        chain.element(named: "out")?.pad("src")?.onBuffer { _ in passed.note() }
        self.passed = passed
        pipeline.element.setState(.playing)
    }

    deinit { pipeline.element.setState(.null) }

    /// The level to choose, and the reason as a sentence; nil while it is being measured.
    var result: (level: String, reason: String)? {
        let reading = passed.reading ?? (0, 0)
        guard reading.seconds >= Self.duration || ContinuousClock.now - began > Self.patience else {
            return nil
        }
        let rate = reading.seconds > 0 ? Double(reading.frames) / reading.seconds : 0
        let isSufficient = rate >= Self.sufficient
        let chosen = isSufficient ? "Fine" : "Fast"
        return (
            isSufficient ? "balanced" : "fast",
            "“\(chosen)” was chosen: this machine reaches \(rate.text(decimals: 0)) frames/s at “Fine”."
        )
    }
}
