public import Imaging

/// The background of a blended image.
public enum ImageBackground: Sendable {
    /// The image's own background, for effects on it.
    case original
    /// An image, which is scaled to fill the other; what sticks out is cut off evenly.
    case image(ImageFile)
    /// A plain colour.
    case color(RGBColor)
}

/// Effects on a background, which are drawn in the order of the properties; none by default.
///
/// They are those of the element `blendmask`. Lengths are shares of the image's height.
public struct BackgroundEffects: Sendable, Equatable {
    /// Standard deviation of a blur, 0...0.5: 0.02 is soft, 0.1 strong.
    ///
    /// The subject's colours do not bleed into it. A plain colour stays as it is.
    public var blur = 0.0
    /// Change of the light in stops, -10...10: -1 halves it, 1 doubles it.
    public var exposure = 0.0
    /// Share of the colour that is removed, 0...1: all of it leaves grey.
    public var desaturation = 0.0
    /// Width of an outline around the subject, 0...0.5.
    public var haloWidth = 0.0
    /// Colour of the outline.
    public var haloColor = RGBColor.white

    /// Creates effects, each of which changes nothing unless it is given.
    public init(
        blur: Double = 0, exposure: Double = 0, desaturation: Double = 0, haloWidth: Double = 0,
        haloColor: RGBColor = .white
    ) {
        (self.blur, self.exposure, self.desaturation) = (blur, exposure, desaturation)
        (self.haloWidth, self.haloColor) = (haloWidth, haloColor)
    }

    /// The compositor's layers.
    fileprivate var layers: [BackgroundEffect] {
        [
            .blur(Blur(radius: blur)),
            .highlight(Highlight(exposure: exposure, desaturation: desaturation)),
            .halo(Halo(color: haloColor, width: haloWidth)),
        ]
    }
}

extension ImageFile {
    /// Blends the image with a background: background + (image - background) * mask, at each pixel.
    ///
    ///     try photo.blended(by: people.mask, over: .image(forest)).writeJPEG(to: "greeting.jpg")
    ///     try photo.blended(by: people.mask, over: .original, with: BackgroundEffects(blur: 0.03))
    ///
    /// - Parameters:
    ///   - mask: a mask of the whole stored image, at any size.
    ///   - background: the part where the mask is 0.
    ///   - effects: changes of the background.
    ///   - decontaminate: whether the old background's colour is first removed from soft edges such as hair, as
    ///     the element `blendmask` does for masks of `balanced` and `accurate`; never with `.original`.
    /// - Returns: an upright image of the same number of pixels.
    /// - Throws: `ImageFileError.tooLarge` when memory is short.
    public func blended(
        by mask: Mask, over background: ImageBackground,
        with effects: BackgroundEffects = BackgroundEffects(),
        decontaminate: Bool = true
    ) throws(ImageFileError) -> ImageFile {
        guard let copy = UprightImage(view, orientation), let mask = mask.upright(orientation) else {
            throw .tooLarge(name)
        }
        // The code below uses only pointers into the memory of these.
        defer { withExtendedLifetime((copy, mask)) {} }
        var scaled: UprightImage?
        defer { withExtendedLifetime(scaled) {} }
        let source: BackgroundSource
        var decontaminate = decontaminate
        switch background {
        case .original: (source, decontaminate) = (.original, false)
        case .color(let color): source = .color(color)
        case .image(let file):
            let size = (width: copy.view.width, height: copy.view.height)
            scaled = UprightImage(file.view, file.orientation, filling: size)
            guard let scaled else { throw .tooLarge(file.name) }
            source = .picture(ImageView(scaled.view))
        }
        let composition = Composition(
            source: source, effects: effects.layers, decontaminate: decontaminate)
        do throws(CompositingError) {
            try MaskCompositor().composite(copy.view, mask: mask.view, composition)
        } catch { throw .undecodable(name, error.description) }
        return try ImageFile(upright: ImageView(copy.view), named: name)
    }
}
