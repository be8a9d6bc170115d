/// The linear least-squares problem of one Gauss-Newton step in six unknowns.
struct NormalEquations {
    /// Rows of the symmetric matrix J^T W J, its lower triangle.
    private var matrix: [Double]
    /// J^T W r.
    private var right: [Double]
    private static let count = 6

    init() {
        matrix = [Double](repeating: 0, count: Self.count * Self.count)
        right = [Double](repeating: 0, count: Self.count)
    }

    mutating func clear() {
        for i in matrix.indices { matrix[i] = 0 }
        for i in right.indices { right[i] = 0 }
    }

    /// Adds a residual with its derivatives by rotation and translation.
    mutating func add(
        _ residual: Double, byTurn turn: SIMD3<Double>, byShift shift: SIMD3<Double>, weight: Double
    ) {
        let row = SIMD8(turn.x, turn.y, turn.z, shift.x, shift.y, shift.z, 0, 0)
        for i in 0..<Self.count {
            let weighted = weight * row[i]
            right[i] += weighted * residual
            for j in 0...i { matrix[i * Self.count + j] += weighted * row[j] }
        }
    }

    /// The step that makes the residuals vanish in first order, by Cholesky's method; nil when the
    /// unknowns are not determined.
    ///
    /// - Parameter damping: share of the diagonal that is added to it (Marquardt 1963).
    mutating func solve(damping: Double) -> (turn: SIMD3<Double>, shift: SIMD3<Double>)? {
        for i in 0..<Self.count { matrix[i * Self.count + i] *= 1 + damping }
        for i in 0..<Self.count {
            for j in 0...i {
                var sum = matrix[i * Self.count + j]
                for k in 0..<j { sum -= matrix[i * Self.count + k] * matrix[j * Self.count + k] }
                if i == j {
                    guard sum > 1e-12, sum.isFinite else { return nil }
                    matrix[i * Self.count + i] = sum.squareRoot()
                } else {
                    matrix[i * Self.count + j] = sum / matrix[j * Self.count + j]
                }
            }
        }
        substitute()
        let step = (SIMD3(right[0], right[1], right[2]), SIMD3(right[3], right[4], right[5]))
        return (-step.0, -step.1)
    }

    /// Forwards through the triangle, then backwards through its transpose.
    private mutating func substitute() {
        for i in 0..<Self.count {
            for k in 0..<i { right[i] -= matrix[i * Self.count + k] * right[k] }
            right[i] /= matrix[i * Self.count + i]
        }
        for i in stride(from: Self.count - 1, through: 0, by: -1) {
            for k in stride(from: i + 1, to: Self.count, by: 1) {
                right[i] -= matrix[k * Self.count + i] * right[k]
            }
            right[i] /= matrix[i * Self.count + i]
        }
    }
}
