import Foundation
import TestSupport
import Testing

/// Masks of 8-bit models, compared with those of single precision.
struct ModelPrecisionTests {
    private static let integers = Checkout.setup.appendingPathComponent("models-int8/modnet.json").path

    /// Mean difference of coverage; the packaged clip's masks differ by 0.001 to 0.003.
    private static let tolerance: Float = 0.01

    @Test(.enabled(if: FileManager.default.fileExists(atPath: integers), "the set-up kept 8-bit models off"))
    func integersGiveTheSameMasksNearly() throws {
        let (exact, fast) = (try masks("f32"), try masks("auto"))
        #expect(exact.count == 3 && fast.count == 3)
        for (a, b) in zip(exact, fast) {
            #expect(a.count == b.count)
            let difference = zip(a, b).reduce(Float(0)) { $0 + abs($1.0 - $1.1) } / Float(a.count)
            #expect(difference > 0, "8-bit models are not in use")
            #expect(difference < Self.tolerance)
        }
    }

    private func masks(_ precision: String) throws -> [[Float]] {
        let pipeline = try Pipeline(
            "filesrc location=\(Checkout.clip.path) ! decodebin ! videorate ! video/x-raw,framerate=1/2 "
                + "! personsegment quality=balanced precision=\(precision) ! appsink name=out sync=false")
        guard pipeline.start() else { throw SetupFailure("the clip does not play") }
        return try (0..<3).map { _ in
            // A limit against hangs.
            let frame = try #require(pipeline.pullSample(from: "out"))
            return try #require(MaskMeta(frame)).values
        }
    }
}
