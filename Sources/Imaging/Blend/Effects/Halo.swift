/// A coloured outline around the subject.
public struct Halo: Sendable, Equatable {
    /// The outline's colour.
    public var color: RGBColor
    /// How far it reaches beyond the subject, in frame heights.
    public var width: Double

    /// An outline; `width` is in frame heights.
    public init(color: RGBColor, width: Double) {
        self.color = color
        self.width = width
    }
}
