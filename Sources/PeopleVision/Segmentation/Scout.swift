import Imaging
import Inference

/// Looks at every whole frame with the small selfie model: who is where, and what has changed.
final class Scout {
    /// A person is where the model is surer than this; fainter things far from any such place are none.
    static let certain: Float = 0.6
    /// A part smaller than this share of the largest part, and than `smallestPart`, is no person.
    private static let smallestShare = 0.1
    /// A share of the frame.
    private static let smallestPart = 0.02
    /// How far a person's faint rim may reach beyond its certain pixels, in pixels of the mask.
    private static let rim = 6

    /// The people, at the model's size, as the model gives them.
    let mask = MaskGrid()
    /// Where the picture stands still.
    let stillness = StillnessMap()
    /// The people's parts.
    let parts = MaskParts()

    private let model: SegmentationModel
    private let sampler: TensorSampler

    init(_ input: ModelInput, _ setup: SegmentationModel.Setup) throws(VisionError) {
        model = try SegmentationModel(input, setup)
        do throws(SamplingError) {
            sampler = try TensorSampler(model.tensorInput)
        } catch { throw .sampling(error) }
        mask.resize(width: input.width, height: input.height)
    }

    /// Looks at the next frame.
    ///
    /// - Returns: true when it continues the last, false when it shows another scene.
    func look(at image: ImageView, orientation: ImageOrientation) throws(VisionError) -> Bool {
        do throws(SamplingError) {
            try sampler.sample(image, region: .orientation(orientation), into: model.tensor)
        } catch { throw .sampling(error) }
        guard let tensor = model.tensor.baseAddress else { return false }
        let (width, height) = (mask.width, mask.height)
        let follows = stillness.update(tensor, width: width, height: height)
        mask.copy(try model.run())
        dropStrays()
        return follows
    }

    /// The next frame does not follow the last.
    func reset() { stillness.reset() }

    /// Pixels that a part needs to be a person, beside a part of `largest` in a mask of `count`.
    static func smallestArea(_ largest: Int, of count: Int) -> Int {
        let share = min(smallestShare * Double(largest), smallestPart * Double(count))
        return max(1, Int(share.rounded(.up)))
    }

    /// Pixels that a part of the mask needs to be a person.
    var smallestArea: Int { Self.smallestArea(parts.largestArea, of: mask.count) }

    /// Clears what is no person: faint places and specks.
    private func dropStrays() {
        parts.find(in: mask, above: Self.certain)
        parts.keep(atLeast: smallestArea, distance: Self.rim, in: mask)
    }
}
