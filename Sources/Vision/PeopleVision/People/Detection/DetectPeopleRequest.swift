public import Imaging

/// Finds the people of an image with mask, body, face and hands, each under one id.
///
/// One pass does the work of four requests: the person detector runs once for masks and bodies, and faces and
/// hands are searched for where bodies show unknown ones. One request per stream.
public final class DetectPeopleRequest: VisionRequest {
    /// The parts to look for, and the settings of each.
    public struct Configuration: RequestConfiguration {
        /// The revision to use; the newest by default.
        public var revision = DetectPeopleRequest.supportedRevisions.upperBound
        /// The parts of people to find.
        ///
        /// Masks or bodies are needed: bodies are found where both are missing.
        public var attributes = PersonAttributes.all
        /// The maximum number of people, 1...12: of masks, bodies and faces, with two hands each.
        public var maximumPeople = 4
        /// The origin of the images: single ones, a recording or a camera.
        public var mode = AnalysisMode.image
        /// The part of the image that is analysed, normalised to 0...1; the whole image by default.
        ///
        /// It takes the place of those of `instances`, `bodies`, `faces` and `hands`.
        public var regionOfInterest = NormalizedRect.unit
        /// Settings of masks; `maximumInstances` is replaced by `maximumPeople`.
        public var instances = GeneratePersonInstanceMaskRequest.Configuration()
        /// Settings of bodies; boxes are of the whole body unless `upperBodyOnly` is on.
        public var bodies = BodyRequest.Configuration()
        /// Settings of faces.
        public var faces = FaceRequest.Configuration()
        /// Settings of hands.
        public var hands = DetectHumanHandPoseRequest.Configuration()

        /// Creates settings for four people of a single image, with all parts.
        public init() { bodies.upperBodyOnly = false }
    }

    /// Revision 1 only.
    public static let supportedRevisions = 1...1

    /// The settings; changed ones count from the next image on.
    public var configuration: Configuration {
        get { settings.value }
        set { settings.value = newValue }
    }

    private let settings: Settings<Configuration>
    private let lock = RequestLock()
    private let detections = SharedDetections()
    private let instanceRequest: GeneratePersonInstanceMaskRequest
    private let bodyRequest: DetectHumanBodyPoseRequest
    private let faceRequest = DetectFaceRectanglesRequest()
    private let handRequest = DetectHumanHandPoseRequest()
    private var association = PersonAssociation()
    private var missing = MissingParts()
    private var lastTime: UInt64?
    /// Frames since the person detector ran.
    private var framesWithoutDetections = 0
    private var lastMasks: InstanceMasks?
    private var labels: MaskMemory?
    private var parts: [PersonPart] = []

    /// Creates a request; for single images unless `configuration` says otherwise.
    public init(_ configuration: Configuration = Configuration()) {
        settings = Settings(configuration)
        instanceRequest = GeneratePersonInstanceMaskRequest(
            configuration.instances, SegmentationPipeline(sharing: detections))
        bodyRequest = DetectHumanBodyPoseRequest(configuration.bodies, sharing: detections)
    }

    /// The masks of the last frame, which can be written until the next frame, by the labels of
    /// `PersonObservation.instance`; nil where masks were not looked for.
    public var masks: InstanceMasks? {
        lock.enter()
        defer { lock.leave() }
        return lastMasks
    }

