import Inference
import TestSupport
import Testing

/// Tests that compiled models outlive their requests for a while, and no longer.
@Suite(.enabled(if: Place.hasOpenVINO, "needs .gst-people/openvino: run pipelines/setup"), .serialized)
struct RecentModelsTests {
    private let engine = Engine.forTests()

    /// Far longer than a test takes.
    private static let long = 3600.0

    @Test func aModelIsKeptUntilAllAreReleased() throws {
        let recent = RecentModels(lifetime: Self.long)
        weak var model: CompiledModel?
        do {
            let compiled = try engine.compiledModel(fixture("scale"))
            recent.keep(compiled)
            model = compiled
        }
        #expect(model != nil)
        #expect(try engine.compiledModel(fixture("scale")) === model)
        recent.release()
        #expect(model == nil)
    }

    @Test func aModelIsReleasedWhenItsTimeHasEnded() throws {
        let recent = RecentModels(lifetime: 0.01)
        weak var model: CompiledModel?
        // The thread that has released all models begins anew.
        for _ in 0..<3 {
            do {
                let compiled = try engine.compiledModel(fixture("scale"))
                recent.keep(compiled)
                model = compiled
            }
            #expect(Patience.wait { model == nil })
        }
    }

    /// Pictures of many sizes do not keep a model for each size.
    @Test func theNewestSizeIsKept() throws {
        let recent = RecentModels(lifetime: Self.long)
        weak var former: CompiledModel?
        weak var newest: CompiledModel?
        do {
            let sizes = try [2, 4].map {
                try engine.compiledModel(fixture("free_size"), width: $0, height: 2)
            }
            sizes.forEach(recent.keep)
            (former, newest) = (sizes[0], sizes[1])
        }
        #expect(former == nil && newest != nil)
        recent.release()
    }
}
