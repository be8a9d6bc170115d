/// A straight line that turns a model's values into coverage; what falls outside 0...1 is clamped.
package struct LinearStep: Equatable, Sendable {
    /// The value that becomes one half.
    package let middle: Float
    /// Steepness.
    package let contrast: Float

    /// A tone curve.
    package init(middle: Float, contrast: Float) {
        self.middle = middle
        self.contrast = contrast
    }

    /// The curve that is 0 at `low` and 1 at `high`.
    package init(from low: Float, to high: Float) {
        self.init(middle: (low + high) / 2, contrast: 1 / (high - low))
    }

    /// What becomes of one value.
    @inline(__always)
    package func value(_ value: Float) -> Float { MaskCoding.clamped((value - middle) * contrast + 0.5) }

    /// For the selfie models, whose outline lies a little outside the person's and is too soft.
    package static let selfie = LinearStep(middle: 0.55, contrast: 1.5)

    /// For MODNet's mattes, which leave a faint veil on the background and a faint one off people.
    package static let matte = LinearStep(middle: 0.5, contrast: 1.1)
}

extension FloatImage {
    /// Changes all values by `tone`.
    package func apply(_ tone: LinearStep) { copy(self, tone: tone) }

    /// Takes over `other`, its values changed by `tone`.
    package func copy(_ other: FloatImage, tone: LinearStep) {
        resize(width: other.width, height: other.height)
        let (source, target, count) = (other.base, base, count)
        for i in 0..<count { target[i] = tone.value(source[i]) }
    }
}
