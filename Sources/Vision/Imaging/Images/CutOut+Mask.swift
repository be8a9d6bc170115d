extension CutOut {
    /// Cuts out the part that a mask covers, upright, and removes the old background's colour from soft
    /// edges.
    ///
    /// - Parameters:
    ///   - image: image of any format; only its colours count, not its alpha.
    ///   - mask: mask of the whole stored image, at any size.
    ///   - orientation: orientation of the stored image.
    ///   - smallestPart: minimum certain area of a part, as a share of the largest one's, 0...1; smaller
    ///     parts are left out.
    ///   - isCropped: whether the result is cropped to the visible part.
    /// - Returns: nil when nothing is visible, or memory is short.
    package init?(
        _ image: ImageView, mask: Mask, orientation: ImageOrientation = .up, smallestPart: Double = 0.002,
        isCropped: Bool = true
    ) {
        guard let copy = UprightImage(image, orientation), let mask = mask.upright(orientation) else {
            return nil
        }
        // The code below uses only pointers into the memory of both.
        defer { withExtendedLifetime((copy, mask)) {} }
        let composition = Composition(source: .transparent(premultiplied: false), decontaminate: true)
        do throws(CompositingError) {
            try MaskCompositor().composite(copy.view, mask: mask.view, composition)
        } catch { return nil }
        self.init(ImageView(copy.view), smallestPart: smallestPart, isCropped: isCropped)
    }
}

extension Mask {
    /// Returns the mask of the upright image; nil when memory is short.
    package func upright(_ orientation: ImageOrientation) -> Mask? {
        guard orientation != .up else { return self }
        let (width, height) = orientation.upright(view.width, view.height)
        guard let region = FrameTransform.orientation(orientation).inverse else { return nil }
        let rotated = try? Mask(format: view.format, width: width, height: height) { rotated in
            try values.withUnsafeBufferPointer { values in
                try MaskWriter().write(
                    values, width: view.width, height: view.height, region: region, into: rotated)
            }
        }
        return rotated ?? nil
    }
}
