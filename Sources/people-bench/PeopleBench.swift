import Foundation
import GStreamerKit
import PeopleVision

/// Times people with all their parts: by one request, and by the four requests that find the same, on frames of the packaged
/// clip.
struct PeopleBench {
    private static let format = PixelFormat.i420
    /// Frames a second of the clip.
    private static let rate: UInt64 = 25
    /// Frames before the count begins, in which models are loaded and everybody is searched for.
    private static let warmUp = 5

    private let options: Options

    init(_ options: Options) {
        self.options = options
        GStreamer.initialize()
    }

    func run() throws {
        for size in options.sizes {
            let caps =
                "video/x-raw,format=\(Self.format.rawValue),width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1"
            let frames = try ElementBench.frames(caps, count: options.frames + Self.warmUp)
            for quality in options.qualities { try compare(frames, size, quality) }
        }
    }

    private func compare(
        _ frames: [GStreamer.Sample], _ size: Size2D,
        _ quality: GeneratePersonSegmentationRequest.QualityLevel
    ) throws {
        let (together, apart) = (DetectPeopleRequest(), Apart(quality))
        together.followsStream = true
        together.instances.segmentation.qualityLevel = quality
        together.maximumPeople = Apart.maximumPeople
        var (sum, sums): (Duration, [Duration]) = (.zero, [.zero, .zero, .zero, .zero])
        var (times, partTimes): ([Duration], [Duration]) = ([], [])
        for (index, frame) in frames.enumerated() {
            // In turns, so that what else the machine does slows both down alike.
            let own = try Self.cpuTime { try Self.perform(together, on: frame, index) }
            let others = try apart.times(of: frame, index)
            guard index >= Self.warmUp else { continue }
            sum += own
            for part in sums.indices { sums[part] += others[part] }
            times.append(own)
            partTimes.append(others.reduce(.zero, +))
        }
        Report.row("CPU: \(quality.rawValue) DetectPeopleRequest", size, Self.format.rawValue, times)
        Report.row("CPU: four requests", size, Self.format.rawValue, partTimes)
        let all = sums.reduce(.zero, +)
        let parts = zip(["masks", "bodies", "faces", "hands"], sums).map { name, time in
            "\(name) \(Int((100 * (time / all)).rounded()))"
        }
        print(
            "  one request takes \(Int((100 * (sum / all)).rounded())) % of the four (\(parts.joined(separator: ", ")))"
        )
    }

    /// The requests one by one.
    private struct Apart {
        static let maximumPeople = 4

        private let masks = GeneratePersonInstanceMaskRequest()
        private let bodies = DetectHumanBodyPoseRequest()
        private let faces = DetectFaceRectanglesRequest()
        private let hands = DetectHumanHandPoseRequest()

        init(_ quality: GeneratePersonSegmentationRequest.QualityLevel) {
            masks.segmentation.qualityLevel = quality
            bodies.followsStream = true
            faces.followsStream = true
            hands.followsStream = true
            hands.maximumHands = 2 * Self.maximumPeople
        }

        func times(of frame: GStreamer.Sample, _ index: Int) throws -> [Duration] {
            [
                try PeopleBench.cpuTime {
                    try PeopleBench.withInput(frame, index) { input throws(VisionError) in
                        _ = try masks.find(in: input)
                    }
                },
                try PeopleBench.cpuTime { try PeopleBench.perform(bodies, on: frame, index) },
                try PeopleBench.cpuTime { try PeopleBench.perform(faces, on: frame, index) },
                try PeopleBench.cpuTime { try PeopleBench.perform(hands, on: frame, index) },
            ]
        }
    }

    private static func perform(_ request: some VisionRequest, on frame: GStreamer.Sample, _ index: Int)
        throws
    {
        try withInput(frame, index) { input throws(VisionError) in _ = try request.perform(on: input) }
    }

    private static func withInput(
        _ frame: GStreamer.Sample, _ index: Int, _ body: (InputFrame) throws(VisionError) -> Void
    ) throws {
        let result = frame.withImage(format) { image in
            Result { () throws(VisionError) in
                try body(InputFrame(image, time: UInt64(index) * 1_000_000_000 / rate))
            }
        }
        guard let result else { throw BenchError("a frame could not be read") }
        try result.get()
    }

    /// Of all threads of the process.
    private static func cpuTime(_ body: () throws -> Void) rethrows -> Duration {
        let start = clock()
        try body()
        return .seconds(Double(clock() - start) / Double(CLOCKS_PER_SEC))
    }
}
