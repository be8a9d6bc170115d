public import Imaging
import Inference

/// Finds the people of a picture as one soft mask.
///
/// Works best for up to four people, each at least half as high as the picture, who stand out from
/// the background. Statues, pictures of people and people far away are ambiguous.
public final class GeneratePersonSegmentationRequest: VisionRequest {
    /// What counts: detail or speed.
    public enum QualityLevel: String, CaseIterable, Sendable {
        /// Streaming: MediaPipe's selfie models, 256x144 or 256x256.
        case fast
        /// Video, frame by frame: MODNet, short side 288.
        case balanced
        /// Photography: MODNet, short side 512.
        case accurate
    }

    /// The revisions there are; results of a revision do not change over time.
    public static let supportedRevisions = 1...1

    /// The revision to use; the newest by default.
    public var revision = supportedRevisions.upperBound
    /// What counts: detail or speed.
    public var qualityLevel = QualityLevel.accurate
    /// Sample format of the mask.
    public var outputPixelFormat = MaskFormat.gray8
    /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
    public var device = "CPU"
    /// Threads for inference, 0 for as many as suit the model.
    public var threads = 0
    /// A model file to use instead of the quality level's own, or a directory of models.
    public var modelPath: String?
    /// The last picture's mask, once `perform(on:orientation:)` has run.
    public private(set) var result: PersonSegmentationObservation?

    private var segmenter: Segmenter?

    /// A request for accurate 8-bit masks.
    public init() {}

    /// Size and format of the mask of a `width` x `height` picture, in its stored orientation.
    public func maskLayout(width: Int, height: Int, orientation: ImageOrientation = .up) -> MaskLayout {
        let plan = plan(width: width, height: height, orientation: orientation)
        let swapped = orientation.swapsAxes
        return MaskLayout(
            width: swapped ? plan.height : plan.width, height: swapped ? plan.width : plan.height,
            format: outputPixelFormat)
    }

    /// Loads the model for pictures of this size, so that the first one does not wait for it.
    public func prepare(width: Int, height: Int, orientation: ImageOrientation = .up) throws(VisionError) {
        _ = try segmenter(for: plan(width: width, height: height, orientation: orientation))
    }

    /// Finds the model's files without loading them.
    public func checkModel() throws(VisionError) {
        let plan = plan(width: 16, height: 9, orientation: .up)
        do throws(InferenceError) {
            _ = try Segmenter.find(plan.model, modelPath)
        } catch { throw .inference(error) }
    }

    /// Lets go of the loaded model.
    public func unload() { segmenter = nil }

    /// Segments `image` into memory of the caller's; allocates nothing once the model is loaded.
    ///
    /// - Parameter mask: of the layout that `maskLayout` gives for the image.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up, into mask: MaskView
    ) throws(VisionError) {
        let expected = maskLayout(width: image.width, height: image.height, orientation: orientation)
        let found = MaskLayout(width: mask.width, height: mask.height, format: mask.format)
        guard expected == found else { throw .maskMismatch(expected: expected, found: found) }
        let plan = plan(width: image.width, height: image.height, orientation: orientation)
        try segmenter(for: plan).segment(image, orientation: orientation, into: mask)
    }

    /// Segments `image` into a new mask, `result`.
    public func perform(on image: ImageView, orientation: ImageOrientation) throws(VisionError) {
        let layout = maskLayout(width: image.width, height: image.height, orientation: orientation)
        guard let mask = Mask(format: layout.format, width: layout.width, height: layout.height) else {
            throw .mask(.tooFewValues(width: layout.width, height: layout.height, found: 0))
        }
        try perform(on: image, orientation: orientation, into: mask.view)
        result = PersonSegmentationObservation(mask: mask, revision: revision, qualityLevel: qualityLevel)
    }

    private func plan(width: Int, height: Int, orientation: ImageOrientation) -> SegmentationPlan {
        let stored = Size(width: max(1, width), height: max(1, height))
        return SegmentationPlan(quality: qualityLevel, size: orientation.uprightSize(of: stored))
    }

    /// The loaded model; made anew when the plan or a setting has changed.
    private func segmenter(for plan: SegmentationPlan) throws(VisionError) -> Segmenter {
        guard Self.supportedRevisions.contains(revision) else {
            throw .unsupportedRevision(revision, supported: Self.supportedRevisions)
        }
        let setup = Segmenter.Setup(plan: plan, device: device, threads: threads, modelPath: modelPath)
        if let segmenter, segmenter.setup == setup { return segmenter }
        // The old model goes first: two heavy ones at once would double the memory.
        segmenter = nil
        let fresh = try Segmenter(setup)
        segmenter = fresh
        return fresh
    }
}

/// The people of one picture.
public struct PersonSegmentationObservation {
    /// Soft coverage: 0 is background, full scale is person; in the picture's stored orientation.
    public let mask: Mask
    /// The revision that made it.
    public let revision: Int
    /// The quality level that made it.
    public let qualityLevel: GeneratePersonSegmentationRequest.QualityLevel
}
