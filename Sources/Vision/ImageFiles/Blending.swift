public import Imaging

/// The background of a blended image.
public enum ImageBackground: Sendable {
    /// An image, which is scaled to fill the other; what sticks out is cut off evenly.
    case image(ImageFile)
    /// A plain colour.
    case color(RGBColor)
}

extension ImageFile {
    /// Blends the image with a background: background + (image - background) * mask, at each pixel.
    ///
    ///     try photo.blended(by: people.mask, over: .image(forest)).writeJPEG(to: "greeting.jpg")
    ///
    /// - Parameters:
    ///   - mask: a mask of the whole stored image, at any size.
    ///   - background: the part where the mask is 0.
    ///   - decontaminate: whether the old background's colour is first removed from soft edges such as hair, as
    ///     the element `blendmask` does for masks of `balanced` and `accurate`.
    /// - Returns: an upright image of the same number of pixels.
    /// - Throws: `ImageFileError.tooLarge` when memory is short.
    public func blended(
        by mask: Mask, over background: ImageBackground, decontaminate: Bool = true
    ) throws(ImageFileError) -> ImageFile {
        guard let copy = UprightImage(view, orientation), let mask = mask.upright(orientation) else {
            throw .tooLarge(name)
        }
        // The code below uses only pointers into the memory of these.
        defer { withExtendedLifetime((copy, mask)) {} }
        var scaled: UprightImage?
        defer { withExtendedLifetime(scaled) {} }
        let source: BackgroundSource
        switch background {
        case .color(let color): source = .color(color)
        case .image(let file):
            let size = (width: copy.view.width, height: copy.view.height)
            scaled = UprightImage(file.view, file.orientation, filling: size)
            guard let scaled else { throw .tooLarge(file.name) }
            source = .picture(ImageView(scaled.view))
        }
        let composition = Composition(source: source, decontaminate: decontaminate)
        do throws(CompositingError) {
            try MaskCompositor().composite(copy.view, mask: mask.view, composition)
        } catch { throw .undecodable(name, error.description) }
        return try ImageFile(upright: ImageView(copy.view), named: name)
    }
}
