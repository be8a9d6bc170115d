import TestSupport
import Testing

/// Faces on the packaged images: boxes and angles stay the same.
///
/// If results are meant to change, run Tests/Goldens/regression/make_goldens.py.
struct FaceRegressionTests {
    struct Face: Decodable, Sendable {
        /// x, y, width, height as fractions of the frame.
        let box: [Double]
        let confidence: Double
        /// Angles in radians.
        let roll, yaw, pitch: Double
    }

    typealias Golden = Regression<[Face]>

    /// Tolerance of box edges, as a fraction of the frame: half a pixel of the clip.
    ///
    /// Processors sum in different orders, which moves points by hundredths of a pixel. A tracked face starts
    /// from the points of the previous frame.
    private static let boxTolerance = 0.0005
    /// Tolerance of half a degree: the angles follow from points that move by hundredths of a pixel.
    private static let angleTolerance = 0.5 * Double.pi / 180
    private static let confidenceTolerance = 0.01

    private static let goldens = Golden.list("faces.json")

    @Test func hasGoldensOfPortraitAndClip() { #expect(Self.goldens.count == 2) }

    @Test(arguments: goldens)
    func facesEqualTheGoldens(_ golden: Golden) throws {
        try golden.replay { frame, number, expected in
            let faces = try #require(FacesMeta(frame)).faces.sorted { $0.box[0] < $1.box[0] }
            try #require(faces.count == expected.count, "frame \(number)")
            for (face, golden) in zip(faces, expected) {
                for (side, kept) in zip(face.box, golden.box) {
                    #expect(abs(side - kept) <= Self.boxTolerance, "frame \(number)")
                }
                let angles = [face.roll - golden.roll, face.yaw - golden.yaw, face.pitch - golden.pitch]
                #expect(angles.allSatisfy { abs($0) <= Self.angleTolerance }, "frame \(number): \(angles)")
                #expect(abs(face.confidence - golden.confidence) <= Self.confidenceTolerance)
            }
        }
    }
}
