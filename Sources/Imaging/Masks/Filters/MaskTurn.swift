extension MaskGrid {
    /// Raises values to those of `source` where that lies in the mask; linear, nothing outside.
    ///
    /// - Parameter placement: from the unit square of `source` to that of the mask; may turn.
    package func raise(to source: MaskGrid, placed placement: FrameTransform) {
        guard let back = placement.inverse, back.isWithinReason, placement.isWithinReason else { return }
        let place = PixelRect(placement.map(.unit), width: width, height: height)
        let (stepX, stepY) = (1 / Double(width), 1 / Double(height))
        for y in place.y..<(place.y + place.height) {
            let row = row(y)
            for x in place.x..<(place.x + place.width) {
                let at = back.map(Point(x: (Double(x) + 0.5) * stepX, y: (Double(y) + 0.5) * stepY))
                guard at.x >= 0, at.x <= 1, at.y >= 0, at.y <= 1 else { continue }
                row[x] = max(row[x], source.value(at: at))
            }
        }
    }

    /// The value at a point of the unit square, linear between pixel centres.
    private func value(at point: Point) -> Float {
        let across = LinearTap(position: point.x * Double(width) - 0.5, samples: width)
        let down = LinearTap(position: point.y * Double(height) - 0.5, samples: height)
        let (upper, lower) = (row(Int(down.index)), row(down.last))
        let (left, right) = (Int(across.index), across.last)
        let above = upper[left] + (upper[right] - upper[left]) * across.fraction
        let below = lower[left] + (lower[right] - lower[left]) * across.fraction
        return above + (below - above) * down.fraction
    }
}
