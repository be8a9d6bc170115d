/// One direction of a component's sample grid.
///
/// A pixel position is continuous: pixel i covers [i, i + 1). An index position counts samples and is
/// whole at a sample's centre, so that interpolation weights are its fractions.
struct SampleAxis: Equatable {
    /// Number of samples.
    let count: Int
    /// log2 of the pixels that share a sample.
    let shift: Int
    /// True when a shared sample sits on the first of its pixels, false when centred among them.
    let cosited: Bool

    /// Index positions per pixel.
    let scale: Double
    /// The index position of pixel position 0.
    let offset: Double

    init(count: Int, shift: Int, cosited: Bool) {
        (self.count, self.shift, self.cosited) = (count, shift, cosited)
        scale = 1 / Double(1 << shift)
        offset = cosited ? -0.5 * scale : -0.5
    }
}

extension ComponentLayout {
    /// The grid's horizontal direction in an image of `width` pixels.
    func horizontalAxis(width: Int, site: Colorimetry.ChromaSite) -> SampleAxis {
        SampleAxis(count: sampleWidth(width), shift: widthShift, cosited: site.cositedHorizontally)
    }

    /// The grid's vertical direction in an image of `height` pixels.
    func verticalAxis(height: Int, site: Colorimetry.ChromaSite) -> SampleAxis {
        SampleAxis(count: sampleHeight(height), shift: heightShift, cosited: site.cositedVertically)
    }
}

extension PixelLayout {
    /// The vertical direction that all components of `plane` share.
    func verticalAxis(plane: Int, height: Int, site: Colorimetry.ChromaSite) -> SampleAxis {
        SampleAxis(
            count: rows(plane: plane, height: height), shift: heightShift(plane: plane),
            cosited: site.cositedVertically)
    }
}
