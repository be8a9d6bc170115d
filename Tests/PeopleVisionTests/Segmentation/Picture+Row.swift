import TestSupport

extension Photo {
    /// Returns `count` portraits of 256x256 side by side, those from `empty` on replaced by grey.
    static func row(of count: Int, empty: Int = .max) throws -> Photo {
        guard let portrait else { throw SetupFailure("no portrait") }
        let small = portrait.placed(left: 0, top: 0, width: 256, height: 256, factor: 0.5)
        let background = grey(width: 256, height: 256)
        return (1..<count).reduce(empty > 0 ? small : background) { row, place in
            row.beside(place < empty ? small : background)
        }
    }
}
