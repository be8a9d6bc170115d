/// Puts a background behind the subject of a frame, in place and in the frame's own format.
///
/// Use one compositor per stream: it keeps tables and scratch rows, and is not for use by two threads
/// at once.
public final class MaskCompositor {
    private let scaler = MaskScaler()
    private let colorRows = ColorRows()
    private let whiteRows = ColorRows()
    private let blurredRows = BlurredRows()

    /// A compositor without scratch memory yet.
    public init() {}

    /// Composes a frame in place, as `composition` says.
    ///
    /// - Parameters:
    ///   - frame: read and written.
    ///   - mask: covers the whole frame, at any size.
    /// - Throws: `CompositingError.pictureMismatch`; the frame is untouched then.
    public func composite(
        _ frame: ImageView, mask: MaskView, _ composition: Composition
    ) throws(CompositingError) {
        guard !composition.isIdentity else { return }
        try replaceBackground(of: frame, mask: mask, background: background(composition))
    }

    /// Hides the whole frame, for frames without a usable mask: everything is background.
    ///
    /// The frame's own background could show people, so that `.original` is covered with black.
    ///
    /// - Throws: `CompositingError.pictureMismatch`; the frame is untouched then.
    public func cover(_ frame: ImageView, _ composition: Composition) throws(CompositingError) {
        try cover(frame, with: background(composition))
    }

    /// Turns the frame into a picture of the mask: black where it says background, white at the subject.
    public func showMask(_ frame: ImageView, mask: MaskView, invert: Bool) {
        let white = RGBColor(red: 255, green: 255, blue: 255)
        colorRows.prepare(invert ? white : .black, for: frame)
        whiteRows.prepare(invert ? .black : white, for: frame)
        copy(whiteRows, to: frame)
        composite(frame, mask, colorRows)
    }

    private func background(_ composition: Composition) -> Background {
        switch composition.source {
        case .picture(let picture): return .picture(picture)
        case .color(let color): return .color(color)
        case .transparent: return .color(.black)
        case .original:
            for case .blur(let blur) in composition.effects { return .blur(radius: blur.radius) }
            return .color(.black)
        }
    }

    /// Replaces what `mask` calls background: frame = background + (frame - background) * mask.
    ///
    /// - Parameters:
    ///   - frame: read and written.
    ///   - mask: covers the whole frame, at any size.
    /// - Throws: `CompositingError.pictureMismatch`; the frame is untouched then.
    public func replaceBackground(
        of frame: ImageView, mask: MaskView, background: Background
    ) throws(CompositingError) {
        switch background {
        case .color(let color):
            colorRows.prepare(color, for: frame)
            composite(frame, mask, colorRows)
        case .picture(let picture):
            try check(picture, matches: frame)
            composite(frame, mask, PictureRows(picture: picture))
        case .blur(let radius):
            guard blurredRows.prepare(frame, mask: mask, radius: radius, scaler: scaler) else { return }
            composite(frame, mask, blurredRows)
        }
    }

    /// Hides the whole frame, for frames without a mask.
    ///
    /// A blurred frame could still be recognised, so `.blur` covers with black; give a colour or a
    /// picture to choose another cover.
    ///
    /// - Throws: `CompositingError.pictureMismatch`; the frame is untouched then.
    public func cover(_ frame: ImageView, with background: Background) throws(CompositingError) {
        switch background {
        case .color(let color):
            colorRows.prepare(color, for: frame)
            copy(colorRows, to: frame)
        case .picture(let picture):
            try check(picture, matches: frame)
            copy(PictureRows(picture: picture), to: frame)
        case .blur:
            colorRows.prepare(.black, for: frame)
            copy(colorRows, to: frame)
        }
    }

    private func check(_ picture: ImageView, matches frame: ImageView) throws(CompositingError) {
        guard picture.format == frame.format, picture.width == frame.width, picture.height == frame.height
        else {
            throw .pictureMismatch(
                frame: frame.format, frameWidth: frame.width, frameHeight: frame.height,
                picture: picture.format, pictureWidth: picture.width, pictureHeight: picture.height)
        }
    }

    private func composite(_ frame: ImageView, _ mask: MaskView, _ background: some BackgroundRows) {
        scaler.begin(frame, mask: mask)
        let layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            let pixels = frame.plane(plane)
            for row in 0..<layout.rows(plane: plane, height: frame.height) {
                scaler.selectRow(row, plane: plane, of: frame, mask: mask)
                for run in scaler.runs where run.kind != .subject {
                    let source = background.row(row, plane: plane, bytes: run.bytes)
                    apply(run, source, to: pixels.row(row))
                }
            }
        }
    }

    private func apply(
        _ run: MaskRun, _ background: UnsafePointer<UInt8>, to row: UnsafeMutablePointer<UInt8>
    ) {
        let (first, count) = (run.bytes.lowerBound, run.bytes.count)
        if run.kind == .background {
            (row + first).update(from: background + first, count: count)
        } else {
            let alpha = scaler.alpha(run.bytes)
            BlendRow.blend(row + first, over: background + first, alpha: alpha + first, count: count)
        }
    }

    private func copy(_ background: some BackgroundRows, to frame: ImageView) {
        let layout = frame.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowBytes(plane: plane, width: frame.width)
            for row in 0..<layout.rows(plane: plane, height: frame.height) {
                let source = background.row(row, plane: plane, bytes: 0..<count)
                frame.plane(plane).row(row).update(from: source, count: count)
            }
        }
    }
}
