import Imaging
import PeopleVision
import Testing

/// Tests of the refinement of points by heat maps, compared with the mean written out.
@Suite struct HeatMapsTests {
    private static let side = 16
    private static let count = 3

    /// Returns a refined point.
    ///
    /// Values before the sigmoid are `background` everywhere except in `cells` of map 1.
    private func refined(
        _ point: Point, background: Float = -20, _ cells: [(x: Int, y: Int, value: Float)]
    ) -> Point {
        var values = [Float](repeating: background, count: Self.side * Self.side * Self.count)
        for cell in cells { values[(cell.y * Self.side + cell.x) * Self.count + 1] = cell.value }
        return values.withUnsafeBufferPointer {
            HeatMaps(values: $0, side: Self.side, count: Self.count).refined(point, 1)
        }
    }

    @Test func movesToTheWeightedMeanOfItsSurroundings() {
        // The sigmoids of 0 and of ln 3 are 1/2 and 3/4.
        let point = refined(Point(x: 8.5 / 16, y: 8.5 / 16), [(7, 8, 0), (9, 10, 1.0986123)])
        #expect(abs(point.x * 16 - (0.5 * 7 + 0.75 * 9) / 1.25) < 1e-4)
        #expect(abs(point.y * 16 - (0.5 * 8 + 0.75 * 10) / 1.25) < 1e-4)
    }

    @Test func staysWithoutCertainValues() {
        let point = Point(x: 0.53, y: 0.21)
        #expect(refined(point, [(8, 3, -0.1)]) == point)
        #expect(refined(point, [(8, 9, 5)]) == point, "too far away")
        #expect(refined(point, background: .nan, []) == point)
    }

    @Test func readsNothingBeyondTheEdges() {
        let corner = refined(Point(x: 0.01, y: 0.99), [(0, 15, 3)])
        #expect(abs(corner.x) < 1e-6 && abs(corner.y * 16 - 15) < 1e-4)
        for point in [Point(x: -0.1, y: 0.5), Point(x: 0.5, y: 1), Point(x: .nan, y: 0.5)] {
            let same = refined(point, [(0, 8, 5)])
            #expect(same.x == point.x || same.x.isNaN)
            #expect(same.y == point.y)
        }
    }
}