    /// Loads the models for images of this size, so that the first one does not wait for them.
    public func prepare(width: Int, height: Int, orientation: ImageOrientation = .up) throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        let attributes = try configure()
        if attributes.contains(.masks) {
            let size = configuration.analysedSize(width, height)
            try instanceRequest.prepare(width: size.width, height: size.height, orientation: orientation)
        }
        if attributes.contains(.bodies) { try bodyRequest.prepare() }
        if attributes.contains(.faces) { try faceRequest.prepare() }
        if attributes.contains(.hands) { try handRequest.prepare() }
    }

    /// Forgets the frames before: the next one starts a new stream, and its people get other ids.
    public func reset() {
        lock.enter()
        defer { lock.leave() }
        instanceRequest.reset()
        bodyRequest.reset()
        faceRequest.reset()
        handRequest.reset()
        association.reset()
        (missing, lastTime, framesWithoutDetections) = (MissingParts(), nil, 0)
        lastMasks = nil
    }

    /// Releases the loaded models, and forgets the frames before.
    public func unload() {
        lock.enter()
        defer { lock.leave() }
        reset()
        instanceRequest.unload()
        bodyRequest.unload()
        faceRequest.unload()
        handRequest.unload()
        labels = nil
    }

    /// Finds the people of `frame`.
    ///
    /// - Returns: the people with ids, in the order of the ids, then parts without a known person.
    public func perform(on frame: InputFrame) throws(VisionError) -> [PersonObservation] {
        lock.enter()
        defer { lock.leave() }
        let attributes = try configure()
        let frame = try frame.of(configuration)
        if frame.isStill { reset() }
        detections.begin()
        var found = Found()
        lastMasks = nil
        if attributes.contains(.masks) { lastMasks = try instanceRequest.find(in: frame) }
        found.instances = lastMasks?.instances ?? []
        if attributes.contains(.bodies) {
            let isWaiting =
                attributes.contains(.masks) && !detections.isKnown(.orientation(frame.orientation))
            framesWithoutDetections = isWaiting ? framesWithoutDetections + 1 : 0
            if waitsForDetections { bodyRequest.searchInterval = Self.never }
            found.bodies = try bodyRequest.perform(on: frame)
        }
        let boxes = found.instances.map(\.boundingBox) + detectedBoxes(frame)
        let places = PartPlaces(of: found.bodies, and: boxes)
        (faceRequest.places, handRequest.places) = (places.faces, places.hands)
        if attributes.contains(.faces) { found.faces = try faceRequest.perform(on: frame) }
        if attributes.contains(.hands) { found.hands = try handRequest.perform(on: frame) }
        try associate(found, frame, source: attributes.contains(.masks) ? .outline : .body)
        let people = found.people(association.people)
        missing = MissingParts(people.filter { $0.id != nil })
        return people
    }

    /// Passes the settings on, and returns the parts to look for.
    private func configure() throws(VisionError) -> PersonAttributes {
        try Self.check(revision: configuration.revision)
        let (count, possible) = (
            configuration.maximumPeople, GeneratePersonInstanceMaskRequest.possibleInstances
        )
        let maximum = min(max(count, possible.lowerBound), possible.upperBound)
        let mode = configuration.mode
        instanceRequest.configuration = configuration.instances
        instanceRequest.configuration.maximumInstances = maximum
        instanceRequest.configuration.segmentation.mode = mode
        (bodyRequest.configuration, faceRequest.configuration) = (configuration.bodies, configuration.faces)
        handRequest.configuration = configuration.hands
        // They get the part of the image that is analysed.
        instanceRequest.regionOfInterest = .unit
        bodyRequest.regionOfInterest = .unit
        faceRequest.regionOfInterest = .unit
        handRequest.regionOfInterest = .unit
        (bodyRequest.maximumPeople, bodyRequest.mode) = (maximum, mode)
        (faceRequest.maximumFaces, faceRequest.mode) = (maximum, mode)
        (handRequest.maximumHandCount, handRequest.mode) = (
            min(2 * maximum, DetectHumanHandPoseRequest.Configuration.possibleCounts.upperBound), mode
        )
        guard configuration.attributes.contains(.bodies) else {
            return configuration.attributes.contains(.masks)
                ? configuration.attributes : configuration.attributes.union(.bodies)
        }
        faceRequest.searchInterval = missing.interval(faceRequest.searchInterval, isMissing: \.hasFaces)
        handRequest.searchInterval = missing.interval(handRequest.searchInterval, isMissing: \.hasHands)
        return configuration.attributes
    }

    /// Whether the bodies' search waits for the next frame in which masks need the person detector.
    ///
    /// Masks run the detector in every few frames, and both share its results.
    private var waitsForDetections: Bool {
        configuration.mode.isStream && bodyRequest.searchInterval != nil
            && (1...Self.longestWait).contains(framesWithoutDetections)
    }

    /// An interval that no stream lasts: a billion seconds, or 31 years.
    private static let never = Duration.seconds(1_000_000_000)

    /// Maximum number of frames for which the bodies' search waits; quality levels of masks run the detector
    /// in every fourth frame.
    private static let longestWait = 4

    /// Returns the boxes of the people that the person detector has found in the whole frame.
    private func detectedBoxes(_ frame: InputFrame) -> [Rectangle] {
        var people: [BoxDetection] = []
        guard detections.read(.orientation(frame.orientation), into: &people) else { return [] }
        let stored = frame.toStored
        return people.filter { $0.score >= BodySearch.minimumScore }.map { stored.map($0.box) }
    }

    /// Assigns the parts to people.
    private func associate(
        _ found: Found, _ frame: InputFrame, source: PersonPart.Kind
    ) throws(VisionError) {
        found.write(into: &parts)
        let seconds = frame.seconds(since: lastTime)
        lastTime = frame.nanoseconds
        let view = try labelMap()
        association.assign(
            parts, source: source, labels: view,
            aspectRatio: frame.wholeSize.width / max(1, frame.wholeSize.height),
            after: seconds)
    }

    /// Returns the label map, in memory that is reused for the next frame.
    private func labelMap() throws(VisionError) -> MaskView? {
        guard let masks = lastMasks, !masks.instances.isEmpty else { return nil }
        let layout = masks.layout.labels
        if labels.map({ ($0.view.width, $0.view.height) != (layout.width, layout.height) }) ?? true {
            labels = MaskMemory(format: layout.format, width: layout.width, height: layout.height)
        }
        guard let labels else { throw .noMemory(layout) }
        try masks.writeLabels(into: labels.mutableView)
        return labels.view
    }
}

