/// The fit of a picture of one shape in a frame of another.
package enum PictureFit: String, CaseIterable, Sendable {
    /// Fills the frame; parts that stick out are cut off evenly.
    case cover
    /// Shows the whole picture; the rest of the frame stays free.
    case contain
    /// Fills the frame without keeping the picture's proportions.
    case stretch
    /// Repeats the picture at its own size, from the upper left corner.
    case tile
}

extension PictureFit {
    /// Returns the shown part of the picture, and its place in the frame; for `tile` those of the first tile.
    ///
    /// - Parameters:
    ///   - picture: size of the picture in pixels.
    ///   - frame: size of the frame in pixels.
    ///   - pixelAspect: width divided by height of a picture's pixel as the frame would show it: the
    ///     picture's pixel aspect ratio divided by the frame's, 1 when both are the same.
    package func placement(
        of picture: (width: Int, height: Int), in frame: (width: Int, height: Int), pixelAspect: Double = 1
    ) -> (source: PixelRect, destination: PixelRect) {
        let whole = PixelRect(x: 0, y: 0, width: max(1, picture.width), height: max(1, picture.height))
        let all = PixelRect(x: 0, y: 0, width: max(1, frame.width), height: max(1, frame.height))
        let correction = pixelAspect.isFinite && pixelAspect > 0 ? pixelAspect : 1
        switch self {
        case .stretch:
            return (whole, all)
        case .cover:
            let aspect = Double(all.width) / Double(all.height) / correction
            return (.centred(aspect: aspect, in: whole.width, whole.height), all)
        case .contain:
            let aspect = Double(whole.width) / Double(whole.height) * correction
            return (whole, .centred(aspect: aspect, in: all.width, all.height))
        case .tile:
            let shown = PixelRect(
                x: 0, y: 0, width: pixels(Double(whole.width) * correction, atMost: all.width),
                height: min(all.height, whole.height))
            let columns = pixels(Double(shown.width) / correction, atMost: whole.width)
            return (PixelRect(x: 0, y: 0, width: columns, height: shown.height), shown)
        }
    }
}

extension PixelRect {
    /// Returns the largest rectangle of `aspect` (width over height, in pixels) in the middle of `width` x
    /// `height`.
    static func centred(aspect: Double, in width: Int, _ height: Int) -> PixelRect {
        let wide = (Double(height) * aspect).rounded()
        let high = (Double(width) / aspect).rounded()
        let fitWidth = wide >= Double(width) ? width : max(1, Int(wide))
        let fitHeight = high >= Double(height) ? height : max(1, Int(high))
        return PixelRect(
            x: (width - fitWidth) / 2, y: (height - fitHeight) / 2, width: fitWidth, height: fitHeight)
    }
}

/// Returns the nearest number of pixels, at least one.
private func pixels(_ count: Double, atMost limit: Int) -> Int {
    count < Double(limit) ? max(1, Int(count.rounded())) : limit
}
