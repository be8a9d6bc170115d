import Foundation
import GStreamerKit
import Inference

/// Measures elements beside the bare inferences of their models: as many of them, in the same sizes, on as many threads.
///
/// Costs are those of the frames by which a long run of the packaged clip exceeds a short one, so that loading does not count.
/// The source's cost is subtracted from the element's.
struct LimitsBench {
    /// An element, and the numbers of frames of its short and its long run.
    private struct Row {
        let element: String
        var frames = (short: 20, long: 80)
    }

    private static let rows = [
        Row(element: "personsegment quality=fast", frames: (20, 140)),
        Row(element: "personsegment quality=balanced"),
        Row(element: "personsegment quality=accurate", frames: (4, 20)),
        Row(element: "subjectsegment quality=fast"),
        Row(element: "facepose", frames: (20, 140)),
        Row(element: "bodypose"),
        Row(element: "handpose"),
    ]
    /// Number of runs of each kind, of which the least counts: other work only adds.
    private static let rounds = 3
    private static let caps =
        "video/x-raw,format=I420,width=1280,height=720,pixel-aspect-ratio=1/1"

    private let log: URL

    init() throws {
        log = FileManager.default.temporaryDirectory.appending(path: "people-bench-\(getpid()).log")
        // GStreamer reads both when it is initialized.
        setenv("GST_DEBUG", "people-inference:INFO", 1)
        setenv("GST_DEBUG_FILE", log.path, 1)
        GStreamer.initialize()
        guard GStreamer.Registry.has(element: "personsegment") else {
            throw BenchError("the plugin is not on GStreamer's path; run: eval \"$(pipelines/env)\"")
        }
    }

    func run() throws {
        defer { try? FileManager.default.removeItem(at: log) }
        print(
            "elements beside the bare inferences of their models, 1280x720 I420, the packaged clip, "
                + "CPU ms a frame")
        print(
            "element                            CPU ms  inferences, ms   ratio  inferences  "
                + "of which models")
        for row in Self.rows { try measure(row) }
    }

    private func measure(_ row: Row) throws {
        let frames = row.frames.long - row.frames.short
        var (source, element) = (Series(), Series())
        for _ in 0..<Self.rounds {
            try source.add(play("", row.frames.short), play("", row.frames.long))
            try element.add(
                play("! \(row.element)", row.frames.short), play("! \(row.element)", row.frames.long))
        }
        let runs = element.runs
        let own = (element.time - source.time) / frames
        let bare = try (0..<Self.rounds).map { _ in try Self.cost(of: runs, frames: frames) }.min() ?? .zero
        let models = runs.sorted { $0.value > $1.value }.map { model, count in
            let name = URL(filePath: model.path).deletingPathExtension().lastPathComponent
            let shape = model.inputShape.map(String.init).joined(separator: "x")
            return "\(name) \(shape) \(String(format: "%.2f", Double(count) / Double(frames)))"
        }
        let count = Double(runs.values.reduce(0, +)) / Double(frames)
        print(
            row.element.padding(toLength: 32, withPad: " ", startingAt: 0)
                + String(
                    format: "%9.1f  %14.1f  %6.2f  %10.2f  ", own / .milliseconds(1), bare / .milliseconds(1),
                    own / bare, count) + models.joined(separator: ", "))
        fflush(nil)
    }

    // MARK: - Elements

    private struct Cost {
        let time: Duration
        let runs: [RunCount.Model: Int]
    }

    /// Short and long runs of one pipeline.
    private struct Series {
        private var (short, long) = (Duration.seconds(Int64.max), Duration.seconds(Int64.max))
        /// Inferences by which the last long run exceeds the short one.
        private(set) var runs: [RunCount.Model: Int] = [:]
        /// CPU time by which the fastest long run exceeds the fastest short one.
        var time: Duration { long - short }

        mutating func add(_ short: Cost, _ long: Cost) {
            (self.short, self.long) = (min(self.short, short.time), min(self.long, long.time))
            runs = long.runs.merging(short.runs) { $0 - $1 }.filter { $0.value > 0 }
        }
    }

    private func play(_ element: String, _ frames: Int) throws -> Cost {
        let before = try logged().count
        let time = try cpuTime {
            // Decoding stops with the last frame, so that no thread is ahead of it.
            _ = try Stopwatch.run(
                "filesrc location=\(ElementBench.clip) ! decodebin ! videoconvert ! videoscale ! \(Self.caps) ! "
                    + "identity eos-after=\(frames + 1) \(element) ! fakesink", of: [])
        }
        var runs: [RunCount.Model: Int] = [:]
        for line in try logged().dropFirst(before) {
            guard let count = RunCount(line) else { continue }
            runs[count.model, default: 0] += count.count
        }
        return Cost(time: time, runs: runs)
    }

    private func logged() throws -> [Substring] {
        guard FileManager.default.fileExists(atPath: log.path) else { return [] }
        return try String(contentsOf: log, encoding: .utf8).split(separator: "\n")
    }

    // MARK: - Inferences

    /// Returns the CPU time a frame of `runs`, which are spread evenly over the frames.
    private static func cost(of runs: [RunCount.Model: Int], frames: Int) throws -> Duration {
        let requests = try runs.map { model, count in (request: try request(of: model), count: count) }
        for (request, _) in requests { try request.run() }
        let time = try cpuTime {
            for frame in 0..<frames {
                for (request, count) in requests {
                    for _ in (count * frame / frames)..<(count * (frame + 1) / frames) { try request.run() }
                }
            }
        }
        return time / frames
    }

    /// Returns a request of a model whose input is noise in the model's range.
    private static func request(of model: RunCount.Model) throws -> InferenceRequest {
        let info = try ModelStore().model(atPath: model.path, like: "")
        var options = ComputeOptions()
        options.parallelism = model.parallelism
        let sides = info.input.layout == .nchw ? model.inputShape.dropFirst(2) : model.inputShape.dropFirst()
        let (height, width) = (sides.first, sides.dropFirst().first)
        let request = try InferenceRequest(
            Engine.shared.compiledModel(info, width: width, height: height, options: options))
        var random = SystemRandomNumberGenerator()
        for index in request.input.indices {
            request.input[index] = Float.random(in: info.input.range, using: &random)
        }
        return request
    }
}
