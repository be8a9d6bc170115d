/// Composes frames of one sample type.
final class FrameCompositor<Sample: PixelSample> {
    private let scaler = AlphaSampler()
    private let field = FloatImage()
    private let colorRows = ColorRows<Sample>()
    private let whiteRows = ColorRows<Sample>()
    private let originalRows = OriginalRows<Sample>()
    private let blurredRows = BlurredRows<Sample>()
    private let treatment = BackgroundTreatment<Sample>()
    private let straightAlpha = StraightAlpha<Sample>()
    private let foreground = ForegroundEstimate<Sample>()
    private let lightWrap = LightWrap<Sample>()
    private var layout = PixelFormat.gray8.layout

    /// Composes a frame; without a mask all of it is background.
    func composite(_ frame: MutableImageView, _ mask: MaskView?, _ composition: Composition) {
        let effects = composition.visibleEffects
        let original = ImageView(frame)
        begin(original, mask, composition, effects)
        switch composition.source {
        case .original:
            guard let mask else { return compose(frame, nil, solid(.black, original)) }
            if let blur = effects.blur, blurredRows.prepare(original, mask: mask, blur, scaler: scaler) {
                compose(frame, mask, blurredRows)
            } else if !treatment.isIdle {
                originalRows.begin(original)
                compose(frame, mask, originalRows)
                originalRows.end()
            }
        case .picture(let picture):
            if let blur = effects.blur, blurredRows.prepare(picture, mask: nil, blur, scaler: scaler) {
                compose(frame, mask, blurredRows)
            } else {
                compose(frame, mask, PictureRows(picture: picture))
            }
        case .color(let color): compose(frame, mask, solid(color, original))
        case .transparent(premultiplied: true): compose(frame, mask, solid(.black, isOpaque: false, original))
        case .transparent(premultiplied: false):
            compose(frame, mask, solid(.black, isOpaque: false, original), isStraight: true)
        }
    }

    /// Turns a frame into a picture of its mask.
    func showMask(_ frame: MutableImageView, _ mask: MaskView, _ invert: Bool) {
        let original = ImageView(frame)
        let plain = Composition(source: .color(.black), invert: invert)
        whiteRows.prepare(.white, for: original)
        begin(original, nil, plain, plain.visibleEffects)
        compose(frame, nil, whiteRows)
        begin(original, mask, plain, plain.visibleEffects)
        compose(frame, mask, solid(.black, original))
    }

    private func begin(
        _ frame: ImageView, _ mask: MaskView?, _ composition: Composition, _ effects: VisibleEffects
    ) {
        layout = frame.format.layout
        if let mask { scaler.begin(frame, mask: mask, invert: composition.invert) }
        let needsField = effects.shadow != nil || effects.halo != nil || composition.lightWrap > 0
        if let mask, needsField { field.copy(mask, invert: composition.invert) }
        treatment.begin(frame, field: mask == nil ? nil : field, effects)
        foreground.begin(frame, mask, composition, scaler: scaler)
        lightWrap.begin(frame, mask, field, composition, scaler: scaler)
    }

    private func solid(_ color: RGBColor, isOpaque: Bool = true, _ frame: ImageView) -> ColorRows<Sample> {
        colorRows.prepare(color, isOpaque: isOpaque, for: frame)
        return colorRows
    }

    private func compose<Rows: BackgroundRows>(
        _ frame: MutableImageView, _ mask: MaskView?, _ background: Rows, isStraight: Bool = false
    ) where Rows.Sample == Sample {
        let original = ImageView(frame)
        let isPlain =
            treatment.isIdle && !foreground.isActive && !lightWrap.isActive && !isStraight
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: frame.width)
            for row in 0..<layout.rows(plane: plane, height: frame.height) {
                let place = RowPlace(row: row, plane: plane, isStraight: isStraight)
                let samples: UnsafeMutablePointer<Sample> = frame.plane(plane).samples(row)
                guard let mask else {
                    put(AlphaRun(kind: .background, samples: 0..<count), background, on: samples, place)
                    continue
                }
                scaler.selectRow(row, plane: plane, of: original, mask: mask)
                if isPlain {
                    for run in scaler.runs where run.kind != .subject {
                        let source = background.row(row, plane: plane, samples: run.samples)
                        lay(run, source, on: samples)
                    }
                    continue
                }
                treatment.selectRow(row, plane: plane, of: original)
                for run in scaler.runs where run.kind != .subject {
                    put(run, background, on: samples, place)
                }
                lightWrap.apply(to: samples, row: row, plane: plane, of: original, treatment)
            }
        }
    }

    private struct RowPlace {
        let row: Int
        let plane: Int
        let isStraight: Bool
    }

    private func put<Rows: BackgroundRows>(
        _ run: AlphaRun, _ background: Rows, on row: UnsafeMutablePointer<Sample>, _ place: RowPlace
    ) where Rows.Sample == Sample {
        let wide = treatment.isIdle ? run.samples : layout.wholePixels(run.samples)
        let untreated = background.row(place.row, plane: place.plane, samples: wide)
        let source = treatment.treated(untreated, wide, plane: place.plane)
        if foreground.isActive, run.kind == .soft {
            let alpha = scaler.alpha(run.samples)
            foreground.apply(to: row, run.samples, alpha: alpha, row: place.row, plane: place.plane)
        }
        // Without layers certain background is simply nothing, which `background` holds.
        if place.isStraight, run.kind == .soft || !treatment.isIdle {
            let alpha = run.kind == .soft ? scaler.alpha(run.samples) : nil
            putStraight(run.samples, source, alpha: alpha, on: row, place)
        } else {
            lay(run, source, on: row)
        }
    }

    /// Copies certain background, and blends what is soft.
    private func lay(
        _ run: AlphaRun, _ background: UnsafePointer<Sample>, on row: UnsafeMutablePointer<Sample>
    ) {
        let (first, count) = (run.samples.lowerBound, run.samples.count)
        if run.kind == .background {
            (row + first).update(from: background + first, count: count)
        } else {
            let alpha = scaler.alpha(run.samples)
            BlendRow.blend(
                row + first, over: background + first, alpha: alpha + first, count: count,
                shift: layout.shift)
        }
    }

    private func putStraight(
        _ samples: Range<Int>, _ layers: UnsafePointer<Sample>, alpha: UnsafePointer<UInt16>?,
        on row: UnsafeMutablePointer<Sample>, _ place: RowPlace
    ) {
        let part = layout.alpha
        straightAlpha.compose(
            row, over: layers, samples, mask: alpha, coverage: treatment.coverage(samples),
            black: colorRows.row(plane: place.plane), alpha: part?.plane == place.plane ? part : nil)
    }
}
