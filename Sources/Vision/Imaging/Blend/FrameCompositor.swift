/// Composes frames of one sample type.
final class FrameCompositor<Sample: PixelSample> {
    private let scaler = AlphaSampler()
    private let fields = LazyField()
    private let colorRows = ColorRows<Sample>()
    private let whiteRows = ColorRows<Sample>()
    private let originalRows = OriginalRows<Sample>()
    private let layers = LayerStack<Sample>()
    private let straightAlpha = StraightAlpha<Sample>()
    private let foreground = ForegroundEstimate<Sample>()
    private let lightWrap = LightWrap<Sample>()
    private var layout = PixelFormat.gray8.layout
    /// The treatment of the subject's edge in the current frame.
    private var (decontaminates, wrapsLight) = (false, false)

    /// Composes a frame; without a mask the whole frame is background.
    func composite(_ frame: MutableImageView, _ mask: MaskView?, _ composition: Composition) {
        let original = ImageView(frame)
        var composition = composition
        // The frame's own background could show people.
        if mask == nil, case .original = composition.source { composition.source = .color(.black) }
        guard begin(original, mask, composition) else { return }
        switch composition.source {
        case .original:
            if layers.hidesSource { return compose(frame, mask, PictureRows(picture: original)) }
            originalRows.begin(original)
            compose(frame, mask, originalRows)
            originalRows.end()
        case .picture(let picture, _): compose(frame, mask, PictureRows(picture: picture))
        case .color(let color): compose(frame, mask, solid(color, original))
        case .transparent(premultiplied: true): compose(frame, mask, solid(.black, isOpaque: false, original))
        case .transparent(premultiplied: false):
            compose(frame, mask, solid(.black, isOpaque: false, original), isStraight: true)
        }
    }

    /// Replaces a frame by a picture of its mask.
    func showMask(_ frame: MutableImageView, _ mask: MaskView, _ invert: Bool) {
        let original = ImageView(frame)
        let plain = Composition(source: .color(.black), invert: invert)
        whiteRows.prepare(.white, for: original)
        guard begin(original, nil, plain) else { return }
        compose(frame, nil, whiteRows)
        guard begin(original, mask, plain) else { return }
        compose(frame, mask, solid(.black, original))
    }

    /// Begins a frame; returns false when the frame stays unchanged: its own background without effects.
    private func begin(_ frame: ImageView, _ mask: MaskView?, _ composition: Composition) -> Bool {
        layout = frame.format.layout
        if let mask { scaler.begin(frame, mask: mask, invert: composition.invert) }
        fields.begin()
        let context = FrameContext(
            image: frame, mask: mask, source: composition.source, isInverted: composition.invert,
            scaler: scaler, fields: fields)
        layers.begin(context, composition.effects)
        if layers.isIdle, case .original = composition.source { return false }
        decontaminates = composition.decontaminate && foreground.begin(context)
        wrapsLight = composition.lightWrap > 0 && lightWrap.begin(context, strength: composition.lightWrap)
        return true
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
            layers.isIdle && !decontaminates && !wrapsLight && !isStraight
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: frame.width)
            for row in 0..<layout.rows(plane: plane, height: frame.height) {
                let place = RowPlace(row: row, plane: plane, isStraight: isStraight)
                let samples: UnsafeMutablePointer<Sample> = frame.plane(plane).samples(row)
                guard let mask else {
                    layers.selectRow(row, plane: plane, of: original)
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
                compose(samples, background, place, of: original)
            }
        }
    }

    private func compose<Rows: BackgroundRows>(
        _ samples: UnsafeMutablePointer<Sample>, _ background: Rows, _ place: RowPlace, of original: ImageView
    ) where Rows.Sample == Sample {
        if scaler.runs.contains(where: { $0.kind != .subject }) {
            layers.selectRow(place.row, plane: place.plane, of: original)
            for run in scaler.runs where run.kind != .subject { put(run, background, on: samples, place) }
        }
        if wrapsLight {
            lightWrap.apply(to: samples, row: place.row, plane: place.plane, of: original, layers)
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
        let wide = layers.isIdle ? run.samples : layout.wholePixels(run.samples)
        // If nothing else is visible, layers draw on the frame itself.
        let canvas = run.kind == .background && !place.isStraight ? row : nil
        let beneath =
            layers.hidesSource || (Rows.areTheFrames && canvas != nil)
            ? UnsafePointer(row) : background.row(place.row, plane: place.plane, samples: wide)
        let source = layers.draw(on: beneath, wide, into: canvas)
        if decontaminates, run.kind == .soft {
            let alpha = scaler.alpha(run.samples)
            foreground.apply(to: row, run.samples, alpha: alpha, row: place.row, plane: place.plane)
        }
        // Without layers, certain background is empty, as in `background`.
        if place.isStraight, run.kind == .soft || !layers.isIdle {
            let alpha = run.kind == .soft ? scaler.alpha(run.samples) : nil
            putStraight(run.samples, source, alpha: alpha, on: row, place)
        } else if source != UnsafePointer(row) {
            lay(run, source, on: row)
        }
    }

    /// Copies certain background, and blends soft samples.
    private func lay(
        _ run: AlphaRun, _ background: UnsafePointer<Sample>, on row: UnsafeMutablePointer<Sample>
    ) {
        let (first, count) = (run.samples.lowerBound, run.samples.count)
        if run.kind == .background {
            (row + first).update(from: background + first, count: count)
        } else {
            let alpha = scaler.alpha(run.samples)
            Sample.blend(
                row + first, over: background + first, alpha: alpha + first, count: count,
                shift: layout.shift)
        }
    }

    private func putStraight(
        _ samples: Range<Int>, _ background: UnsafePointer<Sample>, alpha: UnsafePointer<UInt16>?,
        on row: UnsafeMutablePointer<Sample>, _ place: RowPlace
    ) {
        let part = layout.alpha?.plane == place.plane ? layout.alpha : nil
        let black = colorRows.row(plane: place.plane)
        if layers.isIdle, let alpha {
            straightAlpha.cutOut(row, samples, mask: alpha, black: black, alpha: part)
        } else {
            straightAlpha.compose(
                row, over: background, samples, mask: alpha, coverage: layers.coverage(samples), black: black,
                alpha: part)
        }
    }
}

