import Imaging

/// One person, followed from frame to frame.
struct BodyTrack: StreamTrack {
    let id: Int
    /// The body in the last frame, as it was measured or moved along, before it is smoothed.
    private(set) var body: BodyLandmarks
    /// The confidence that this is a person, averaged over time.
    private var presence: ConfidenceMean
    /// The last detection of the person.
    var person: BodySearch.Person
    private var smoother = LandmarkSmoother(count: BodyLandmarks.pointCount, worldSize: BodyLandmarks.height)
    /// Smoothed landmarks of the last observation; kept to reuse memory.
    private var shown = BodyLandmarks()
    /// The joints of the last observation; kept to reuse memory.
    private var joints: [Joint] = []
    private var placement = BodyPlacement()
    private var distances = DistanceSmoother()
    private var positions: [SIMD3<Double>] = []
    /// The frame from which the body moves along with the image.
    let origin = LandmarkOrigin()
    /// Whether `shown` belongs to `body`.
    private var isShown = false

    init(id: Int, _ body: BodyLandmarks, of person: BodySearch.Person) {
        self.id = id
        self.body = body
        self.person = person
        presence = ConfidenceMean(body.presence)
        joints.reserveCapacity(HumanBodyPoseObservation.JointName.allCases.count)
    }

    /// The confidence that this is a person, 0...1.
    var confidence: Double { presence.value }

    var box: Rectangle { person.box }

    var angle: Double { 0 }

    /// The area of the person's box; the smallest people end first.
    var prominence: Double { box.area }

    /// Replaces the body by one that was found again.
    mutating func restart(_ next: inout BodyLandmarks, of person: BodySearch.Person) {
        presence = ConfidenceMean(next.presence)
        self.person = person
        origin.reset()
        isShown = false
        swap(&body, &next)
    }

    /// Exchanges the body for the one of the next frame.
    mutating func follow(_ next: inout BodyLandmarks) {
        presence.add(presence: next.presence)
        isShown = false
        swap(&body, &next)
    }

    /// Moves the body along with the image, by the steps of `origin`.
    mutating func move(seconds: Double) {
        let steps = LandmarkSteps(
            origin.steps, origin: BodyLandmarks.origin,
            metresPerPixel: BodyLandmarks.height / max(1, body.crop.side))
        body.move(by: steps)
        guard isShown else { return }
        shown.move(by: steps)
        smoother.move(by: steps, interval: seconds)
    }
}

// MARK: - Observation

extension BodyTrack {
    mutating func observation(
        in frame: UprightFrame, _ context: TrackingContext<BodyRequest.Configuration>
    ) -> HumanBodyPoseObservation {
        let configuration = context.configuration
        if !isShown {
            shown.copy(body)
            if let interval = context.interval {
                shown.smooth(with: &smoother, interval: interval, strength: configuration.smoothing)
            }
            isShown = true
        }
        storeJoints(frame)
        let pose = configuration.attributes.contains(.pose3D) ? pose3D(frame, context) : nil
        return HumanBodyPoseObservation(
            boundingBox: frame.stored(shown.box(upperBody: configuration.upperBodyOnly, in: frame.size)),
            isUpperBodyOnly: configuration.upperBodyOnly, confidence: confidence, id: id, joints: joints,
            pose3D: pose)
    }

    private mutating func pose3D(
        _ frame: UprightFrame, _ context: TrackingContext<BodyRequest.Configuration>
    ) -> HumanBodyPose3DObservation? {
        let camera = frame.camera(context.configuration.verticalFieldOfView)
        guard placement.place(shown, camera) else { return nil }
        let isMeasured =
            if let depth = frame.depth {
                placement.measure(shown, camera) { depth.distance(at: frame.stored($0.x, $0.y)) }
            } else { false }
        if !isMeasured {
            distances.reset()
        } else if let interval = context.interval {
            placement.smooth(
                with: &distances, interval: interval, strength: context.configuration.smoothing)
        }
        return HumanBodyPose3DObservation(
            placement, camera, size: frame.size, toStored: frame.transform,
            height: isMeasured ? nil : context.configuration.bodyHeight, &positions)
    }

    private mutating func storeJoints(_ frame: UprightFrame) {
        joints.removeAll(keepingCapacity: true)
        for name in HumanBodyPoseObservation.JointName.allCases {
            let (a, b) = name.points
            let place = shown.middle(a, b)
            joints.append(
                Joint(
                    location: frame.stored(place.x, place.y),
                    confidence: min(shown.confidence(a), shown.confidence(b))))
        }
    }
}

extension HumanBodyPoseObservation.JointName {
    /// The two points whose middle is the joint; the same point twice for most joints.
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
