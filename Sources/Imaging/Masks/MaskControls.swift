/// What a user may want done to a finished mask; nothing by default.
public struct MaskControls: Sendable, Equatable {
    /// Where coverage steps from 0 to 1, softly, over a tenth; 0 leaves it as it is.
    public var threshold: Float = 0
    /// Width of a blur of the outline, as a share of the mask's shorter side.
    public var feather: Float = 0
    /// How far the outline moves outwards (inwards when negative), as a share of the shorter side.
    public var expand: Float = 0
    /// Connected parts smaller than this share of the mask are dropped.
    public var minimumArea: Float = 0

    /// The neutral settings.
    public init() {}

    /// True when they change nothing.
    public var isNeutral: Bool { self == MaskControls() }
}
