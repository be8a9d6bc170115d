import Imaging

extension FloatImage {
    /// The mean of the values at the places at which `isCovered` holds for `coverage`, an image of the same size.
    ///
    /// - Parameter region: the part that counts; nil for the whole image.
    /// - Returns: nil when there is no such place.
    func mean(
        where coverage: FloatImage, in region: PixelRect? = nil, _ isCovered: (Float) -> Bool
    ) -> Float? {
        let region = region ?? PixelRect(x: 0, y: 0, width: width, height: height)
        var (sum, area) = (Float(0), Float(0))
        for y in region.y..<(region.y + region.height) {
            let (values, covers) = (row(y), coverage.row(y))
            for x in region.x..<(region.x + region.width) where isCovered(covers[x]) {
                sum += values[x]
                area += 1
            }
        }
        return area > 0 ? sum / area : nil
    }
}
