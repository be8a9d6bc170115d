/// The background out of focus, without the subject's colours; pictures are blurred as well.
public struct Blur: Sendable, Equatable {
    /// Standard deviation of the (nearly) Gaussian blur in frame heights: 0.02 is soft, 0.1 strong.
    ///
    /// It is limited to 0...`maximumRadius`.
    public var radius: Double

    /// The strongest blur, in frame heights.
    public static let maximumRadius = 0.5

    /// A blur of a standard deviation in frame heights.
    public init(radius: Double) { self.radius = radius }
}
