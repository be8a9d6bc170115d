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

    /// The plan's decisions, for the user.
    var notes: [String] { plan.speakersNote.map { [$0] } ?? [] }

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

/// A picture of a plan: a row for each scene, with some of its frames, in which the part that is shown is outlined and the
/// rest is dark.
struct FramingSheet {
    /// Number of frames of a scene.
    private static let columns = 4
    /// Number of scenes, at most: 60 rows are about 11,000 pixels high.
    private static let maximumRows = 60
    /// Width of a frame, and the distance between two, in pixels.
    private static let (width, gap) = (320, 8)
    /// Light of what is not shown, as a share.
    private static let dim = 0.3
    private static let outline = RGBColor(red: 255, green: 220, blue: 0)

    /// A frame of the sheet.
    private struct Cell {
        let part: FramingPlan.Part
        let row, column: Int
    }

    private let cells: [Cell]
    private let height: Int
    private var sheet: PackedPixels

    /// Draws the sheet of a plan.
    ///
    /// - Parameter aspect: width over height of the displayed frames.
    init(_ plan: FramingPlan, of job: Job, aspect: Double) throws(ToolError) {
        height = 2 * Int(min(max((Double(Self.width) / aspect / 2).rounded(), 8), 640))
        let scenes = Self.chosen(plan.scenes)
        if scenes.count < plan.scenes.count {
            printDiagnostic(
                "\(job.input): the sheet shows \(scenes.count) of \(plan.scenes.count) scenes")
        }
        cells = scenes.enumerated().flatMap { row, scene in
            Self.frames(of: scene).enumerated().map { column, frame in
                Cell(part: plan.parts[frame], row: row, column: column)
            }
        }
        let size = (
            Self.columns * (Self.width + Self.gap) + Self.gap, scenes.count * (height + Self.gap) + Self.gap
        )
        sheet = PackedPixels(
            width: size.0, height: size.1, [UInt8](repeating: 255, count: 3 * size.0 * size.1),
            hasAlpha: false)
        let cells = cells
        var drawn = sheet
        let height = height
        try SampledFrames.read(job, at: cells.map(\.part.time), width: Self.width, height: height) {
            Self.draw($1, of: cells[$0], height: height, into: &drawn)
        }
        sheet = drawn
    }

    /// Returns all scenes, or as many as the sheet has rows, evenly chosen.
    private static func chosen(_ scenes: [Range<Int>]) -> [Range<Int>] {
        guard scenes.count > maximumRows else { return scenes }
        return (0..<maximumRows).map { scenes[$0 * scenes.count / maximumRows] }
    }

    /// Returns the frames of a scene that are in the middle of its quarters; each frame once.
    private static func frames(of scene: Range<Int>) -> [Int] {
        let frames = (0..<columns).map { scene.lowerBound + (2 * $0 + 1) * scene.count / (2 * columns) }
        return frames.enumerated().filter { $0 == 0 || frames[$0 - 1] != $1 }.map(\.element)
    }

    /// Writes the sheet as PNG.
    func write(to path: String) throws(ToolError) {
        let file = try OutputFile(path: path, overwrites: true)
        try PictureWriter.write(sheet, nil, as: .png, to: file)
        try file.publish()
    }

    private static func draw(
        _ frame: PackedPixels, of cell: Cell, height: Int, into sheet: inout PackedPixels
    ) {
        let left = gap + cell.column * (width + gap)
        let top = gap + cell.row * (height + gap)
        let parts = [cell.part.crop] + (cell.part.other.map { [$0] } ?? [])
        let shown = parts.map { part in
            Rectangle(
                x: part.x * Double(width), y: part.y * Double(height), width: part.width * Double(width),
                height: part.height * Double(height))
        }
        sheet.withImage { image in
            for y in 0..<height {
                let row = image.plane(0).row(top + y) + 3 * left
                for x in 0..<width {
                    let middle = Point(x: Double(x) + 0.5, y: Double(y) + 0.5)
                    let isShown = shown.contains { $0.covers(middle) }
                    for band in 0..<3 {
                        let value = frame.samples[3 * (y * width + x) + band]
                        row[3 * x + band] = isShown ? value : UInt8(Double(value) * dim)
                    }
                }
            }
            for part in shown {
                let box = Rectangle(
                    x: part.x + Double(left) + 1, y: part.y + Double(top) + 1, width: part.width - 2,
                    height: part.height - 2)
                ShapeRasterizer(image).rectangle(box, width: 2, color: outline)
            }
        }
    }
}

/// Small pictures of some frames of a video.
enum SampledFrames {
    /// Reads frames.
    ///
    /// - Parameters:
    ///   - times: the frames', in nanoseconds, in their order; each gives another frame.
    ///   - width: the pictures', in pixels, a multiple of four, so that rows have no gaps.
    ///   - body: gets the number of a time, and its picture.
    static func read(
        _ job: Job, at times: [UInt64], width: Int, height: Int,
        _ body: (Int, PackedPixels) throws(ToolError) -> Void
    ) throws(ToolError) {
        guard !times.isEmpty else { return }
        var part = FramePart()
        (part.range, part.acceptsDamage) = (job.range, job.acceptsDamage)
        let caps = "video/x-raw,format=RGB,width=\(width),height=\(height),pixel-aspect-ratio=1/1"
        let reader = try FrameReader(
            job.source, part, through: "videoscale ! videoconvert ! capsfilter caps=\(caps)")
        var next = 0
        while next < times.count, let frame = try reader.next() {
            guard let buffer = frame.buffer, let time = buffer.presentationTime,
                VideoRange.reaches(time, times[next])
            else { continue }
            let samples = buffer.withBytes { $0.count == 3 * width * height ? Array($0) : [] } ?? []
            guard !samples.isEmpty else { throw ToolError(.failed, "a frame could not be read") }
            try body(next, PackedPixels(width: width, height: height, samples, hasAlpha: false))
            next += 1
        }
    }
}
