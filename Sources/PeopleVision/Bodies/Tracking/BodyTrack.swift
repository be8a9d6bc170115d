import Imaging

/// One person, from picture to picture.
struct BodyTrack {
    let id: Int
    /// The body in the last picture, as it was measured.
    private(set) var body: BodyLandmarks
    /// The confidence that this is a person, averaged over time.
    private var presence: ConfidenceMean
    /// The person as the person detector saw it last.
    var person: BodySearch.Person
    private var smoother = LandmarkSmoother(count: BodyLandmarks.pointCount, worldSize: BodyLandmarks.height)
    /// Smoothed landmarks of the last observation; kept to reuse memory.
    private var shown = BodyLandmarks()
    /// Likewise.
    private var joints: [HumanBodyPoseObservation.Joint] = []
    private var placement = BodyPlacement()
    private var distances = DistanceSmoother()
    private var positions: [SIMD3<Double>] = []

    init(id: Int, _ body: BodyLandmarks, of person: BodySearch.Person) {
        self.id = id
        self.body = body
        self.person = person
        presence = ConfidenceMean(body.presence)
        joints.reserveCapacity(HumanBodyPoseObservation.JointName.allCases.count)
    }

    /// The confidence that this is a person, 0...1.
    var confidence: Double { presence.value }

    /// Exchanges the body for one that was found anew.
    mutating func restart(_ next: inout BodyLandmarks, of person: BodySearch.Person) {
        presence = ConfidenceMean(next.presence)
        self.person = person
        swap(&body, &next)
    }

    /// Exchanges the body for the one of the next picture.
    mutating func follow(_ next: inout BodyLandmarks) {
        presence.add(presence: next.presence)
        swap(&body, &next)
    }
}

// MARK: - Observation

extension BodyTrack {
    /// What an observation holds of a person, and how it is measured.
    struct Content {
        let upperBodyOnly: Bool
        let hasPose3D: Bool
        let fieldOfView: Double?
        /// Seconds since the last picture; nil for a picture by itself.
        let interval: Double?
        /// 0...1.
        let smoothing: Double
        /// The distances of what the stored picture shows; nil when they are unknown.
        let depth: DepthView?

        init(
            _ configuration: BodyConfiguration, _ attributes: BodyAttributes, interval: Double,
            _ depth: DepthView?
        ) {
            upperBodyOnly = configuration.upperBodyOnly
            hasPose3D = attributes.union(configuration.attributes).contains(.pose3D)
            fieldOfView = configuration.verticalFieldOfView
            self.interval = configuration.tracksPeople ? interval : nil
            smoothing = configuration.smoothing
            self.depth = depth
        }
    }

    mutating func observation(in frame: UprightFrame, _ content: Content) -> HumanBodyPoseObservation {
        shown.copy(body)
        if let interval = content.interval {
            shown.smooth(with: &smoother, interval: interval, strength: content.smoothing)
        }
        storeJoints(frame)
        let camera = Camera(content.fieldOfView, frame.size)
        let pose = content.hasPose3D ? pose3D(frame, camera, content) : nil
        return HumanBodyPoseObservation(
            boundingBox: frame.stored(shown.box(upperBody: content.upperBodyOnly, in: frame.size)),
            isUpperBodyOnly: content.upperBodyOnly, confidence: confidence, id: id, joints: joints,
            pose3D: pose)
    }

    private mutating func pose3D(
        _ frame: UprightFrame, _ camera: Camera, _ content: Content
    ) -> HumanBodyPose3DObservation? {
        guard placement.place(shown, camera) else { return nil }
        let isMeasured =
            if let depth = content.depth {
                placement.measure(shown, camera) { depth.distance(at: frame.stored($0.x, $0.y)) }
            } else { false }
        if !isMeasured {
            distances.reset()
        } else if let interval = content.interval {
            placement.smooth(with: &distances, interval: interval, strength: content.smoothing)
        }
        return HumanBodyPose3DObservation(
            placement, camera, size: frame.size, toStored: frame.transform, isMeasured: isMeasured, &positions
        )
    }

    private mutating func storeJoints(_ frame: UprightFrame) {
        joints.removeAll(keepingCapacity: true)
        for name in HumanBodyPoseObservation.JointName.allCases {
            let (a, b) = name.points
            let place = shown.middle(a, b)
            joints.append(
                HumanBodyPoseObservation.Joint(
                    location: frame.stored(place.x, place.y),
                    confidence: min(shown.confidence(a), shown.confidence(b))))
        }
    }
}

extension HumanBodyPoseObservation.JointName {
    /// The points of which the joint is the middle; twice the same for most.
    fileprivate var points: (BodyPoint, BodyPoint) {
        switch self {
        case .nose: (.nose, .nose)
        case .leftEye: (.leftEye, .leftEye)
        case .rightEye: (.rightEye, .rightEye)
        case .leftEar: (.leftEar, .leftEar)
        case .rightEar: (.rightEar, .rightEar)
        case .neck: (.leftShoulder, .rightShoulder)
        case .leftShoulder: (.leftShoulder, .leftShoulder)
        case .rightShoulder: (.rightShoulder, .rightShoulder)
        case .leftElbow: (.leftElbow, .leftElbow)
        case .rightElbow: (.rightElbow, .rightElbow)
        case .leftWrist: (.leftWrist, .leftWrist)
        case .rightWrist: (.rightWrist, .rightWrist)
        case .root: (.leftHip, .rightHip)
        case .leftHip: (.leftHip, .leftHip)
        case .rightHip: (.rightHip, .rightHip)
        case .leftKnee: (.leftKnee, .leftKnee)
        case .rightKnee: (.rightKnee, .rightKnee)
        case .leftAnkle: (.leftAnkle, .leftAnkle)
        case .rightAnkle: (.rightAnkle, .rightAnkle)
        }
    }
}
