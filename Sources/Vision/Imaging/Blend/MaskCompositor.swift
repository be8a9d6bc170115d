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
