/// The exponential moving average of a model's confidence in what is followed, 0...1: single images leave doubts.
package struct ConfidenceMean {
    package private(set) var value: Double

    /// Weight of the past in the mean.
    private static let pastWeight = 0.8
    /// With less presence than this, 0...1, what was followed is gone, and the past no longer counts.
    private static let minimumPresence = 0.1

    /// - Parameter first: the confidence in the first frame.
    package init(_ first: Double) { value = first }

    /// Takes the confidence in the next frame into the mean.
    package mutating func add(_ confidence: Double) { value = mean(with: confidence) }

    /// Takes the presence in the next frame into the mean; one that says that nothing is there replaces it.
    package mutating func add(presence: Double) { value = mean(withPresence: presence) }

    /// What the mean would be after `add(presence:)`.
    package func mean(withPresence presence: Double) -> Double {
        presence >= Self.minimumPresence ? mean(with: presence) : presence
    }

    private func mean(with confidence: Double) -> Double {
        Self.pastWeight * value + (1 - Self.pastWeight) * confidence
    }
}
