import Imaging

/// Runs MODNet on crops of a frame, at sizes of about a given number of pixels.
package final class CropMatter {
    /// Loaded sizes, as many as a frame with a group may take: those of three looks and of five shapes.
    private static let mostModels = 8

    private let setup: SegmentationModel.Setup
    private var models: [Loaded] = []
    private let paste = FeatheredPaste()

    private final class Loaded {
        let model: SegmentationModel
        let sampler: TensorSampler

        init(_ input: ModelInput, _ setup: SegmentationModel.Setup) throws(VisionError) {
            model = try SegmentationModel(input, setup)
            do throws(SamplingError) {
                sampler = try TensorSampler(model.tensorInput)
            } catch { throw .sampling(error) }
        }
    }

    /// Loads nothing yet.
    package init(_ setup: SegmentationModel.Setup) { self.setup = setup }

    /// Loads the model for `input`, so that the first frame does not wait for it.
    func prepare(_ input: ModelInput) throws(VisionError) { _ = try loaded(input) }

    /// Adds the people of a crop to `mask`.
    ///
    /// - Parameter crop: in the unit square of the upright frame.
    /// - Returns: the sides at which the crop cuts somebody off.
    func add(
        _ crop: Rectangle, of image: ImageView, orientation: ImageOrientation, input: ModelInput,
        to mask: FloatImage
    ) throws(VisionError) -> CropEdges {
        let entry = try loaded(input)
        let region = FrameTransform.crop(crop).followed(by: .orientation(orientation))
        do throws(SamplingError) {
            try entry.sampler.sample(image, region: region, into: entry.model.tensor)
        } catch { throw .sampling(error) }
        let values = try entry.model.run()
        paste.add(values, width: input.width, height: input.height, crop: crop, to: mask)
        return CropEdges(cutting: values, width: input.width, height: input.height, crop: crop)
    }

    /// The model at a size; the one that was used longest ago makes room.
    private func loaded(_ input: ModelInput) throws(VisionError) -> Loaded {
        if let index = models.firstIndex(where: { $0.model.input == input }) {
            // A rotation in place: in a stream it is the first nearly always.
            let entry = models[index]
            for place in stride(from: index, to: 0, by: -1) { models[place] = models[place - 1] }
            models[0] = entry
            return entry
        }
        if models.count >= Self.mostModels { models.removeLast() }
        let fresh = try Loaded(input, setup)
        models.insert(fresh, at: 0)
        return fresh
    }
}
