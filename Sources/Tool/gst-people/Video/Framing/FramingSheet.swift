import CommandKit
import Imaging

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
                    let isShown = shown.contains { $0.contains(Double(x) + 0.5, Double(y) + 0.5) }
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

extension Rectangle {
    fileprivate func contains(_ x: Double, _ y: Double) -> Bool {
        x >= self.x && x < self.x + width && y >= self.y && y < self.y + height
    }
}
