/// A linear step: 0 up to a value, 1 from another one on, and a straight line between them.
///
/// It raises the contrast of a soft mask, or converts any measure to coverage or a weight.
package struct LinearStep: Equatable, Sendable {
    /// The value that becomes one half.
    package let middle: Float
    /// Slope of the line: the change of the result per unit of the value.
    package let contrast: Float

    /// Creates the step that passes 0.5 at `middle` with the slope `contrast`.
    package init(middle: Float, contrast: Float) {
        self.middle = middle
        self.contrast = contrast
    }

    /// Creates the step that leaves 0 at `low` and reaches 1 at `high`.
    package init(from low: Float, to high: Float) {
        self.init(middle: (low + high) / 2, contrast: 1 / (high - low))
    }

    /// The greatest value that becomes 0.
    package var low: Float { middle - 0.5 / contrast }
    /// The least value that becomes 1.
    package var high: Float { middle + 0.5 / contrast }

    /// Returns the step at `value`, 0...1; 0 for NaN.
    @inline(__always)
    package func value(_ value: Float) -> Float { MaskCoding.clamped((value - middle) * contrast + 0.5) }
}

extension FloatImage {
    /// Replaces every value by the step at this value.
    package func apply(_ tone: LinearStep) { copy(self, tone: tone) }

    /// Copies the size of `other`, and the step at each of its values.
    package func copy(_ other: FloatImage, tone: LinearStep) {
        resize(width: other.width, height: other.height)
        let (source, target, count) = (other.base, base, count)
        for i in 0..<count { target[i] = tone.value(source[i]) }
    }
}
