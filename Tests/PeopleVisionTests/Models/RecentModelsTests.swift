import Inference
import PeopleVision
import TestSupport
import Testing

/// Tests that requests which are made for one image each do not load the models of the last one again.
@Suite(.serialized) struct RecentModelsTests {
    /// A number of threads that no other test asks for, so that these models are this test's own.
    private static let threads = 3

    private func load(keepsModels: Bool) throws -> CompiledModel {
        let setup = ModelSetup(
            device: "CPU", threads: Self.threads, modelPath: Checkout.models.path, keepsModels: keepsModels)
        return try setup.load(setup.find("face_detection_short_range")).model
    }

    @Test(arguments: [true, false]) func modelsOfImagesStay(keepsModels: Bool) throws {
        weak var model: CompiledModel?
        do { model = try load(keepsModels: keepsModels) }
        #expect((model != nil) == keepsModels)
        DetectFaceRectanglesRequest().unload()
        #expect(model == nil)
    }

    @Test(arguments: [AnalysisMode.image, .recording, .camera])
    func modelsOfStreamsDoNot(mode: AnalysisMode) {
        var (faces, masks) = (
            DetectFaceRectanglesRequest.Configuration(), GeneratePersonSegmentationRequest.Configuration()
        )
        (faces.mode, masks.mode) = (mode, mode)
        #expect(faces.setup.keepsModels == (mode == .image))
        #expect(masks.setup.keepsModels == (mode == .image))
    }
}
