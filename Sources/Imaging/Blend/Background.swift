/// What is seen where the mask says background.
public enum Background {
    /// A plain colour; alpha becomes opaque.
    case color(RGBColor)
    /// A picture of the frame's format and size, borrowed for the call.
    case picture(ImageView)
    /// The frame itself, out of focus; `radius` is `Blur`'s.
    case blur(radius: Double)
}

extension MaskCompositor {
    /// Replaces what `mask` calls background.
    ///
    /// - Throws: `CompositingError.pictureMismatch`; the frame is untouched then.
    public func replaceBackground(
        of frame: ImageView, mask: MaskView, background: Background
    ) throws(CompositingError) {
        try composite(frame, mask: mask, background.composition)
    }

    /// Hides the whole frame; a blur, which could show people, covers with black.
    ///
    /// - Throws: `CompositingError.pictureMismatch`; the frame is untouched then.
    public func cover(_ frame: ImageView, with background: Background) throws(CompositingError) {
        try cover(frame, background.composition)
    }
}

extension Background {
    fileprivate var composition: Composition {
        switch self {
        case .color(let color): Composition(source: .color(color))
        case .picture(let picture): Composition(source: .picture(picture))
        case .blur(let radius): Composition(source: .original, effects: [.blur(Blur(radius: radius))])
        }
    }
}
