import TestSupport
import Testing

/// Bodies on the packaged pictures: boxes and joints stay what they are.
///
/// Where results are meant to change, run Tests/Goldens/regression/make_goldens.py.
struct BodyRegressionTests {
    struct Body: Decodable, Sendable {
        /// x, y, width, height as shares of the frame.
        let box: [Double]
        let confidence: Double
        /// x, y and confidence by name.
        let joints: [String: [Double]]
    }

    typealias Golden = Regression<[Body]>

    /// Of positions, as a share of the frame: a pixel of the clip.
    ///
    /// Processors sum in different orders, which moves points by hundredths of a pixel; a body that is followed starts
    /// from the points of the frame before.
    private static let placeTolerance = 0.001
    private static let confidenceTolerance = 0.01

    private static let goldens = Golden.list("bodies.json")

    @Test func portraitAndClipAreKept() { #expect(Self.goldens.count == 2) }

    @Test(arguments: goldens)
    func keepsItsBodies(_ golden: Golden) throws {
        try golden.replay { frame, number, expected in
            let bodies = try #require(BodiesMeta(frame)).bodies.sorted { $0.box[0] < $1.box[0] }
            try #require(bodies.count == expected.count, "frame \(number)")
            for (body, golden) in zip(bodies, expected) {
                for (side, kept) in zip(body.box, golden.box) {
                    #expect(abs(side - kept) <= Self.placeTolerance, "frame \(number)")
                }
                #expect(abs(body.confidence - golden.confidence) <= Self.confidenceTolerance)
                #expect(body.joints.count == golden.joints.count)
                for (name, kept) in golden.joints {
                    let joint = try #require(body.joints[name])
                    // Points outside of the picture, or hidden, are guesses that rounding moves more.
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