/// The context of layers: the current frame, before any change, its mask and its background.
struct FrameContext {
    let image: ImageView
    /// The mask; nil where everything is background.
    let mask: MaskView?
    let source: BackgroundSource
    /// Whether the mask's subject counts as background.
    let isInverted: Bool
    /// The sampler, which has begun with the frame and the mask.
    let scaler: AlphaSampler
    fileprivate let fields: LazyField

    /// The mask as plain floats; nil where everything is background.
    var field: FloatImage? { mask.map { fields.field(of: $0, invert: isInverted) } }
    /// `field` without stray values, for layers that draw around subjects.
    var silhouette: FloatImage? { mask.map { fields.silhouette(of: $0, invert: isInverted) } }
}

/// A frame's mask as plain floats, computed when the first layer asks for it.
private final class LazyField {
    private let field = FloatImage()
    private var isLoaded = false
    private let subjects = Silhouette()
    private var silhouette: FloatImage?

    func begin() { (isLoaded, silhouette) = (false, nil) }

    func field(of mask: MaskView, invert: Bool) -> FloatImage {
        if !isLoaded { field.copy(mask, invert: invert) }
        isLoaded = true
        return field
    }

    func silhouette(of mask: MaskView, invert: Bool) -> FloatImage {
        if let silhouette { return silhouette }
        let values = subjects.values(of: field(of: mask, invert: invert))
        silhouette = values
        return values
    }
}

/// Composes frames with straight alpha, whose colours are not multiplied by alpha.
///
/// With the mask m, the layers' coverage c and their colour P times c, the colour of a frame F is (m F + (1 -
/// m) P c) / (m + (1 - m) c), in components above black, and the denominator is its alpha.
final class StraightAlpha<Sample: PixelSample> {
    private let divisors = ScratchBuffer<Float>()

    /// Composes a row before nothing: colours stay where the mask is not 0, and alpha is multiplied by it.
    ///
    /// The parameters and the results are those of `compose` with a coverage of 0.
    func cutOut(
        _ row: UnsafeMutablePointer<Sample>, _ samples: Range<Int>, mask: UnsafePointer<UInt16>,
        black: UnsafePointer<Sample>, alpha: ComponentLayout?
    ) {
        if let alpha {
            let first =
                alpha.first + (samples.lowerBound - alpha.first + alpha.step - 1) / alpha.step * alpha.step
            for i in stride(from: max(first, alpha.first), to: samples.upperBound, by: alpha.step) {
                row[i] = .rounded(row[i].float * (mask[i].float * (Float(1) / 65535)))
            }
        }
        for i in samples where mask[i] == 0 { row[i] = black[i] }
    }

    /// Composes a row.
    ///
    /// - Parameters:
    ///   - row: the frame's samples, indexed like all the others.
    ///   - layers: the background's layers, times its coverage.
    ///   - mask: the mask; nil where everything is background.
    ///   - black: the components of black, and no alpha.
    func compose(
        _ row: UnsafeMutablePointer<Sample>, over layers: UnsafePointer<Sample>, _ samples: Range<Int>,
        mask: UnsafePointer<UInt16>?, coverage: UnsafePointer<Sample>, black: UnsafePointer<Sample>,
        alpha: ComponentLayout?
    ) {
        let divisors = divisors.reserve(samples.upperBound)
        let (limit, maskUnit) = (Sample.max.float, Float(1) / 65535)
        for i in samples {
            let m = (mask?[i].float ?? 0) * maskUnit
            divisors[i] = m + (1 - m) * coverage[i].float / limit
        }
        if let alpha {
            for i in stride(from: alpha.first, to: samples.upperBound, by: alpha.step) { divisors[i] = 1 }
        }
        for i in samples {
            let (m, foot) = ((mask?[i].float ?? 0) * maskUnit, black[i].float)
            let sum = (row[i].float - foot) * m + (layers[i].float - foot) * (1 - m)
            let value = divisors[i] > 0 ? foot + sum / divisors[i] : foot
            row[i] = .rounded(max(0, min(value, limit)))
        }
    }
}
