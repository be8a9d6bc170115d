import Imaging

/// One small inference per frame; its mask then follows the picture's edges at twice the size.
final class FastSegmenter: Segmenter {
    private let scout: Scout
    private let brightness = BrightnessPyramid()
    private let guide = GuidedFilter(radius: 2, flatness: 0.001)
    private let smoother = TemporalMaskFilter()
    private let mask = MaskGrid()
    private let result = MaskGrid()

    init(_ plan: SegmentationPlan, _ setup: SegmentationModel.Setup) throws(VisionError) {
        scout = try Scout(plan.scout, setup)
    }

    func segment(
        _ image: ImageView, orientation: ImageOrientation, smoothing: Float
    ) throws(VisionError) -> MaskGrid {
        if try !scout.look(at: image, orientation: orientation) { smoother.reset() }
        brightness.update(
            image, orientation: orientation, width: scout.mask.width, height: scout.mask.height)
        guide.refine(scout.mask, coarse: brightness.coarse, fine: brightness.fine, into: mask)
        smoother.smooth(mask, still: scout.stillness.grid, strength: smoothing)
        result.copy(mask, tone: .selfie)
        return result
    }

    func reset() {
        scout.reset()
        smoother.reset()
    }
}
