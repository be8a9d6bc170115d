import Foundation
import GStreamerKit
import PeopleVision

/// Measures whole elements in a running pipeline: the time from a buffer's arrival at the sink pad to its
/// departure from the source pad, which both happen on one thread.
struct ElementBench {
    /// Properties of `blendmask`, one row each.
    private static let blends = [
        "background-source=original", "background-color=0xff00b140", "blur=50", "exposure=-1 desaturate=0.5",
        "halo-width=1", "shadow-opacity=0.5", "background-source=transparent", "show=mask",
    ]

    /// Properties of `facepose`, one row each.
    private static let faces = ["landmarks=false", "capture-quality=true", "draw=all"]

    /// Properties of `bodypose`, one row each.
    private static let bodies = ["draw=none", "pose-3d=true draw=all"]

    /// Properties of `handpose`, one row each.
    private static let hands = ["draw=none", "pose-3d=true draw=all"]

    /// The portrait of the set-up, with one face.
    static let portrait = media("astronaut.png")
    /// The clip of the set-up: three people who look around, for about fourteen seconds.
    static let clip = media("demovideo.mp4")

    private static func media(_ name: String) -> String {
        let setup = ProcessInfo.processInfo.environment["GST_PEOPLE_SETUP_DIR"] ?? ".gst-people"
        return "\(setup)/media/\(name)"
    }

    /// Returns the first frames of the clip, converted to `caps`.
    static func frames(_ caps: String, count: Int) throws -> [GStreamer.Sample] {
        let description =
            "filesrc location=\(clip) ! decodebin ! videoconvert ! videoscale ! \(caps) ! "
            + "identity eos-after=\(count + 1) ! appsink name=frames sync=false"
        var frames: [GStreamer.Sample] = []
        try Stopwatch.watch(description, of: []) { pipeline, _ in
            let sink = GStreamer.AppSink(try Stopwatch.element("frames", in: pipeline))
            pipeline.element.setState(.playing)
            while let frame = sink?.pull() { frames.append(frame) }
        }
        guard !frames.isEmpty else { throw BenchError("\(clip) cannot be decoded; run pipelines/setup") }
        return frames
    }

    /// Returns a picture at its own size.
    static func photo(_ path: String, _ format: PixelFormat) throws -> GStreamer.Sample {
        let description =
            "filesrc name=file ! decodebin ! videoconvert ! video/x-raw,format=\(format.rawValue) ! appsink name=frames sync=false"
        let photo = try Stopwatch.watch(description, of: []) { pipeline, _ in
            pipeline.element.element(named: "file")?.set("location", parsing: path)
            pipeline.element.setState(.playing)
            return GStreamer.AppSink(try Stopwatch.element("frames", in: pipeline))?.pull()
        }
        guard let photo else { throw BenchError("\(path) cannot be decoded") }
        return photo
    }

    private let options: Options

    init(_ options: Options) throws {
        self.options = options
        GStreamer.initialize()
        guard GStreamer.Registry.has(element: "personsegment") else {
            throw BenchError("the plugin is not on GStreamer's path; run: eval \"$(pipelines/env)\"")
        }
    }

    func run() throws {
        for size in options.sizes {
            for format in options.formats {
                for quality in options.qualities {
                    try time(
                        "personsegment quality=\(quality.rawValue)", ahead: "", size, format.rawValue, quality
                    )
                    try timeClip("personsegment quality=\(quality.rawValue)", size, format.rawValue)
                    try time(
                        "personsegment quality=\(quality.rawValue) instance-masks=true", ahead: "", size,
                        format.rawValue, quality)
                    try timeClip(
                        "personsegment quality=\(quality.rawValue) instance-masks=true", size, format.rawValue
                    )
                }
                try timeFaces("subjectsegment quality=fast", size, format.rawValue)
                try timeClip("subjectsegment quality=fast", size, format.rawValue)
                for properties in Self.faces {
                    try timeFaces("facepose \(properties)", size, format.rawValue)
                }
                try timeClip("facepose", size, format.rawValue)
                for properties in Self.bodies {
                    try timeFaces("bodypose \(properties)", size, format.rawValue)
                }
                try timeClip("bodypose", size, format.rawValue)
                for properties in Self.hands {
                    try timeFaces("handpose \(properties)", size, format.rawValue)
                }
                try timeClip("handpose", size, format.rawValue)
                for element in unlisted { try timeFaces(element, size, format.rawValue) }
                for properties in Self.blends {
                    try time(
                        "blendmask \(properties)", ahead: "personsegment quality=fast ! ", size,
                        format.rawValue, .fast)
                }
            }
        }
    }

    /// Elements of the plugin that have no rows of their own above.
    private var unlisted: [String] {
        let listed = [
            "personsegment", "subjectsegment", "facepose", "bodypose", "handpose", "blendmask",
        ]
        return GStreamer.Registry.elements(ofPlugin: "people").filter { !listed.contains($0) }
    }

    private static func portraitSource(_ size: Size2D, _ format: String, _ frames: Int) throws -> String {
        guard FileManager.default.fileExists(atPath: portrait) else {
            throw BenchError("\(portrait) is missing; run pipelines/setup, and this in the checkout")
        }
        return "filesrc location=\(portrait) ! pngdec ! videoconvert ! videoscale ! "
            + "video/x-raw,format=\(format),width=\(size.width),height=\(size.height) ! "
            + "imagefreeze num-buffers=\(frames)"
    }

    /// Measures an element on the portrait, a still picture whose face is tracked, as faces mostly are.
    private func timeFaces(_ element: String, _ size: Size2D, _ format: String) throws {
        let source = try Self.portraitSource(size, format, options.frames + Stopwatch.warmUp)
        let stopwatch = try Stopwatch.run("\(source) ! \(element) name=timed ! fakesink", of: "timed")
        Report.row("element: \(element)", size, format, stopwatch.times)
    }

    /// Measures an element on the clip, in which faces come, turn away and go; all frames count but the first
    /// few.
    private func timeClip(_ element: String, _ size: Size2D, _ format: String) throws {
        guard FileManager.default.fileExists(atPath: Self.clip) else {
            throw BenchError("\(Self.clip) is missing; run pipelines/setup, and this in the checkout")
        }
        let source =
            "filesrc location=\(Self.clip) ! decodebin ! videoconvert ! videoscale ! "
            + "video/x-raw,format=\(format),width=\(size.width),height=\(size.height),pixel-aspect-ratio=1/1 ! queue"
        let stopwatch = try Stopwatch.run("\(source) ! \(element) name=timed ! fakesink", of: "timed")
        Report.row("element: \(element), the packaged clip", size, format, stopwatch.times)
    }

    private func time(
        _ element: String, ahead: String, _ size: Size2D, _ format: String,
        _ quality: GeneratePersonSegmentationRequest.QualityLevel
    ) throws {
        let frames = (quality == .fast ? options.frames : min(options.frames, 10)) + Stopwatch.warmUp
        let source = try Self.portraitSource(size, format, frames)
        let stopwatch = try Stopwatch.run("\(source) ! \(ahead)\(element) name=timed ! fakesink", of: "timed")
        Report.row("element: \(element)", size, format, stopwatch.times)
    }
}
