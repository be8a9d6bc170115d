import Glibc
public import Imaging

/// Estimates the places of an image that people look at first.
///
/// The heat is computed by rules, not learned from eye tracking, and has not been compared with it: faces
/// attract most, then people, then other subjects, and the targets of gazes. Images whose interest lies
/// elsewhere, such as in writing or in the middle of a landscape, have no heat.
public final class GenerateAttentionBasedSaliencyImageRequest: VisionRequest {
    /// The result of the request.
    public typealias Observation = SaliencyImageObservation

    /// The settings of the map, and of the computation.
    public struct Configuration: InferenceConfiguration {
        /// The revision to use; the newest by default.
        public var revision = GenerateAttentionBasedSaliencyImageRequest.supportedRevisions.upperBound
        /// Maximum number of faces that count; the largest are used.
        public var maximumFaces = 8
        /// The origin of the images: single ones, a recording or a camera.
        public var mode = AnalysisMode.image
        /// The part of the image that is analysed, normalised to 0...1; the whole image by default.
        public var regionOfInterest = NormalizedRect.unit
        /// OpenVINO's device: `CPU`, `GPU`, `NPU`, `AUTO`.
        public var device = "CPU"
        /// Threads for inference; 0 for as many as suit the models.
        public var threads = 0
        /// A directory to search for models first.
        public var modelPath: String?

        /// Creates settings for up to eight faces.
        public init() {}
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings.
    public var configuration: Configuration {
        get { settings.value }
        set { settings.value = newValue }
    }

    private let settings: Settings<Configuration>
    private let lock = RequestLock()
    private let subjects = GenerateForegroundInstanceMaskRequest()
    private let faces = DetectFaceRectanglesRequest()
    private let heat = AttentionMap()

    /// Creates a request; for up to eight faces unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) {
        settings = Settings(configuration)
    }

    /// Forgets the frames before: the next one starts a new stream.
    public func reset() {
        lock.enter()
        defer { lock.leave() }
        subjects.reset()
        faces.reset()
    }

    /// Releases the loaded models.
    public func unload() {
        lock.enter()
        defer { lock.leave() }
        subjects.unload()
        faces.unload()
    }

    /// Estimates the places of `image` that people look at.
    ///
    /// - Returns: one salient object, around the places of at least half the strongest heat; none where nothing stands out.
    public func perform(on frame: InputFrame) throws(VisionError) -> SaliencyImageObservation {
        lock.enter()
        defer { lock.leave() }
        try Self.check(revision: configuration.revision)
        subjects.configuration = configuration.coarseSubjects
        faces.configuration = configuration.faces
        let frame = try frame.of(configuration)
        if frame.isStill { subjects.reset() }
        _ = try subjects.find(in: frame)
        let found = try faces.perform(on: frame)
        let stored = frame.toStored
        guard let upright = stored.inverse else { throw .mask(MaskWriterError.unsupportedRegion.description) }
        heat.begin(people: subjects.coarsePeople, subjects: subjects.coarseMask)
        for face in found { heat.add(face, box: upright.map(face.boundingBox)) }
        let object = heat.finish()
        return SaliencyImageObservation(
            heatMap: try heat.map.mask(of: frame),
            salientObjects: object.map {
                [SalientObject(boundingBox: stored.map($0.box), confidence: $0.confidence)]
            } ?? [],
            revision: configuration.revision)
    }
}

extension GenerateAttentionBasedSaliencyImageRequest.Configuration {
    fileprivate var faces: FaceRequest.Configuration {
        var faces = FaceRequest.Configuration()
        faces.maximumFaces = maximumFaces
        faces.mode = mode
        (faces.device, faces.threads, faces.modelPath) = (device, threads, modelPath)
        return faces
    }
}

/// Combines the places that attract attention: faces first, then people, then other subjects, and the
/// targets of gazes.
package final class AttentionMap {
    /// Heat relative to that of a face.
    private static let weights = (person: Float(0.5), subject: Float(0.35), gaze: Float(0.5))
    /// Sizes in faces: the spread of the heat of a face and of its target, and the distance of the target
    /// when the head is turned by a right angle.
    ///
    /// Chosen by looking at images, for want of a measure.
    private static let extents = (face: 0.45, gaze: 1.0, distance: 4.0)
    /// Minimum heat inside the box, as a share of the strongest.
    private static let strong: Float = 0.5
    /// Minimum heat of things that stand out, 0...1.
    private static let faintest: Float = 0.1

    /// The heat, upright.
    package let map = SaliencyMap()

    /// Creates a map without an image.
    package init() {}

    /// Begins an image with coverage of its people and of all its subjects.
    package func begin(people: FloatImage?, subjects: FloatImage?) {
        map.clear()
        if let subjects { map.raise(to: subjects, weight: Self.weights.subject) }
        if let people { map.raise(to: people, weight: Self.weights.person) }
    }

    /// Adds a face.
    ///
    /// - Parameters:
    ///   - face: a face with the angles of the upright image.
    ///   - box: the face's place in the upright image.
    func add(_ face: FaceObservation, box: Rectangle) {
        add(box, yaw: face.yaw, pitch: face.pitch, confidence: face.confidence)
    }

    /// Adds a face by its place and pose.
    package func add(_ box: Rectangle, yaw: Double, pitch: Double, confidence: Double) {
        map.raise(around: box.center, spread: box.spread(Self.extents.face), weight: Float(confidence))
        let turn = SIMD2(sin(yaw), sin(pitch))
        let length = (turn * turn).sum().squareRoot()
        let target = Point(
            x: box.center.x + turn.x * Self.extents.distance * box.width,
            y: box.center.y + turn.y * Self.extents.distance * box.height)
        map.raise(
            around: target, spread: box.spread(Self.extents.gaze),
            weight: Self.weights.gaze * Float(min(1, length) * confidence))
    }

    /// Ends the image.
    ///
    /// - Returns: the box around the strong heat; nil where nothing stands out.
    package func finish() -> (box: Rectangle, confidence: Double)? {
        map.normalize(faintest: Self.faintest)
        guard let box = map.values.extent(above: Self.strong) else { return nil }
        var (sum, count): (Float, Float) = (0, 0)
        for value in map.values.values where value > Self.strong {
            sum += value
            count += 1
        }
        return (box, count > 0 ? Double(sum / count) : 0)
    }
}

extension Rectangle {
    fileprivate func spread(_ share: Double) -> Size { Size(width: share * width, height: share * height) }
}
