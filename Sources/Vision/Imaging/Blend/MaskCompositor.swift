/// The content of a composited frame: the background, its effects, and the treatment of the subject's edge.
package struct Composition {
    /// The background behind the subject.
    package var source: BackgroundSource
    /// The effects on the background, one after the other; the usual order is blur, highlight, shadow, halo.
    package var effects: [BackgroundEffect]
    /// Whether the colour of the old background is removed from the subject's soft edge.
    package var decontaminate: Bool
    /// Strength of the background's light on the subject's edge, 0...1.
    package var lightWrap: Double
    /// Whether the mask's subject is the background.
    package var invert: Bool

    /// Creates a composition; only a source is needed.
    package init(
        source: BackgroundSource, effects: [BackgroundEffect] = [], decontaminate: Bool = false,
        lightWrap: Double = 0, invert: Bool = false
    ) {
        self.source = source
        self.effects = effects
        self.decontaminate = decontaminate
        self.lightWrap = lightWrap
        self.invert = invert
    }

    /// Whether every frame stays unchanged: its own background, and no visible effect.
    package var isIdentity: Bool {
        guard case .original = source else { return false }
        return !effects.contains(where: \.isVisible)
    }
}

/// The background behind the subject.
package enum BackgroundSource {
    /// The frame's own background.
    case original
    /// A picture of the frame's format and size, borrowed for the call.
    ///
    /// Results computed from a still picture, such as its blur, are kept while `revision` stays the same:
    /// pictures with other samples need another number. It is nil where the picture changes from frame to
    /// frame.
    case picture(ImageView, revision: UInt64? = nil)
    /// A plain colour; alpha becomes opaque.
    case color(RGBColor)
    /// No background: the format must have alpha, which becomes the frame's alpha times the mask.
    ///
    /// A frame's own alpha is assumed to be of the same kind, straight or premultiplied.
    case transparent(premultiplied: Bool)
}

/// Reasons for which a frame could not be composited.
package enum CompositingError: Error, Equatable, CustomStringConvertible {
    /// The background picture differs from the frame in format or size.
    case pictureMismatch(
        frame: PixelFormat, frameWidth: Int, frameHeight: Int, picture: PixelFormat, pictureWidth: Int,
        pictureHeight: Int)
    /// A transparent background was asked for in a format without alpha.
    case noAlpha(PixelFormat)

    /// A description of the failure, as a sentence.
    package var description: String {
        switch self {
        case .pictureMismatch(let frame, let width, let height, let picture, let otherWidth, let otherHeight):
            """
            the background is \(picture.rawValue) \(otherWidth)x\(otherHeight), \
            the frame \(frame.rawValue) \(width)x\(height): convert the background to the frame's format and size
            """
        case .noAlpha(let format):
            "\(format.rawValue) has no alpha: give transparent frames a format that has"
        }
    }
}

/// Composes frames by masks, in place and in the frame's own format.
///
/// Use one compositor per stream: it keeps tables and scratch rows, and must not be used by two threads at
/// once.
package final class MaskCompositor {
    private let bytes = FrameCompositor<UInt8>()
    private let words = FrameCompositor<UInt16>()
    private let (byteSurroundings, wordSurroundings) = (SurroundingsFill<UInt8>(), SurroundingsFill<UInt16>())

    /// Creates a compositor without scratch memory.
    package init() {}

    /// Composes a frame: frame = background + (frame - background) * mask.
    ///
    /// - Parameters:
    ///   - frame: the frame, which is read and written.
    ///   - mask: covers the whole frame, at any size.
    /// - Throws: `CompositingError`; the frame is then unchanged.
    package func composite(
        _ frame: MutableImageView, mask: MaskView, _ composition: Composition
    ) throws(CompositingError) {
        try composition.check(ImageView(frame))
        if frame.format.layout.bytesPerSample == 1 {
            bytes.composite(frame, mask, composition)
        } else {
            words.composite(frame, mask, composition)
        }
    }

    /// Hides the whole frame, for frames without a usable mask: everything is background.
    ///
    /// The frame's own background could show people, so `.original` is covered with black.
    ///
    /// - Throws: `CompositingError`; the frame is then unchanged.
    package func cover(_ frame: MutableImageView, _ composition: Composition) throws(CompositingError) {
        try composition.check(ImageView(frame))
        if frame.format.layout.bytesPerSample == 1 {
            bytes.composite(frame, nil, composition)
        } else {
            words.composite(frame, nil, composition)
        }
    }

    /// Replaces the frame by an image of the mask: black at the background, white at the subject.
    package func showMask(_ frame: MutableImageView, mask: MaskView, invert: Bool = false) {
        if frame.format.layout.bytesPerSample == 1 {
            bytes.showMask(frame, mask, invert)
        } else {
            words.showMask(frame, mask, invert)
        }
    }

    /// Fills an image around a part of it with opaque black.
    ///
    /// - Parameter part: begins between pixels that share no chroma sample. Chroma that its last pixels share
    ///   with others stays.
    package func blank(_ image: MutableImageView, around part: PixelRect) {
        if image.format.layout.bytesPerSample == 1 {
            byteSurroundings.fill(image, around: part)
        } else {
            wordSurroundings.fill(image, around: part)
        }
    }
}

