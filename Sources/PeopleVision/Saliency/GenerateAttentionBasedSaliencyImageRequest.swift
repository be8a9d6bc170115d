import Imaging

/// Estimates where people who look at an image look first.
///
/// The heat is put together by rules, not learned from eye tracking, and has not been compared with it: faces draw most,
/// then people, then other subjects, and what a face is turned to. Images whose interest lies elsewhere, such as in
/// writing or in the middle of a landscape, have none.
public final class GenerateAttentionBasedSaliencyImageRequest: VisionRequest {
    /// What it finds.
    public typealias Observation = SaliencyImageObservation

    /// What is asked for, and what it is computed with.
    public struct Configuration: InferenceConfiguration {
        /// The revision to use; the newest by default.
        public var revision = GenerateAttentionBasedSaliencyImageRequest.supportedRevisions.upperBound
        /// Faces that count at most; of more the largest.
        public var maximumFaces = 8
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference, 0 for as many as suit the models.
        public var threads = 0
        /// A directory to search for models first.
        public var modelPath: String?

        /// Up to eight faces.
        public init() {}
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings.
    public var configuration: Configuration

    private let subjects = GenerateForegroundInstanceMaskRequest()
    private let faces = DetectFaceRectanglesRequest()
    private let heat = AttentionMap()

    /// A request; for up to eight faces unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) { self.configuration = configuration }

    /// Releases the loaded models.
    public func unload() {
        subjects.unload()
        faces.unload()
    }

    /// Estimates where people look at `image`.
    ///
    /// - Returns: one salient object, around the places of at least half the strongest heat; none where nothing stands out.
    public func perform(on frame: InputFrame) throws(VisionError) -> SaliencyImageObservation {
        try Self.check(revision: configuration.revision)
        subjects.configuration = configuration.coarseSubjects
        faces.configuration = configuration.faces
        // Single images: nothing is smoothed.
        subjects.reset()
        _ = try subjects.find(in: frame)
        let found = try faces.perform(on: frame)
        let stored = FrameTransform.orientation(frame.orientation)
        guard let upright = stored.inverse else { throw .mask(.unsupportedRegion) }
        heat.begin(people: subjects.coarsePeople, subjects: subjects.coarseMask)
        for face in found { heat.add(face, box: upright.map(face.boundingBox)) }
        let object = heat.finish()
        return SaliencyImageObservation(
            heatMap: try heat.map.mask(frame.orientation),
            salientObjects: object.map {
                [SalientObject(boundingBox: stored.map($0.box), confidence: $0.confidence)]
            } ?? [],
            revision: configuration.revision)
    }
}

extension GenerateAttentionBasedSaliencyImageRequest.Configuration {
    fileprivate var faces: FaceConfiguration {
        var faces = FaceConfiguration()
        faces.maximumFaces = maximumFaces
        (faces.device, faces.threads, faces.modelPath) = (device, threads, modelPath)
        return faces
    }
}
