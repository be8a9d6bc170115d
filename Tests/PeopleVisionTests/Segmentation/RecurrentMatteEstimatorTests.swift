import Foundation
import Imaging
import Inference
import PeopleVision
import TestSupport
import Testing

/// Tests with a model whose alpha is a quarter of the brightness, added up from frame to frame.
struct RecurrentMatteEstimatorTests {
    private let models: Scratch

    init() throws { models = try Scratch.copyingFixture("accumulator") }

    private func estimator(
        _ width: Int, _ height: Int, _ profile: QualityProfile = .balanced
    ) throws -> RecurrentMatteEstimator {
        let size = Size(width: Double(width), height: Double(height))
        let setup = ModelSetup(device: "CPU", threads: 0, modelPath: models.path("accumulator.xml"))
        return try RecurrentMatteEstimator(SegmentationPlan(profile, size: size), setup)
    }

    /// Returns the matte at the middle of both halves of a frame, black on the left and `brightness` on the
    /// right.
    private func matte(
        _ estimator: RecurrentMatteEstimator, _ brightness: UInt8, _ width: Int = 640, _ height: Int = 360,
        orientation: ImageOrientation = .up
    ) throws -> [Float] {
        let bytes = (0..<(width * height)).flatMap { i in
            [UInt8](repeating: i % width < width / 2 ? 0 : brightness, count: 3)
        }
        let image = Photo(width: width, height: height, bytes: bytes).image
        var planner = CropPlanner()
        try estimator.estimate(image.view, orientation: orientation, &planner)
        let matte = estimator.matte
        return [matte[matte.width / 4, matte.height / 2], matte[matte.width * 3 / 4, matte.height / 2]]
    }

    /// Returns alpha without its faint veil, up to 1/22.
    private func clear(_ alpha: Float) -> Float { max(0, (22 * alpha - 1) / 20) }

    private func expect(_ values: [Float], _ left: Float, _ right: Float) {
        #expect(abs(values[0] - clear(left)) < 0.01 && abs(values[1] - clear(right)) < 0.01, "\(values)")
    }

    @Test func theStateGoesFromFrameToFrame() throws {
        let estimator = try estimator(640, 360)
        for sum in [0.2, 0.4, 0.6] as [Float] { expect(try matte(estimator, 204), 0, sum) }
        expect(try matte(estimator, 0), 0, 0.6)
        #expect(estimator.matte.width == 640 && estimator.matte.height == 360)
    }

    @Test func theStateIsResetWithTheStream() throws {
        let estimator = try estimator(640, 360)
        expect(try matte(estimator, 204), 0, 0.2)
        estimator.reset()
        expect(try matte(estimator, 204), 0, 0.2)
        expect(try matte(estimator, 204), 0, 0.4)
    }

    @Test func aFrameWithoutPeopleIsEmpty() throws {
        let estimator = try estimator(640, 360)
        expect(try matte(estimator, 204), 0, 0.2)
        estimator.clear()
        #expect(estimator.matte.values.allSatisfy { $0 == 0 })
    }

    @Test func aTurnedFrameIsMattedUpright() throws {
        let estimator = try estimator(360, 640)
        _ = try matte(estimator, 204, orientation: .right)
        let matte = estimator.matte
        #expect(matte.width == 360 && matte.height == 640)
        let (upper, lower) = (matte[180, 160], matte[180, 480])
        #expect(abs(max(upper, lower) - clear(0.2)) < 0.01 && min(upper, lower) < 0.01)
    }

    @Test func levelsAndTheRatioDecideTheInputSize() throws {
        // Sides of 288 and 512 inside, and twice that at the input with the fixture's ratio of 0.5.
        #expect(try estimator(1280, 720).inputSize == [576, 320])
        #expect(try estimator(720, 1280, .accurate).inputSize == [576, 1024])
        try models.edit("accumulator.json", "\"downsampleRatio\": 0.5", "\"downsampleRatio\": 1")
        #expect(try estimator(1280, 720).inputSize == [288, 160])
    }

    @Test(arguments: ["0", "2", "\"half\"", "-1"]) func refusesInvalidRatios(_ ratio: String) throws {
        try models.edit("accumulator.json", "\"downsampleRatio\": 0.5", "\"downsampleRatio\": \(ratio)")
        let error = thrown(VisionError.self) { try estimator(640, 360) }
        guard case .inference(.unsupportedModel) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }
}