extension Composition {
    /// Throws unless a frame can be composed in this way.
    fileprivate func check(_ frame: ImageView) throws(CompositingError) {
        switch source {
        case .picture(let picture, _):
            guard picture.format == frame.format, picture.width == frame.width, picture.height == frame.height
            else {
                throw .pictureMismatch(
                    frame: frame.format, frameWidth: frame.width, frameHeight: frame.height,
                    picture: picture.format, pictureWidth: picture.width, pictureHeight: picture.height)
            }
        case .transparent:
            guard frame.format.layout.alpha != nil else { throw .noAlpha(frame.format) }
        case .original, .color: break
        }
    }
}

/// Fills an image around a part of it with black.
final class SurroundingsFill<Sample: PixelSample> {
    private let black = ColorRows<Sample>()

    /// Fills the surroundings of a part.
    ///
    /// - Parameter part: begins between pixels that share no sample; a sample at its end that it shares with
    ///   pixels outside of it belongs to the part.
    func fill(_ image: MutableImageView, around part: PixelRect) {
        black.prepare(.black, for: ImageView(image))
        let layout = image.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: image.width)
            let rows = layout.rows(plane: plane, height: image.height)
            let kept = Self.samples(part.y, part.height, of: rows, shift: layout.heightShift(plane: plane))
            for row in 0..<rows {
                let samples: UnsafeMutablePointer<Sample> = image.plane(plane).samples(row)
                if kept.contains(row) {
                    fillSides(of: samples, plane, part, layout, width: image.width)
                } else {
                    samples.update(from: black.row(plane: plane), count: count)
                }
            }
        }
    }

    private func fillSides(
        of row: UnsafeMutablePointer<Sample>, _ plane: Int, _ part: PixelRect, _ layout: PixelLayout,
        width: Int
    ) {
        for number in 0..<layout.partCount {
            let component = layout.part(number)
            guard component.plane == plane else { continue }
            let count = component.sampleWidth(width)
            let kept = Self.samples(part.x, part.width, of: count, shift: component.widthShift)
            fill(0..<kept.lowerBound, of: row, component)
            fill(kept.upperBound..<count, of: row, component)
        }
    }

    private func fill(
        _ samples: Range<Int>, of row: UnsafeMutablePointer<Sample>, _ component: ComponentLayout
    ) {
        let black = black.row(plane: component.plane)
        for sample in samples {
            let index = component.first &+ sample &* component.step
            row[index] = black[index]
        }
    }

    /// Returns the samples, out of `count` samples of 1 << `shift` pixels each, that `length` pixels from
    /// `start` on touch.
    private static func samples(_ start: Int, _ length: Int, of count: Int, shift: Int) -> Range<Int> {
        let first = min(max(start >> shift, 0), count)
        let end = (start &+ length &+ (1 << shift) &- 1) >> shift
        return first..<min(max(end, first), count)
    }
}
