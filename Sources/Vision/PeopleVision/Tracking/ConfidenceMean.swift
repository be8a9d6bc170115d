/// Exponential moving average of a model's confidence in a followed thing, 0...1.
///
/// Single images leave doubts.
package struct ConfidenceMean {
    package private(set) var value: Double

    /// Weight of the past in the mean.
    private static let pastWeight = 0.8
    /// Presence, 0...1, below which the thing is gone and the past no longer counts.
    private static let minimumPresence = 0.1

    /// Creates a mean.
    ///
    /// - Parameter first: confidence in the first frame.
    package init(_ first: Double) { value = first }

    /// Adds the confidence in the next frame to the mean.
    package mutating func add(_ confidence: Double) { value = mean(with: confidence) }

    /// Adds the presence in the next frame to the mean; a presence that says that nothing is there replaces
    /// the mean.
    package mutating func add(presence: Double) { value = mean(withPresence: presence) }

    /// Returns the mean as it would be after `add(presence:)`.
    package func mean(withPresence presence: Double) -> Double {
        presence >= Self.minimumPresence ? mean(with: presence) : presence
    }

    private func mean(with confidence: Double) -> Double {
        Self.pastWeight * value + (1 - Self.pastWeight) * confidence
    }
}
