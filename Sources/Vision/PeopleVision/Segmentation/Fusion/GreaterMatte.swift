import Imaging

/// Keeps what only one of a still image's two mattes shows, where the coarse coverage is certain of people.
final class GreaterMatte {
    private let rows = LinearResizer()

    /// Raises `floor` to `matte`, as far as the coverage is certain.
    ///
    /// - Parameters:
    ///   - matte: the greater matte, of any size; nil for none.
    ///   - people: coarse coverage of all people, of the size of `floor`.
    func raise(_ floor: FloatImage, to matte: FloatImage?, people: FloatImage) {
        guard let matte else { return }
        rows.begin(matte, width: floor.width, height: floor.height)
        let certain = CoverageLimits.certain
        for y in 0..<floor.height {
            let (row, alpha, coverage) = (floor.row(y), rows.row(y, of: matte), people.row(y))
            for x in 0..<floor.width { row[x] = max(row[x], min(alpha[x], certain.value(coverage[x]))) }
        }
    }
}
