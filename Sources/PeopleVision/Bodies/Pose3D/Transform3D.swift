/// An affine transform of space: a matrix of four columns, the last of which is the translation.
public struct Transform3D: Sendable, Equatable {
    /// The columns, in order; x, y, z, w.
    public var columns: (SIMD4<Double>, SIMD4<Double>, SIMD4<Double>, SIMD4<Double>)

    /// A translation by `offset`.
    public init(translation offset: SIMD3<Double>) {
        columns = (
            SIMD4(1, 0, 0, 0), SIMD4(0, 1, 0, 0), SIMD4(0, 0, 1, 0), SIMD4(offset.x, offset.y, offset.z, 1)
        )
    }

    /// Where the origin goes.
    public var translation: SIMD3<Double> { SIMD3(columns.3.x, columns.3.y, columns.3.z) }

    /// Whether all numbers are the same.
    public static func == (a: Transform3D, b: Transform3D) -> Bool {
        a.columns.0 == b.columns.0 && a.columns.1 == b.columns.1 && a.columns.2 == b.columns.2
            && a.columns.3 == b.columns.3
    }
}
