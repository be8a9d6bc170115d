/// How many things of a stream are followed, and how certain they have to be.
package struct TrackingLimits {
    /// How many at most.
    package let most: Int
    /// The presence that they need to stay, 0...1.
    package let least: Double

    package init(most: Int, least: Double) { (self.most, self.least) = (most, least) }

    /// Limits under which something is still followed when its confidence falls below the least that is reported, so that
    /// its track does not end and start again.
    package init(most: Int, reportedFrom minimumConfidence: Double) {
        self.init(most: most, least: min(max(minimumConfidence, Self.lowest), Self.highest))
    }

    /// Below this presence, 0...1, there is nothing.
    private static let lowest = 0.05
    /// The presence, 0...1, from which the models' authors take something as found.
    private static let highest = 0.5
}
