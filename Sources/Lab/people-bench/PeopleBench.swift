import Foundation
import GStreamerKit
import PeopleVision

/// Measures the detection of people with all their parts, by one request and by the four requests that find
/// the same.
///
/// The images are frames of the packaged clip, as a stream and as single pictures, and the packaged portrait
/// or the user's pictures.
struct PeopleBench {
    private static let format = PixelFormat.i420
    /// Frame rate of the clip, per second.
    private static let rate: UInt64 = 25
    /// Number of frames before the count begins, in which models are loaded and everybody is searched for.
    private static let warmUp = 5
    /// Number of pictures taken from the clip, at equal distances.
    private static let stills = 6

    private let options: Options

    init(_ options: Options) {
        self.options = options
        GStreamer.initialize()
    }

    func run() throws {
        if !options.photos.isEmpty {
            let photos = try options.photos.map { try ElementBench.photo($0, Self.format) }
            for quality in options.qualities {
                try compare(photos, "\(photos.count) photos", quality, asStream: false)
            }
            return
        }
        for size in options.sizes {
            let caps =
                "video/x-raw,format=\(Self.format.rawValue),width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1"
            let frames = try ElementBench.frames(caps, count: options.frames + Self.warmUp)
            let step = max(1, frames.count / Self.stills)
            let stills = stride(from: 0, to: frames.count, by: step).map { frames[$0] }
            let portrait = [try ElementBench.photo(ElementBench.portrait, Self.format)]
            for quality in options.qualities {
                try compare(frames, "\(size) video", quality, asStream: true)
                try compare(stills, "\(size) stills", quality, asStream: false)
                try compare(portrait, "portrait", quality, asStream: false)
            }
        }
    }

    private func compare(
        _ frames: [GStreamer.Sample], _ what: String,
        _ quality: GeneratePersonSegmentationRequest.QualityLevel, asStream isStream: Bool
    ) throws {
        let (together, apart) = (DetectPeopleRequest(), Apart(quality, isStream: isStream))
        together.mode = isStream ? .recording : .image
        together.instances.segmentation.qualityLevel = quality
        together.maximumPeople = Apart.maximumPeople
        var (own, others) = (Cost(), Cost())
        // Before the count begins, models are loaded, and in a stream everybody is searched for.
        let warmUp = isStream ? Self.warmUp : 0
        if !isStream, let first = frames.first {
            _ = try (Self.cost(of: together, on: first, nil), apart.cost(of: first, nil))
        }
        for (index, frame) in frames.enumerated() {
            // The two take turns, so that other work of the machine slows both down alike.
            let time = isStream ? UInt64(index) * 1_000_000_000 / Self.rate : nil
            let costs = (try Self.cost(of: together, on: frame, time), try apart.cost(of: frame, time))
            guard index >= warmUp else { continue }
            own.add(costs.0)
            others.add(costs.1)
        }
        let share = Int((100 * (own.total / others.total)).rounded())
        print("\(quality.rawValue), \(what): one request takes \(share) % of the CPU time of four")
        print("  \(own)\n  \(others)")
    }

    /// The cost of images, and the numbers of findings in them.
    private struct Cost: CustomStringConvertible {
        static let names = ["masks", "bodies", "faces", "hands"]

        private var times: [Duration] = []
        private var counts: [Int] = []
        private var images = 0

        init(_ times: [Duration] = [], _ counts: [Int] = []) { (self.times, self.counts) = (times, counts) }

        var total: Duration { times.reduce(.zero, +) }

        mutating func add(_ other: Cost) {
            images += 1
            times = times.isEmpty ? other.times : zip(times, other.times).map { $0 + $1 }
            counts = counts.isEmpty ? other.counts : zip(counts, other.counts).map { $0 + $1 }
        }

        var description: String {
            let perImage = times.map { Int($0 / .milliseconds(max(1, images))) }
            let found = zip(Self.names, counts).map { "\($1) \($0)" }.joined(separator: ", ")
            return "\(perImage.map(String.init).joined(separator: " + ")) ms an image; \(found)"
        }
    }

    private static func cost(
        of request: DetectPeopleRequest, on frame: GStreamer.Sample, _ time: UInt64?
    ) throws -> Cost {
        var people: [PersonObservation] = []
        let cpu = try cpuTime {
            try withInput(frame, time) { input throws(VisionError) in people = try request.perform(on: input)
            }
        }
        return Cost(
            [cpu],
            [
                people.count { $0.instance != nil }, people.count { $0.body != nil },
                people.count { $0.face != nil },
                people.reduce(0) { $0 + $1.hands.count },
            ])
    }

    /// The four single requests.
    private struct Apart {
        static let maximumPeople = 4

        private let masks = GeneratePersonInstanceMaskRequest()
        private let bodies = DetectHumanBodyPoseRequest()
        private let faces = DetectFaceRectanglesRequest()
        private let hands = DetectHumanHandPoseRequest()

        init(_ quality: GeneratePersonSegmentationRequest.QualityLevel, isStream: Bool) {
            masks.segmentation.qualityLevel = quality
            bodies.mode = isStream ? .recording : .image
            faces.mode = isStream ? .recording : .image
            hands.mode = isStream ? .recording : .image
            hands.maximumHandCount = 2 * Self.maximumPeople
        }

        func cost(of frame: GStreamer.Sample, _ time: UInt64?) throws -> Cost {
            if time == nil { masks.reset() }
            var counts = [0, 0, 0, 0]
            let times = [
                try cpuTime {
                    try PeopleBench.withInput(frame, time) { input throws(VisionError) in
                        counts[0] = try masks.find(in: input).instances.count
                    }
                },
                try PeopleBench.time(bodies, on: frame, time, &counts[1]),
                try PeopleBench.time(faces, on: frame, time, &counts[2]),
                try PeopleBench.time(hands, on: frame, time, &counts[3]),
            ]
            return Cost(times, counts)
        }
    }

    private static func time<Request: VisionRequest>(
        _ request: Request, on frame: GStreamer.Sample, _ time: UInt64?, _ count: inout Int
    ) throws -> Duration where Request.Observation: Collection {
        try cpuTime {
            try withInput(frame, time) { input throws(VisionError) in
                count = try request.perform(on: input).count
            }
        }
    }

    /// Lends a frame to `body` as a request's input.
    ///
    /// - Parameter time: nil for a single picture.
    private static func withInput(
        _ frame: GStreamer.Sample, _ time: UInt64?, _ body: (InputFrame) throws(VisionError) -> Void
    ) throws {
        let result = frame.withImage(format) { image in
            Result { () throws(VisionError) in
                try body(InputFrame(image, nanoseconds: time, isStill: time == nil))
            }
        }
        guard let result else { throw BenchError("a frame could not be read") }
        try result.get()
    }
}
