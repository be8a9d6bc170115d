/// Where a position falls among samples: between `index` and its right neighbour.
struct LinearTap {
    /// The left sample.
    let index: Int32
    /// Weight of the right sample, 0...1.
    let fraction: Float

    /// The tap for an index position; positions outside read the edge sample.
    ///
    /// `index` + 1 may equal `samples`: rows that are read this way repeat their last sample once.
    init(position: Double, samples: Int) {
        let inside = min(max(position, 0), Double(samples - 1))
        let left = Int(inside)
        index = Int32(truncatingIfNeeded: left)
        fraction = Float(inside - Double(left))
    }

    /// The right sample if it has any weight, else the left one.
    var last: Int { Int(index) + (fraction > 0 ? 1 : 0) }
}
