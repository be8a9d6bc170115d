extension Collection<UInt8> {
    /// Returns the index of the first bytes that are equal to a mark; nil where there are none.
    ///
    /// - Parameter mark: one byte or more.
    func firstIndex(of mark: [UInt8]) -> Index? {
        guard let first = mark.first else { return nil }
        // The first byte by itself: in the standard library's `firstRange`, each place costs a call.
        return indices.first { self[$0] == first && self[$0...].starts(with: mark) }
    }

    /// Whether the bytes of a mark, which has one or more, are among these in a row.
    func contains(_ mark: [UInt8]) -> Bool { firstIndex(of: mark) != nil }
}
