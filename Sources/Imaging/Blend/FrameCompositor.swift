/// Composes frames of one sample type.
final class FrameCompositor<Sample: PixelSample> {
    private let scaler = MaskScaler<Sample>()
    private let colorRows = ColorRows<Sample>()
    private let whiteRows = ColorRows<Sample>()
    private let blurredRows = BlurredRows<Sample>()

    func composite(_ frame: ImageView, _ mask: MaskView, _ composition: Composition) {
        scaler.begin(frame, mask: mask, invert: composition.invert)
        switch composition.source {
        case .original:
            if let blur = composition.blur, blurredRows.prepare(frame, mask: mask, blur, scaler: scaler) {
                composite(frame, mask, blurredRows)
            }
        case .picture(let picture):
            if let blur = composition.blur, blurredRows.prepare(picture, mask: nil, blur, scaler: scaler) {
                composite(frame, mask, blurredRows)
            } else {
                composite(frame, mask, PictureRows(picture: picture))
            }
        case .color(let color):
            colorRows.prepare(color, for: frame)
            composite(frame, mask, colorRows)
        case .transparent:
            colorRows.prepare(.black, isOpaque: false, for: frame)
            composite(frame, mask, colorRows)
        }
    }

    func cover(_ frame: ImageView, _ composition: Composition) {
        switch composition.source {
        case .original:
            colorRows.prepare(.black, for: frame)
            copy(colorRows, to: frame)
        case .picture(let picture):
            copy(PictureRows(picture: picture), to: frame)
        case .color(let color):
            colorRows.prepare(color, for: frame)
            copy(colorRows, to: frame)
        case .transparent:
            colorRows.prepare(.black, isOpaque: false, for: frame)
            copy(colorRows, to: frame)
        }
    }

    func showMask(_ frame: ImageView, _ mask: MaskView, _ invert: Bool) {
        scaler.begin(frame, mask: mask, invert: invert)
        colorRows.prepare(.black, for: frame)
        whiteRows.prepare(.white, for: frame)
        copy(whiteRows, to: frame)
        composite(frame, mask, colorRows)
    }

    private func composite<Rows: BackgroundRows>(
        _ frame: ImageView, _ mask: MaskView, _ background: Rows
    ) where Rows.Sample == Sample {
        let layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            for row in 0..<layout.rows(plane: plane, height: frame.height) {
                scaler.selectRow(row, plane: plane, of: frame, mask: mask)
                for run in scaler.runs where run.kind != .subject {
                    let source = background.row(row, plane: plane, samples: run.samples)
                    apply(run, source, to: frame.plane(plane).samples(row), shift: layout.shift)
                }
            }
        }
    }

    private func apply(
        _ run: MaskRun, _ background: UnsafePointer<Sample>, to row: UnsafeMutablePointer<Sample>, shift: Int
    ) {
        let (first, count) = (run.samples.lowerBound, run.samples.count)
        if run.kind == .background {
            (row + first).update(from: background + first, count: count)
        } else {
            let alpha = scaler.alpha(run.samples)
            BlendRow.blend(
                row + first, over: background + first, alpha: alpha + first, count: count, shift: shift)
        }
    }

    private func copy<Rows: BackgroundRows>(
        _ background: Rows, to frame: ImageView
    ) where Rows.Sample == Sample {
        let layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: frame.width)
            for row in 0..<layout.rows(plane: plane, height: frame.height) {
                let source = background.row(row, plane: plane, samples: 0..<count)
                let target: UnsafeMutablePointer<Sample> = frame.plane(plane).samples(row)
                target.update(from: source, count: count)
            }
        }
    }
}
