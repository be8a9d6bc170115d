import Imaging
import PeopleVision

/// The parts and the inputs of a measurement.
struct Options {
    enum Part: String { case stages, elements, limits, people, streams, live }

    static let help = """
        people-bench [stages | elements | limits | people | streams | live] [--size WxH,...] [--format F,...] [--quality Q,...] [--frames N] [--rate N]
                     [--photos FILE,...]

        stages    sampling, inference and blending by themselves
        elements  the plugin's elements inside a pipeline; needs the plugin: eval "$(pipelines/env)"
        limits    elements beside the bare inferences of their models: CPU time a frame, and their ratio; needs the plugin, too
        people    mask, body, face and hands of each person by one request, beside four requests: CPU time and what is found,
                  the clip as a video and as stills, the portrait; --photos FILE,... takes these pictures instead
        streams   1, 2, 4, 8 and 16 personsegments in one process: throughput, slowest frames, memory
        live      behind a camera's source, beside 0, 1 and 3 busy threads for each core: frames in, analysed and shown;
                  frames with a mask of their own; those whose mask has moved along from an earlier frame, and the mean time since
                  that one; latency; --rate N frames a second (30)

        Without a part stages and elements are measured. Defaults: --size 640x360,1280x720,1920x1080 (live: 1280x720)
        --format I420,NV12,YUY2,BGRx --quality fast,balanced --frames 60
        """

    private(set) var parts: [Part] = []
    private(set) var wantsHelp = false
    private(set) var sizes = [(640, 360), (1280, 720), (1920, 1080)].map { Size2D(width: $0.0, height: $0.1) }
    private(set) var liveSizes = [Size2D(width: 1280, height: 720)]
    private(set) var formats: [PixelFormat] = [.i420, .nv12, .yuy2, .bgrx]
    private(set) var qualities: [GeneratePersonSegmentationRequest.QualityLevel] = [.fast, .balanced]
    private(set) var frames = 60
    /// Pictures on which people are measured.
    private(set) var photos: [String] = []
    /// Frame rate of the camera, per second.
    private(set) var frameRate = 30

    init(_ arguments: some Sequence<String>) throws {
        var rest = arguments.makeIterator()
        while let argument = rest.next() {
            switch argument {
            case "--help", "-h": wantsHelp = true
            case "--size":
                sizes = try Self.list(rest.next(), of: "size", Size2D.init)
                liveSizes = sizes
            case "--format": formats = try Self.list(rest.next(), of: "format") { PixelFormat(rawValue: $0) }
            case "--quality": qualities = try Self.list(rest.next(), of: "quality") { .init(rawValue: $0) }
            case "--frames": frames = try Self.list(rest.next(), of: "number of frames") { Int($0) }[0]
            case "--photos": photos = try Self.list(rest.next(), of: "picture") { $0 }
            case "--rate": frameRate = try Self.list(rest.next(), of: "rate") { Int($0) }[0]
            default: parts.append(try Self.list(argument, of: "part") { Part(rawValue: $0) }[0])
            }
        }
        guard (1...1000).contains(frameRate) else { throw BenchError("--rate must be 1 to 1000") }
        guard frames > 0 else { throw BenchError("--frames must be at least 1") }
    }

    func wants(_ part: Part) -> Bool {
        parts.isEmpty ? [.stages, .elements].contains(part) : parts.contains(part)
    }

    private static func list<Item>(
        _ text: String?, of kind: String, _ parse: (String) -> Item?
    ) throws -> [Item] {
        let items = try (text ?? "").split(separator: ",").map { word in
            guard let item = parse(String(word)) else {
                throw BenchError("\"\(word)\" is no \(kind); see --help")
            }
            return item
        }
        guard !items.isEmpty else { throw BenchError("a \(kind) is missing; see --help") }
        return items
    }
}

/// The size of an image in pixels, written 1280x720.
struct Size2D: CustomStringConvertible {
    let width: Int
    let height: Int

    init(width: Int, height: Int) {
        self.width = width
        self.height = height
    }

    init?(_ text: String) {
        let numbers = text.split(separator: "x").compactMap { Int($0) }
        let sides = 1...ImageView.maximumSide
        guard numbers.count == 2, numbers.allSatisfy(sides.contains) else { return nil }
        self.init(width: numbers[0], height: numbers[1])
    }

    var description: String { "\(width)x\(height)" }
}

/// The reason why a measurement failed.
struct BenchError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}
