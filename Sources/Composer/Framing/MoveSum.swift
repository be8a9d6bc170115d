/// The sum of moves from rest to rest that begin one after the other.
struct MoveSum: Sendable {
    private struct Move {
        var way: SIMD3<Double>
        let duration: Double
        /// Seconds since the move began.
        var age: Double
    }

    /// Number of moves that may begin within the duration of one; those that begin closer together are one move.
    private static let resolution = 200.0

    /// The sum of the moves that have ended.
    private var base: SIMD3<Double>
    private var moves: [Move] = []

    /// Creates a sum that is at a place.
    init(at place: SIMD3<Double> = SIMD3()) {
        base = place
        moves.reserveCapacity(Int(Self.resolution) + 2)
    }

    /// Whether no move is in progress.
    var isFinished: Bool { moves.isEmpty }

    /// Adds a move that begins now.
    mutating func add(_ way: SIMD3<Double>, lasting duration: Double) {
        guard way != SIMD3() else { return }
        if let last = moves.indices.last, moves[last].age < duration / Self.resolution {
            moves[last].way += way
        } else {
            moves.append(Move(way: way, duration: duration, age: 0))
        }
    }

    /// Returns the place after some seconds.
    mutating func advance(by seconds: Double) -> SIMD3<Double> {
        for index in moves.indices { moves[index].age += seconds }
        for move in moves where move.age >= move.duration { base += move.way }
        moves.removeAll { $0.age >= $0.duration }
        return moves.reduce(base) { $0 + $1.way * Self.progress($1.age / $1.duration) }
    }

    /// Returns the progress of a move of minimum jerk after a share of its time.
    static func progress(_ share: Double) -> Double {
        guard share > 0 else { return 0 }
        guard share < 1 else { return 1 }
        return share * share * share * (10 + share * (6 * share - 15))
    }
}
