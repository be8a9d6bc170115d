import CommandKit
import Framing
import GStreamerKit
import Imaging

/// A video whose output shows a part of each frame.
struct FramedVideo: Sendable {
    private let plan: FramingPlan
    private let space: ShotSpace
    /// The size of the output in pixels.
    let size: (width: Int, height: Int)

    /// Makes the plan of a video, or reads it; nil if the output shows the whole frames.
    init?(_ job: Job, _ format: PictureFormat) throws(ToolError) {
        let options = job.framing
        guard options.isActive else {
            guard options.savedPlan == nil, options.sheet == nil else {
                throw .usage("--save-plan and --sheet go with --framing or --reframe")
            }
            guard options.layout == .single else { throw .usage("--layout goes with --reframe") }
            return nil
        }
        guard job.turn.filters.isEmpty else {
            throw .usage("--framing and --reframe do not go with --rotate and --flip")
        }
        let pixel = format.pixelAspectRatio.value
        let frameAspect = Double(format.width) * pixel / Double(format.height)
        let shape = options.shape?.ratio ?? frameAspect
        size = Self.size(format, shape / pixel)
        space = ShotSpace(
            frameAspect: frameAspect, outputAspect: Double(size.width) * pixel / Double(size.height))
        plan =
            if let path = options.givenPlan { try FramingPlan(of: path) } else {
                try FramingPlan(following: job, options, in: space, size, rate: format.rate.value)
            }
        if let path = options.savedPlan { try plan.write(to: path) }
        if let path = options.sheet {
            try FramingSheet(plan, of: job, aspect: frameAspect).write(to: path)
        }
    }

    /// Returns the size of the largest part of a shape, in pixels; even, for chroma.
    private static func size(_ format: PictureFormat, _ shape: Double) -> (width: Int, height: Int) {
        let (width, height) = (Double(format.width), Double(format.height))
        let even = { (length: Double, largest: Int) in min(2 * max(1, Int((length / 2).rounded())), largest) }
        return shape >= width / height
            ? (format.width, even(width / shape, format.height))
            : (even(height * shape, format.width), format.height)
    }

    /// The element that shows the parts, as a part of a pipeline description that ends with `!`.
    var element: String { "autoframe name=autoframe zoom=1 width=\(size.width) height=\(size.height) ! " }

    /// Whether some frame shows two parts: masks do not fit such frames any more.
    var isSplit: Bool { plan.isSplit }

    /// Gives the element its parts before each frame.
    func install(in chain: GStreamer.Element) {
        guard let element = chain.element(named: "autoframe"), let pad = element.pad("sink") else { return }
        let plan = plan
        pad.onBuffer { info in
            guard let time = info.buffer?.presentationTime, let part = plan.part(at: time),
                let element = info.pad.element
            else { return }
            element.set("center-x", parsing: "\(part.crop.center.x)")
            element.set("center-y", parsing: "\(part.crop.center.y)")
            element.set("zoom", parsing: "\(Self.zoom(part.crop))")
            element.set("second-x", parsing: "\(part.other?.center.x ?? 0.5)")
            element.set("second-y", parsing: "\(part.other?.center.y ?? 0.5)")
            element.set("second-zoom", parsing: "\(part.other.map(Self.zoom) ?? 0)")
        }
    }

    private static func zoom(_ crop: Rectangle) -> Double { min(max(1 / crop.height, 0.03), 32) }
}

extension PictureFormat {
    /// Returns the format of a framed video's output.
    func framed(_ video: FramedVideo?) -> PictureFormat {
        video.map { sized(width: $0.size.width, height: $0.size.height) } ?? self
    }
}
