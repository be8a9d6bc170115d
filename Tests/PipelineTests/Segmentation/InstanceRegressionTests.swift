import TestSupport
import Testing

/// People and subjects, one by one, on the packaged media: ids, boxes and parts of the mask stay the same.
///
/// If results are meant to change, run Tests/Goldens/regression/make_goldens.py.
struct InstanceRegressionTests {
    struct Person: Decodable, Sendable {
        let id: Int
        /// x, y, width, height as fractions of the frame.
        let box: [Double]
        /// Fraction of the label map.
        let share: Double
    }

    typealias Golden = Regression<[Person]>

    /// Tolerance of positions and fractions: processors sum in different orders, which moves them by less.
    private static let tolerance = 0.002

    private static let goldens = Golden.list("instances.json")

    @Test func hasGoldensOfTheClip() { #expect(Self.goldens.first?.frames.count == 3) }

    @Test(arguments: goldens)
    func peopleEqualTheGoldens(_ golden: Golden) throws {
        try golden.replay { frame, number, expected in
            let meta = try #require(MaskMeta(frame))
            let (found, labels) = (try #require(meta.instances), try #require(meta.labels))
            let people = found.sorted { $0.box[0] < $1.box[0] }
            try #require(people.map(\.id) == expected.map(\.id), "frame \(number)")
            for (person, golden) in zip(people, expected) {
                for (side, kept) in zip(person.box, golden.box) {
                    #expect(abs(side - kept) <= Self.tolerance, "frame \(number)")
                }
                let share = Double(labels.count { Int($0) == person.label }) / Double(labels.count)
                #expect(abs(share - golden.share) <= Self.tolerance, "frame \(number)")
            }
        }
    }
}
