import Foundation
import TestSupport
import Testing

/// Masks of all qualities on the packaged images: a revision keeps its results.
///
/// If results are meant to change, run Tests/Goldens/regression/make_goldens.py and look at the masks.
struct SegmentationRegressionTests {
    typealias Golden = Regression<String>

    /// Maximum mean difference of coverage.
    ///
    /// Processors sum in different orders, which moves coverage by less than 0.001, and goldens are rounded
    /// to 8 bits. A visible change of thresholds or filters moves coverage by 0.005 and more.
    private static let meanTolerance: Float = 0.003
    /// Maximum difference of one cell, of about 17x17 pixels of the clip: a row of its pixels may change.
    private static let cellTolerance: Float = 0.06

    private static let goldens = Golden.list("segmentation.json")

    @Test func hasGoldensOfAllLevels() {
        let qualities = Self.goldens.map { golden in
            golden.element.split(separator: " ").first { $0.hasPrefix("quality=") }?.dropFirst(8)
        }
        let counts = Dictionary(grouping: qualities) { $0 ?? "none" }.mapValues(\.count)
        #expect(counts == ["fast": 2, "balanced": 2, "accurate": 2])
    }

    @Test(arguments: goldens)
    func masksEqualTheGoldens(_ golden: Golden) throws {
        try golden.replay { frame, number, file in
            let expected = try GrayImage(contentsOf: Golden.folder.appendingPathComponent(file))
            let mask = try #require(MaskMeta(frame))
            let found = try #require(mask.grid(expected.width, expected.height))
            let differences = zip(expected.values, found).map { abs($0 - $1) }
            let mean = differences.reduce(0, +) / Float(differences.count)
            let maximum = differences.max() ?? 1
            #expect(mean <= Self.meanTolerance, "frame \(number)")
            #expect(maximum <= Self.cellTolerance, "frame \(number)")
        }
    }
}

extension MaskMeta {
    /// Returns the mean coverage of the pixels whose centres lie in each cell of a grid; nil if a cell
    /// contains none.
    fileprivate func grid(_ columns: Int, _ rows: Int) -> [Float]? {
        guard let width = int("width"), let height = int("height"), width >= columns, height >= rows else {
            return nil
        }
        let values = values
        guard values.count == width * height else { return nil }
        var (sums, counts) = (
            [Float](repeating: 0, count: columns * rows), [Float](repeating: 0, count: columns * rows)
        )
        for y in 0..<height {
            for x in 0..<width {
                let cell = y * rows / height * columns + x * columns / width
                sums[cell] += values[y * width + x]
                counts[cell] += 1
            }
        }
        return zip(sums, counts).map { $0 / $1 }
    }
}
