/// The background's light on the subject's rim.
///
/// Light is the background, out of focus; it reaches the rim the more, the nearer the background is and the
/// brighter it is there.
final class LightWrap<Sample: PixelSample> {
    private let scaler = AlphaSampler()
    private let color = ColorRows<Sample>()
    private let blurred = BlurredRows<Sample>()
    private let rim = RimLayer()
    private var mask: MaskView?
    private var isPlain = false

    /// Whether there is anything to do in this frame.
    var isActive: Bool { mask != nil }

    /// How far out of focus the light is, in frame heights.
    private static var softness: Blur { Blur(radius: 0.04) }

    /// Starts a frame before anything in it is changed; `scaler` has begun with the mask.
    func begin(
        _ frame: ImageView, _ mask: MaskView?, _ field: FloatImage, _ composition: Composition,
        scaler: AlphaSampler
    ) {
        self.mask = nil
        let strength = Float(composition.lightWrap.limited(0, 1))
        guard let mask, strength > 0, prepare(composition.source, frame, mask, scaler) else { return }
        self.mask = rim.compute(of: field, frame: frame, strength: strength) { x, y in
            isPlain ? color.brightness : blurred.brightness(x, y)
        }
        if let mask = self.mask { self.scaler.begin(frame, mask: mask) }
    }

    /// Makes the light ready; false when there is none.
    private func prepare(
        _ source: BackgroundSource, _ frame: ImageView, _ mask: MaskView, _ scaler: AlphaSampler
    ) -> Bool {
        isPlain = false
        switch source {
        case .transparent: return false
        case .original: return blurred.prepare(frame, mask: mask, Self.softness, scaler: scaler)
        case .picture(let picture):
            return blurred.prepare(picture, mask: nil, Self.softness, scaler: scaler)
        case .color(let color):
            self.color.prepare(color, for: frame)
            isPlain = true
            return true
        }
    }

    /// Lights a row that is composed.
    func apply(
        to samples: UnsafeMutablePointer<Sample>, row: Int, plane: Int, of frame: ImageView,
        _ treatment: BackgroundTreatment<Sample>
    ) {
        guard let mask else { return }
        let layout = frame.format.layout
        scaler.selectRow(row, plane: plane, of: frame, mask: mask)
        for run in scaler.runs where run.kind != .background {
            let wide = layout.wholePixels(run.samples)
            let light =
                isPlain
                ? color.row(row, plane: plane, samples: wide) : blurred.row(row, plane: plane, samples: wide)
            let (first, count) = (run.samples.lowerBound, run.samples.count)
            BlendRow.tint(
                samples + first, with: treatment.highlighted(light, wide, plane: plane) + first,
                alpha: scaler.alpha(run.samples) + first, count: count, shift: layout.shift)
        }
    }
}
