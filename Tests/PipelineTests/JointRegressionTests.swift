import TestSupport
import Testing

/// Bodies and hands on the packaged images: boxes and joints stay the same.
///
/// If results are meant to change, run Tests/Goldens/regression/make_goldens.py.
struct JointRegressionTests {
    struct Item: Decodable, Sendable {
        /// x, y, width, height as fractions of the frame.
        let box: [Double]
        let confidence: Double
        /// x, y and confidence of each joint, by name.
        let joints: [String: [Double]]
        /// Chirality of a hand.
        let chirality: String?
    }

    typealias Golden = Regression<[Item]>

    /// Tolerance of positions, as a fraction of the frame: a pixel of the clip.
    ///
    /// Processors sum in different orders, which moves points by hundredths of a pixel. Tracking starts from
    /// the points of the previous frame.
    private static let placeTolerance = 0.001
    private static let confidenceTolerance = 0.01

    private static let goldens = [JointsMeta.Kind.bodies: "bodies.json", .hands: "hands.json"]
        .flatMap { kind, file in Golden.list(file).map { (kind, $0) } }

    @Test func hasGoldensOfPortraitAndClip() { #expect(Self.goldens.count == 4) }

    @Test(arguments: goldens)
    func jointsEqualTheGoldens(_ kind: JointsMeta.Kind, _ golden: Golden) throws {
        try golden.replay { frame, number, expected in
            let items = try #require(JointsMeta(frame, kind)).items.sorted { $0.box[0] < $1.box[0] }
            try #require(items.count == expected.count, "frame \(number)")
            for (item, golden) in zip(items, expected) {
                #expect(item.chirality == golden.chirality)
                for (side, kept) in zip(item.box, golden.box) {
                    #expect(abs(side - kept) <= Self.placeTolerance, "frame \(number)")
                }
                #expect(abs(item.confidence - golden.confidence) <= Self.confidenceTolerance)
                #expect(item.joints.count == golden.joints.count)
                for (name, kept) in golden.joints {
                    let joint = try #require(item.joints[name])
                    // Points outside of the image, and hidden ones, are guesses that rounding moves more.
                    guard kept[2] >= 0.5 else { continue }
                    let differences = zip(joint, kept).map { abs($0 - $1) }
                    #expect(
                        max(differences[0], differences[1]) <= Self.placeTolerance, "\(name), frame \(number)"
                    )
                    #expect(differences[2] <= 2 * Self.confidenceTolerance, "\(name), frame \(number)")
                }
            }
        }
    }
}