extension DetectPeopleRequest {
    /// The parts found in a frame.
    private struct Found {
        var instances: [MaskInstance] = []
        var bodies: [HumanBodyPoseObservation] = []
        var faces: [FaceObservation] = []
        var hands: [HumanHandPoseObservation] = []

        /// Writes all parts, kind after kind.
        func write(into parts: inout [PersonPart]) {
            parts.removeAll(keepingCapacity: true)
            for found in instances {
                parts.append(PersonPart(.outline, id: found.id, box: found.boundingBox, label: found.label))
            }
            for found in bodies {
                parts.append(PersonPart(.body, id: found.id, box: found.boundingBox, joints: found.joints))
            }
            for found in faces { parts.append(PersonPart(.face, id: found.id, box: found.boundingBox)) }
            for found in hands {
                parts.append(PersonPart(.hand, id: found.id, box: found.boundingBox, joints: found.joints))
            }
        }

        /// Returns the people, those with ids first.
        ///
        /// - Parameter owners: the people of the parts, in the order of `write(into:)`.
        func people(_ owners: [Int?]) -> [PersonObservation] {
            let known = Set(owners.compactMap { $0 }).sorted().compactMap { id in
                person(id, owners.indices.filter { owners[$0] == id })
            }
            return known + owners.indices.filter { owners[$0] == nil }.compactMap { person(nil, [$0]) }
        }

        /// Returns the person who has the parts with the indices `own`.
        private func person(_ id: Int?, _ own: [Int]) -> PersonObservation? {
            var first = 0
            func parts<Part>(_ list: [Part]) -> [Part] {
                defer { first += list.count }
                return own.filter { (first..<first + list.count).contains($0) }.map { list[$0 - first] }
            }
            let (instance, body) = (parts(instances).first, parts(bodies).first)
            let (face, hands) = (parts(faces).first, parts(hands))
            guard
                let box = instance?.boundingBox ?? body?.boundingBox ?? face?.boundingBox
                    ?? hands.first?.boundingBox
            else { return nil }
            return PersonObservation(
                id: id, boundingBox: box, instance: instance, body: body, face: face, hands: hands)
        }
    }
}

extension DetectPeopleRequest {
    /// Loads the models on a thread of the library, for images of this size.
    ///
    /// - Parameters:
    ///   - width: width of the stored images in pixels.
    ///   - height: their height.
    ///   - orientation: rotation or reflection that makes them upright.
    ///   - isolation: the actor of the caller.
    public func prepare(
        width: Int, height: Int, orientation: ImageOrientation = .up,
        isolation: isolated (any Actor)? = #isolation
    ) async throws(VisionError) {
        try await runOnLibraryThread(of: self, isolation) { () throws(VisionError) in
            try self.prepare(width: width, height: height, orientation: orientation)
        }
    }
}

/// A person of an image with all parts found.
///
/// Places are in the image's stored orientation, normalised to 0...1.
public struct PersonObservation: VisionObservation, Hashable, Codable {
    /// A number that stays with a person of a stream as long as any part is seen, and is never used again.
    ///
    /// Nil for a part without a known person.
    public let id: Int?
    /// The box around the person: that of the mask, or else of the body, the face or the first hand.
    public let boundingBox: Rectangle
    /// The person's mask, which `DetectPeopleRequest.masks` writes by the label.
    public let instance: MaskInstance?
    /// The joints of the body.
    public let body: HumanBodyPoseObservation?
    /// The face, with its pose.
    public let face: FaceObservation?
    /// The hands, at most two.
    public let hands: [HumanHandPoseObservation]
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()
}

/// The parts of people that `DetectPeopleRequest` can find.
public struct PersonAttributes: OptionSet, Sendable, Hashable {
    /// One bit per attribute.
    public let rawValue: Int

    /// `PersonObservation.instance`.
    public static let masks = PersonAttributes(rawValue: 1)
    /// `PersonObservation.body`.
    public static let bodies = PersonAttributes(rawValue: 2)
    /// `PersonObservation.face`.
    public static let faces = PersonAttributes(rawValue: 4)
    /// `PersonObservation.hands`.
    public static let hands = PersonAttributes(rawValue: 8)
    /// Everything.
    public static let all: PersonAttributes = [.masks, .bodies, .faces, .hands]

    /// Creates the set of the attributes whose bits are set.
    public init(rawValue: Int) { self.rawValue = rawValue }
}
