import Glibc
import Imaging
import Inference

/// Outlines one body at a time.
final class BodyOutliner {
    /// Coverage that counts as body.
    private static let solid: Float = 0.5

    private let model: CropModel
    private let scale: Double
    private let threshold: Float
    private let side: Int
    private let outline = MaskGrid()

    init(_ info: ModelInfo, _ setup: FaceModels.Setup) throws(VisionError) {
        model = try CropModel(info, setup, border: .black)
        guard let facts = info.facts["body"], let side = info.input.width, side == info.input.height,
            let scale = facts["crop"]?["scale"]?.number, scale > 0,
            let threshold = facts["presence"]?["threshold"]?.number
        else { throw model.unsupported("its description does not say how its outputs are read") }
        (self.side, self.scale, self.threshold) = (side, scale, Float(threshold))
        _ = try model.output(1, count: 1)
        _ = try model.output(2, count: side * side)
        outline.resize(width: side, height: side)
    }

    /// Fills `mask`, which shows the upright frame, with the coverage of `body`.
    ///
    /// - Returns: what it covers, in the frame's unit square; nil when there is no body after all.
    func outline(
        _ body: Body, in frame: UprightFrame, into mask: MaskGrid
    ) throws(VisionError) -> Rectangle? {
        let crop = FaceCrop(center: body.hips, side: 2 * body.radius * scale, angle: body.angle)
        guard crop.isUsable else { return nil }
        try model.run(frame, crop)
        guard try model.output(1, count: 1)[0] >= threshold else { return nil }
        let values = try model.output(2, count: side * side)
        for i in 0..<outline.count { outline.base[i] = 1 / (1 + exp(-values[i])) }
        mask.fill(0)
        mask.raise(to: outline, placed: frame.placement(of: crop))
        return mask.extent(above: Self.solid)
    }
}

extension UprightFrame {
    /// From the unit square of `crop` to that of the upright frame.
    func placement(of crop: FaceCrop) -> FrameTransform {
        .crop(
            RotatedRectangle(
                center: Point(x: crop.center.x / size.width, y: crop.center.y / size.height),
                width: crop.side / size.width, height: crop.side / size.height, angle: crop.angle),
            frame: size)
    }
}

extension MaskGrid {
    /// The smallest rectangle around all values above `level`, in the unit square; nil without any.
    fileprivate func extent(above level: Float) -> Rectangle? {
        var (left, right, top, bottom) = (width, 0, height, 0)
        for y in 0..<height {
            let row = row(y)
            for x in 0..<width where row[x] > level {
                (left, right) = (min(left, x), max(right, x + 1))
                (top, bottom) = (min(top, y), y + 1)
            }
        }
        guard left < right else { return nil }
        let (w, h) = (Double(width), Double(height))
        return Rectangle(
            x: Double(left) / w, y: Double(top) / h, width: Double(right - left) / w,
            height: Double(bottom - top) / h)
    }
}
