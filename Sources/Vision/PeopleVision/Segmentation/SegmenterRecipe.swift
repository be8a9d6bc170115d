/// The settings from which a segmenter is loaded, on any thread.
struct SegmenterRecipe: Sendable {
    let plan: SegmentationPlan
    let configuration: GeneratePersonSegmentationRequest.Configuration
    let setup: ModelSetup
    /// The setup of the models that run on a background thread; nil where none do.
    let background: ModelSetup?

    /// Loads the segmenter.
    ///
    /// - Parameter last: the segmenter that it replaces, whose models it may take over; nil where that is in use.
    func make(after last: LookaheadSegmenter?) throws(VisionError) -> any Segmenter {
        let setup = try SegmentationSetup(setup, plan.profile)
        guard !plan.profile.passes.isEmpty else { return try FastSegmenter(plan, setup) }
        let load = { [plan] (setup: SegmentationSetup) throws(VisionError) in
            try MattingSegmenter(plan, setup, after: try last?.waitForMattingModels())
        }
        guard MaskRule.propagation.isOn, let limits = plan.profile.propagation else { return try load(setup) }
        guard let background else { return PropagatingSegmenter(try load(setup), limits) }
        guard plan.profile.computesBesideCamera else { return try load(setup) }
        let backgroundSetup = try SegmentationSetup(background, plan.profile)
        let wait: LiveSegmenter.Wait =
            configuration.waitsForBackground ? .always : configuration.passesAtOnce ? .never : .briefly
        return try LiveSegmenter(plan, limits, setup, wait) {
            () throws(VisionError) in try load(backgroundSetup)
        }
    }
}
