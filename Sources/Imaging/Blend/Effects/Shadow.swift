/// The subject's shadow on the background, as if lit from the side: a blurred, displaced, black mask.
public struct Shadow: Sendable, Equatable {
    /// How dark the shadow's core is, 0...1.
    public var opacity: Double
    /// How far it lies right of the subject, in frame heights.
    public var x: Double
    /// How far it lies below the subject, in frame heights.
    public var y: Double
    /// Standard deviation of its (nearly) Gaussian edge, in frame heights.
    public var radius: Double

    /// A shadow; lengths are in frame heights.
    public init(opacity: Double, x: Double = 0, y: Double = 0, radius: Double = 0.02) {
        self.opacity = opacity
        self.x = x
        self.y = y
        self.radius = radius
    }
}
