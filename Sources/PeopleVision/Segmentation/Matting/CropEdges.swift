package import Imaging

/// Sides of a crop.
package struct CropEdges: OptionSet, Sendable {
    package let rawValue: Int

    package init(rawValue: Int) { self.rawValue = rawValue }

    package static let left = CropEdges(rawValue: 1)
    package static let right = CropEdges(rawValue: 2)
    package static let top = CropEdges(rawValue: 4)
    package static let bottom = CropEdges(rawValue: 8)

    /// Coverage that counts as a person.
    private static let person: Float = 0.5
    /// Share of a side that a person must cover; less is a stray hair.
    private static let share: Float = 0.015

    /// The sides at which a matte of a crop is cut off.
    ///
    /// - Parameters:
    ///   - values: `width` x `height` values, row by row.
    ///   - crop: in the unit square of the frame; at the frame's own edges nothing is cut off.
    package init(cutting values: UnsafeBufferPointer<Float>, width: Int, height: Int, crop: Rectangle) {
        self = []
        guard let base = values.baseAddress, width > 0, height > 0, values.count >= width * height else {
            return
        }
        func covered(from first: Int, step: Int, count: Int) -> Bool {
            var persons: Float = 0
            for i in 0..<count where base[first + i * step] > Self.person { persons += 1 }
            return persons >= max(2, Self.share * Float(count))
        }
        if crop.x > 0, covered(from: 0, step: width, count: height) { insert(.left) }
        if !crop.reachesRight, covered(from: width - 1, step: width, count: height) { insert(.right) }
        if crop.y > 0, covered(from: 0, step: 1, count: width) { insert(.top) }
        if !crop.reachesBottom, covered(from: (height - 1) * width, step: 1, count: width) {
            insert(.bottom)
        }
    }
}
