/// How dark a shadow is, at the mask's resolution.
final class ShadowLayer {
    private let layer = FloatImage()
    private let boxes = BoxBlur<Float>()
    private let blurred = ScratchBuffer<Float>()
    private let row = ScratchBuffer<Float>()
    private let displaced = ScratchBuffer<Float>()
    private let columns = LinearTaps()

    /// Computes the shadow that the subject of `field` casts in `frame`.
    func compute(_ shadow: Shadow, of field: FloatImage, frame: ImageView) -> MaskView? {
        layer.resize(width: field.width, height: field.height)
        guard let view = layer.mutableView else { return nil }
        let (width, height) = (field.width, field.height)
        let aspect = Double(frame.width) / Double(frame.height)
        let perHeight = (x: Double(width) / aspect, y: Double(height))
        let gain = blur(field, radius: shadow.radius.limited(0, Blur.maximumRadius), perHeight)
        let (dx, dy) = (shadow.x.limited(-1, 1) * perHeight.x, shadow.y.limited(-1, 1) * perHeight.y)
        columns.build(count: width, samples: width) { Double($0) - dx }
        let scale = Float(shadow.opacity.limited(0, 1)) / gain
        row.reserve(width + 1)
        displaced.reserve(width)
        for y in 0..<height {
            displace(LinearTap(position: Double(y) - dy, samples: height), width, scale: scale)
            view.writeRow(y, from: displaced.base)
        }
        return layer.view
    }

    /// Blurs a copy of the mask; the result is too large by what is returned.
    private func blur(_ field: FloatImage, radius: Double, _ perHeight: (x: Double, y: Double)) -> Float {
        let count = field.width * field.height
        let values = blurred.reserve(count)
        values.update(from: field.base, count: count)
        let (sigmaX, sigmaY) = (radius * perHeight.x, radius * perHeight.y)
        let (across, down) = (BoxWidth(variance: sigmaX * sigmaX), BoxWidth(variance: sigmaY * sigmaY))
        boxes.blur(values, width: field.width, height: field.height, across: across, down: down)
        return across.gain * down.gain
    }

    /// Takes one row from between two of the blurred mask, displaced along the row.
    private func displace(_ tap: LinearTap, _ width: Int, scale: Float) {
        let (row, displaced) = (row.base, displaced.base)
        let (upper, lower) = (blurred.base + tap.first * width, blurred.base + tap.last * width)
        tap.interpolate(upper, lower, count: width) { row[$0] = $1 * scale }
        row[width] = row[width - 1]
        columns.interpolate(row, 0..<width) { displaced[$0] = $1 }
    }
}
