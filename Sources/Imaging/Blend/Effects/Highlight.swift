/// Another exposure and less colour for the background, so that the subject stands out.
public struct Highlight: Sendable, Equatable {
    /// Change of the light in stops: -1 halves it, 1 doubles it; limited to -10...10.
    public var exposure: Double
    /// Share of the colour that is taken away: 0 none, 1 all (grey).
    public var desaturation: Double

    /// A highlight; without arguments it changes nothing.
    public init(exposure: Double = 0, desaturation: Double = 0) {
        self.exposure = exposure
        self.desaturation = desaturation
    }
}
