import PeopleVision
import Testing

/// Tests of the pairs with the largest sum of scores.
struct OptimalAssignmentTests {
    private func columns(_ scores: [[Double]]) -> [Int?] {
        var assignment = OptimalAssignment()
        assignment.assign(rows: scores.count, columns: scores.first?.count ?? 0) { scores[$0][$1] }
        return assignment.columns
    }

    @Test func maximisesTheSumNotTheBestPair() {
        #expect(columns([[0.9, 0.8], [0.85, 0.1]]) == [1, 0])
    }

    @Test func pairsWithoutAScoreStayUnassigned() {
        #expect(columns([[0, 0.4], [0, 0.5]]) == [nil, 1])
        #expect(columns([[-1, -2]]) == [nil])
        #expect(columns([[], []]) == [nil, nil])
        #expect(columns([]).isEmpty)
    }

    @Test func rowsAndColumnsMayBeLeftOver() {
        #expect(columns([[0.1, 0.2, 0.9]]) == [2])
        #expect(columns([[0.1], [0.9], [0.2]]) == [nil, 0, nil])
    }

    @Test func endsWithUndefinedScores() { #expect(columns([[.nan, .nan], [.nan, .nan]]).count == 2) }

    /// The sum is compared with all permutations.
    @Test func theSumIsTheLargest() {
        var random: UInt64 = 7
        func next() -> Double {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Double(random >> 40) / Double(1 << 24)
        }
        for _ in 0..<50 {
            let scores = (0..<4).map { _ in (0..<5).map { _ in next() } }
            let pairs = zip(scores, columns(scores))
            let sum = pairs.reduce(0) { sum, pair in sum + (pair.1.map { pair.0[$0] } ?? 0) }
            #expect(abs(sum - best(scores[...], of: Set(0..<5))) < 1e-9)
        }
    }

    private func best(_ rows: ArraySlice<[Double]>, of columns: Set<Int>) -> Double {
        guard let row = rows.first else { return 0 }
        let rest = rows.dropFirst()
        return columns.map { row[$0] + best(rest, of: columns.subtracting([$0])) }.max() ?? 0
    }
}
