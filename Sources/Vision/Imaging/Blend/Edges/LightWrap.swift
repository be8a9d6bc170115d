/// The background's light on the subject's edge.
///
/// The light is the background, out of focus. More light reaches the edge where the background is nearer and
/// brighter.
final class LightWrap<Sample: PixelSample> {
    private let scaler = AlphaSampler()
    private let color = ColorRows<Sample>()
    private let blurred = BlurredRows<Sample>()
    private let edge = EdgeMask()
    private var mask: MaskView?
    private var isPlain = false

    /// Blur of the light, in frame heights.
    private static var softness: Blur { Blur(radius: 0.04) }
    /// Side of a cell in pixels: light has no details.
    private static var cellSide: Int { 16 }

    /// Starts a frame before anything in it is changed; returns false when there is nothing to do in it.
    func begin(_ frame: FrameContext, strength: Double) -> Bool {
        let strength = Float(strength.limited(0, 1))
        guard strength > 0, let field = frame.field, prepareLight(frame) else { return false }
        mask = edge.compute(of: field, frame: frame.image, strength: strength) { x, y in
            isPlain ? color.brightness : blurred.brightness(x, y)
        }
        if let mask { scaler.begin(frame.image, mask: mask) }
        return mask != nil
    }

    /// Prepares the light; returns false when there is none.
    private func prepareLight(_ frame: FrameContext) -> Bool {
        isPlain = false
        switch frame.source {
        case .transparent: return false
        case .original:
            return blurred.prepare(
                frame.image, Self.softness, without: frame.mask, frame.scaler, largestCell: Self.cellSide)
                != .none
        case .picture(let picture, let revision):
            return blurred.prepare(
                picture, Self.softness, revision: revision, largestCell: Self.cellSide) != .none
        case .color(let color):
            self.color.prepare(color, for: frame.image)
            isPlain = true
            return true
        }
    }

    /// Lights a row that has been composed.
    func apply(
        to samples: UnsafeMutablePointer<Sample>, row: Int, plane: Int, of frame: ImageView,
        _ layers: LayerStack<Sample>
    ) {
        guard let mask else { return }
        let layout = frame.format.layout
        scaler.selectRow(row, plane: plane, of: frame, mask: mask)
        if !isPlain { blurred.selectRow(row, plane: plane) }
        for run in scaler.runs where run.kind != .background {
            let wide = layout.wholePixels(run.samples)
            let light = isPlain ? color.row(row, plane: plane, samples: wide) : blurred.row(wide)
            let (first, count) = (run.samples.lowerBound, run.samples.count)
            Sample.tint(
                samples + first, with: layers.adjust(light, wide) + first,
                alpha: scaler.alpha(run.samples) + first, count: count, shift: layout.shift)
        }
    }
}

/// The amount of light on the subject's edge, at the mask's resolution.
private final class EdgeMask {
    private let layer = FloatImage()
    private let boxes = BoxBlur()
    private let blurred = ScratchBuffer<Float>()

    /// Reach of the light around the subject, in frame heights.
    private static let reach = 0.015
    /// Share of its own colour that even the outermost edge keeps.
    private static let ownShare: Float = 0.5

    /// Computes the light on the subject of `field`.
    ///
    /// - Parameter brightness: returns the background's brightness, from 0 to 1, at a place in the frame's
    ///   unit square.
    func compute(
        of field: FloatImage, frame: ImageView, strength: Float, brightness: (_ x: Float, _ y: Float) -> Float
    ) -> MaskView? {
        layer.resize(width: field.width, height: field.height)
        guard let view = layer.mutableView else { return nil }
        let aspect = Double(frame.width) / Double(frame.height)
        let sigma = (x: Self.reach * Double(field.width) / aspect, y: Self.reach * Double(field.height))
        let gain = boxes.blur(field, into: blurred, sigma: sigma)
        let maximum = strength * (1 - Self.ownShare)
        for y in 0..<field.height {
            let (mask, row) = (field.base + y * field.width, blurred.base + y * field.width)
            for x in 0..<field.width {
                // Half of the surroundings of a straight edge is background.
                let exposed = min(1, max(0, 2 * (1 - row[x] / gain)))
                let share = maximum * mask[x] * exposed
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
}
