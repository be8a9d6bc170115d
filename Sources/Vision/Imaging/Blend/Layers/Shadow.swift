/// The subject's shadow on the background, as if lit from the side: a blurred, displaced, black mask.
package struct Shadow: Sendable, Equatable, EffectParameters {
    /// Darkness of the shadow's core, 0...1.
    package var opacity: Double
    /// Distance of the shadow to the right of the subject, in frame heights.
    package var x: Double
    /// Distance of the shadow below the subject, in frame heights.
    package var y: Double
    /// Standard deviation of the shadow's (nearly) Gaussian edge, in frame heights.
    package var radius: Double

    /// Creates a shadow; lengths are in frame heights.
    package init(opacity: Double, x: Double = 0, y: Double = 0, radius: Double = 0.02) {
        self.opacity = opacity
        self.x = x
        self.y = y
        self.radius = radius
    }

    var isVisible: Bool { opacity > 0 }

    var layers: EffectLayers {
        EffectLayers(bytes: ShadowLayer<UInt8>(self), words: ShadowLayer<UInt16>(self))
    }
}

extension BackgroundEffect {
    /// Returns an effect that draws the subject's shadow.
    package static func shadow(_ shadow: Shadow) -> BackgroundEffect { BackgroundEffect(shadow) }
}

/// Draws black, weighted by the shadow's darkness.
final class ShadowLayer<Sample: PixelSample>: ColorFillLayer {
    var parameters: Shadow
    let fill = ColorFill<Sample>()
    private let darkness = ShadowMask()

    init(_ parameters: Shadow) { self.parameters = parameters }

    func begin(_ frame: FrameContext) -> LayerOpacity? {
        guard let field = frame.silhouette,
            let mask = darkness.compute(parameters, of: field, frame: frame.image)
        else { return nil }
        fill.begin(frame.image, .black, mask)
        return .partial
    }
}

/// The darkness of a shadow, at the mask's resolution.
private final class ShadowMask {
    private let layer = FloatImage()
    private let boxes = BoxBlur()
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
        let radius = shadow.radius.limited(0, Blur.maximumRadius)
        let gain = boxes.blur(field, into: blurred, sigma: (radius * perHeight.x, radius * perHeight.y))
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

    /// Interpolates one row from two rows of the blurred mask, displaced along the row.
    private func displace(_ tap: LinearTap, _ width: Int, scale: Float) {
        let (row, displaced) = (row.base, displaced.base)
        let (upper, lower) = (blurred.base + tap.first * width, blurred.base + tap.last * width)
        tap.interpolate(upper, lower, count: width) { row[$0] = $1 * scale }
        row[width] = row[width - 1]
        columns.interpolate(row, 0..<width) { displaced[$0] = $1 }
    }
}
