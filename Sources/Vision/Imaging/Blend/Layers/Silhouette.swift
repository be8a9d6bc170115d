/// A mask without stray values far from its subjects.
///
/// Layers that draw around a subject would draw a ring or a blot around each stray value.
final class Silhouette {
    /// Minimum coverage of a visible value, 0...1; pieces are connected visible values.
    static let seen: Float = 0.05
    /// Minimum coverage of a certain value, 0...1.
    private static let certain: Float = 0.5
    /// Certain area of the smallest subject, as a share of the largest subject's.
    ///
    /// Pieces that `fast` finds before 24 patterned walls, and besides the people of 95 photos, have none or
    /// more than a tenth; a hand that the mask shows apart from its arm has one or two hundredths.
    private static let smallestShare: Float = 0.005

    private let values = FloatImage()
    private let certainty = FloatImage()
    private let components = ConnectedComponents()

    /// Returns the mask's values without stray ones; valid until the next call.
    func values(of mask: FloatImage) -> FloatImage {
        values.copy(mask)
        certainty.resize(width: mask.width, height: mask.height)
        for i in 0..<mask.count { certainty.base[i] = mask.base[i] > Self.certain ? 1 : 0 }
        components.find(in: mask, above: Self.seen)
        components.measure(certainty)
        var largest: Float = 0
        components.forEach { largest = max(largest, $0.sum) }
        let smallest = Self.smallestShare * largest
        components.paint(on: values) { $0.sum > 0 && $0.sum >= smallest ? nil : 0 }
        return values
    }
}
