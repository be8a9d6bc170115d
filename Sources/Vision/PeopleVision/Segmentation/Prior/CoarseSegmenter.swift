package import Imaging

/// Runs the coarse model on whole frames, and compares each frame with the one before.
package final class CoarseSegmenter {
    /// Coverage by people, 0...1, of the model's size; at half of it where `isHalved`.
    package let coverage = FloatImage()
    /// Brightness of the frame, 0...1, at the model's size; only where `isHalved`.
    package let brightness = FloatImage()
    /// Brightness at half the model's size; only where `isHalved`.
    let halvedBrightness = FloatImage()
    /// The frame's colours, 0...1, as three planes of the coverage's size, one below the other.
    package let colors = FloatImage()
    /// The map of places where the image stands still.
    let stillness: StillnessMap

    private let model: ImageModel
    private let isHalved: Bool
    /// The colours at the model's size; only where `isHalved`.
    private let planes = FloatImage()

    /// Loads the model; with `isHalved`, coverage has half its size, and brightness is computed.
    package init(_ model: CoarseModel, isHalved: Bool = false, _ setup: ModelSetup) throws(VisionError) {
        self.model = try model.load(setup)
        self.isHalved = isHalved
        stillness = StillnessMap(planes: isHalved ? 1 : 3)
        let (width, height) = (self.model.width, self.model.height)
        coverage.resize(width: width, height: height)
        brightness.resize(width: width, height: height)
        (isHalved ? planes : colors).resize(width: width, height: 3 * height)
    }

    /// Segments the next frame.
    ///
    /// - Parameter andMirrorImage: whether the coverage is the mean of those of the image and of its mirror image; not where
    ///   `isHalved`.
    /// - Returns: whether the frame continues the scene of the last one.
    package func segment(
        _ image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool = false
    ) throws(VisionError) -> Bool {
        try model.sample(image, region: .orientation(orientation))
        let continues = compare()
        try model.infer()
        let found = try model.output(0, count: model.width * model.height)
        if isHalved {
            coverage.copy(halfOf: found, width: model.width, height: model.height)
        } else {
            coverage.copy(found)
            if andMirrorImage { try averageMirrorImage(of: image, orientation) }
        }
        return continues
    }

    private func averageMirrorImage(
        of image: ImageView, _ orientation: ImageOrientation
    ) throws(VisionError) {
        try model.run(on: image, region: .mirrored.followed(by: .orientation(orientation)))
        let found = try model.output(0, count: model.width * model.height)
        coverage.average(mirrored: found)
    }

    /// Forgets the last frame, as the next frame does not follow it.
    func reset() { stillness.reset() }

    /// Compares the frame with the one before.
    private func compare() -> Bool {
        let input = UnsafeBufferPointer(model.input)
        guard isHalved else {
            colors.fill(planesOf: input, in: model.tensor)
            return stillness.update(colors)
        }
        brightness.fill(brightnessOf: input, in: model.tensor)
        halvedBrightness.copy(halfOf: brightness)
        planes.fill(planesOf: input, in: model.tensor)
        colors.copy(halfOf: planes)
        return stillness.update(halvedBrightness)
    }
}

/// MediaPipe's selfie segmentation models, which see a whole frame squeezed to their own aspect.
package enum CoarseModel: String {
    /// 256x256 pixels.
    case square = "selfie_segmentation"
    /// 256x144 pixels.
    case landscape = "selfie_segmentation_landscape"

    /// Chooses the model for frames of `size`.
    package init(for size: Size) { self = size.width / size.height >= 1.5 ? .landscape : .square }

    /// Size of input and output.
    var extent: SegmentationPlan.Extent {
        switch self {
        case .square: SegmentationPlan.Extent(width: 256, height: 256)
        case .landscape: SegmentationPlan.Extent(width: 256, height: 144)
        }
    }

    /// Compiles the model that `load` loads, on a thread.
    func compilation(_ setup: ModelSetup) -> BackgroundCompilation {
        BackgroundCompilation(rawValue, width: extent.width, height: extent.height, setup)
    }

    /// Loads the model, or the user's in its place; it was trained for bilinear sampling.
    func load(_ setup: ModelSetup) throws(VisionError) -> ImageModel {
        let model = try ImageModel(
            rawValue, size: (extent.width, extent.height), filter: .bilinear, setup)
        // The output is read once now, so that a file with other outputs is refused when it is loaded.
        _ = try model.output(0, count: model.width * model.height)
        return model
    }
}
