import Imaging

/// Runs MODNet on crops of a frame, at sizes of about a given number of pixels.
package final class CropMatter {
    /// Loaded sizes, as many as a frame with a group may take: those of three looks and of five shapes.
    private static let mostModels = 8

    private let setup: ModelSetup
    private var models = ModelCache<ModelInput, SegmentationModel>(capacity: mostModels)
    private let paste = FeatheredPaste()

    /// Loads nothing yet.
    package init(_ setup: ModelSetup) { self.setup = setup }

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
        let model = try loaded(input)
        let region = FrameTransform.crop(crop).followed(by: .orientation(orientation))
        try model.image.run(on: image, region: region)
        let values = try model.coverage()
        paste.add(values, width: input.width, height: input.height, crop: crop, to: mask)
        return CropEdges(cutting: values, width: input.width, height: input.height, crop: crop)
    }

    /// The model at a size; the one that was used longest ago makes room.
    private func loaded(_ input: ModelInput) throws(VisionError) -> SegmentationModel {
        let setup = setup
        return try models.model(input) { () throws(VisionError) in try SegmentationModel(input, setup) }
    }
}
