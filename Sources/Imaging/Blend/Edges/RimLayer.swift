/// How much light reaches the subject's rim, at the mask's resolution.
final class RimLayer {
    private let layer = FloatImage()
    private let boxes = BoxBlur<Float>()
    private let blurred = ScratchBuffer<Float>()

    /// How far light reaches around the subject, in frame heights.
    private static let reach = 0.015
    /// What even the outermost rim keeps of its own colour.
    private static let ownShare: Float = 0.5

    /// Computes the light on the subject of `field`.
    ///
    /// - Parameter brightness: of the background, from 0 to 1, at a place in the frame's unit square.
    func compute(
        of field: FloatImage, frame: ImageView, strength: Float, brightness: (_ x: Float, _ y: Float) -> Float
    ) -> MaskView? {
        layer.resize(width: field.width, height: field.height)
        guard let view = layer.mutableView else { return nil }
        let gain = blur(field, frame)
        let most = strength * (1 - Self.ownShare)
        for y in 0..<field.height {
            let (mask, row) = (field.base + y * field.width, blurred.base + y * field.width)
            for x in 0..<field.width {
                // Half of what surrounds a straight edge is background.
                let exposed = min(1, max(0, 2 * (1 - row[x] / gain)))
                let share = most * mask[x] * exposed
                row[x] = share > 0 ? share * light(x, y, field, brightness) : 0
            }
            view.writeRow(y, from: row)
        }
        return layer.view
    }

    private func light(
        _ x: Int, _ y: Int, _ field: FloatImage, _ brightness: (_ x: Float, _ y: Float) -> Float
    ) -> Float {
        brightness((Float(x) + 0.5) / Float(field.width), (Float(y) + 0.5) / Float(field.height))
    }

    /// Blurs a copy of the mask; the result is too large by what is returned.
    private func blur(_ field: FloatImage, _ frame: ImageView) -> Float {
        let count = field.width * field.height
        let values = blurred.reserve(count)
        values.update(from: field.base, count: count)
        let aspect = Double(frame.width) / Double(frame.height)
        let (sigmaX, sigmaY) = (Self.reach * Double(field.width) / aspect, Self.reach * Double(field.height))
        let (across, down) = (BoxWidth(variance: sigmaX * sigmaX), BoxWidth(variance: sigmaY * sigmaY))
        boxes.blur(values, width: field.width, height: field.height, across: across, down: down)
        return across.gain * down.gain
    }
}
