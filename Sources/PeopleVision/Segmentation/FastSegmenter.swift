import Imaging

/// One small inference per frame, its mask made to follow the picture's edges and smoothed over time.
///
/// Linear functions of brightness are found at half the model's size: that costs a quarter and is as good.
final class FastSegmenter: Segmenter {
    /// Its outlines lie a little outside the person's and are too soft.
    private static let tone = LinearStep(middle: 0.575, contrast: 2)
    /// What is narrower than 2 of this + 1 values, at half the model's size, is a pattern of the background
    /// more often than a part of a person.
    private static let spike = 1

    private let scout: Scout
    private let extremum = MorphologyFilter()
    private let guide = GuidedFilter(radius: 1, flatness: 0.001)
    private let smoother = TemporalMaskFilter()
    private let mask = FloatImage()
    private let result = FloatImage()

    init(_ plan: SegmentationPlan, _ setup: ModelSetup) throws(VisionError) {
        scout = try Scout(plan.scout, isCoarse: true, setup)
    }

    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> FloatImage {
        if try !scout.look(at: image, orientation: orientation) { smoother.reset() }
        extremum.erode(scout.mask, radius: Self.spike)
        extremum.dilate(scout.mask, radius: Self.spike)
        guide.refine(scout.mask, coarse: scout.coarseBrightness, guide: scout.brightness, into: mask)
        smoother.smooth(mask, still: scout.stillness.grid, strength: smoothing)
        result.copy(mask, tone: Self.tone)
        return result
    }

    func reset() {
        scout.reset()
        smoother.reset()
    }
}
