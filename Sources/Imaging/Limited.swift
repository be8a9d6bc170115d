extension Double {
    /// The value, or the nearer end of `low`...`high`, which holds 0; 0 for what is not a number.
    func limited(_ low: Double, _ high: Double) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, low), high)
    }
}
