public import Imaging
import Inference

/// Finds the people of a picture as one soft mask.
///
/// Works best for up to four people, each at least half as high as the picture, who stand out from
/// the background. Statues, pictures of people and people far away are ambiguous. One request per stream:
/// it smooths over time where the picture stands still.
public final class GeneratePersonSegmentationRequest: VisionRequest {
    /// What counts: detail or speed.
    public enum QualityLevel: String, CaseIterable, Sendable {
        /// Streaming: MediaPipe's selfie models; masks of 256x144 or 256x256.
        case fast
        /// Video, frame by frame: MODNet on the people; masks of the frame's aspect, up to 768 a side.
        case balanced
        /// Photography: MODNet, several looks; masks of the frame's size, up to 2048 a side.
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
    /// How strongly masks of a stream are smoothed where the picture stands still: 0 not at all, 1 most.
    public var smoothing: Float = 0.95
    /// What is done to the finished mask; nothing by default.
    public var controls = MaskControls()
    /// A model file to use instead of the quality level's own, or a directory of models.
    public var modelPath: String?
    /// The last picture's mask, once `perform(on:orientation:)` has run.
    public private(set) var result: PersonSegmentationObservation?

    private var loaded: Loaded?
    private let writer = MaskWriter()
    private let controlFilter = MaskControlFilter()
    private let controlledMask = MaskGrid()

    /// A segmenter and what it was made for.
    private struct Loaded {
        let plan: SegmentationPlan
        let setup: SegmentationModel.Setup
        let segmenter: any Segmenter
    }

    /// A request for accurate 8-bit masks.
    public init() {}

    /// Size and format of the mask of a `width` x `height` picture, in its stored orientation.
    public func maskLayout(width: Int, height: Int, orientation: ImageOrientation = .up) -> MaskLayout {
        let plan = plan(width: width, height: height, orientation: orientation)
        let (mask, swapped) = (plan.mask, orientation.swapsAxes)
        return MaskLayout(
            width: swapped ? mask.height : mask.width, height: swapped ? mask.width : mask.height,
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
            _ = try SegmentationModel.find(plan.scout.name, modelPath)
        } catch { throw .inference(error) }
    }

    /// Lets go of the loaded model.
    public func unload() { loaded = nil }

    /// Forgets the images before: the next one does not follow them.
    public func reset() { loaded?.segmenter.reset() }

    /// Segments `image` into memory of the caller's; allocates nothing once the model is loaded.
    ///
    /// - Parameter mask: of the layout that `maskLayout` gives for the image.
    public func perform(
        on image: ImageView, orientation: ImageOrientation = .up, into mask: MutableMaskView
    ) throws(VisionError) {
        let expected = maskLayout(width: image.width, height: image.height, orientation: orientation)
        let found = MaskLayout(width: mask.width, height: mask.height, format: mask.format)
        guard expected == found else { throw .maskMismatch(expected: expected, found: found) }
        let plan = plan(width: image.width, height: image.height, orientation: orientation)
        let values = controlled(
            try segmenter(for: plan).segment(image, orientation: orientation, smoothing: smoothing))
        do throws(MaskWriterError) {
            try writer.write(
                UnsafeBufferPointer(values.values), width: values.width, height: values.height,
                region: .orientation(orientation), into: mask)
        } catch { throw .mask(error) }
    }

    /// Segments `image` into a new mask, `result`.
    public func perform(on image: ImageView, orientation: ImageOrientation) throws(VisionError) {
        let layout = maskLayout(width: image.width, height: image.height, orientation: orientation)
        guard let mask = Mask(format: layout.format, width: layout.width, height: layout.height) else {
            throw .mask(.tooFewValues(width: layout.width, height: layout.height, found: 0))
        }
        try perform(on: image, orientation: orientation, into: mask.mutableView)
        result = PersonSegmentationObservation(mask: mask, revision: revision, qualityLevel: qualityLevel)
    }

    /// `mask` with the user's settings applied, in a copy: segmenters go on with their own.
    private func controlled(_ mask: MaskGrid) -> MaskGrid {
        guard !controls.isNeutral else { return mask }
        controlledMask.copy(mask)
        controlFilter.apply(controls, to: controlledMask)
        return controlledMask
    }

    private func plan(width: Int, height: Int, orientation: ImageOrientation) -> SegmentationPlan {
        let stored = Size(width: max(1, width), height: max(1, height))
        return SegmentationPlan(quality: qualityLevel, size: orientation.uprightSize(of: stored))
    }

    /// The loaded model; made anew when the plan or a setting has changed.
    private func segmenter(for plan: SegmentationPlan) throws(VisionError) -> any Segmenter {
        guard Self.supportedRevisions.contains(revision) else {
            throw .unsupportedRevision(revision, supported: Self.supportedRevisions)
        }
        let setup = SegmentationModel.Setup(device: device, threads: threads, modelPath: modelPath)
        if let loaded, loaded.plan == plan, loaded.setup == setup { return loaded.segmenter }
        // The old models go first: two heavy ones at once would double the memory.
        loaded = nil
        let segmenter: any Segmenter =
            switch plan.quality {
            case .fast: try FastSegmenter(plan, setup)
            case .balanced: try MattingSegmenter(plan, looks: MattingSegmenter.quick, setup)
            case .accurate: try MattingSegmenter(plan, looks: MattingSegmenter.thorough, setup)
            }
        loaded = Loaded(plan: plan, setup: setup, segmenter: segmenter)
        return segmenter
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
