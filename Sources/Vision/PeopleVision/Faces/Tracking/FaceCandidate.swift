import Imaging

/// Turns detections of a stream into faces, one after the other and over several frames: each is aligned,
/// then verified.
struct FaceCandidate {
    /// The face verified last.
    private(set) var face = AlignedFace()
    private var queue = CandidateQueue()
    private var aligner = FaceAligner()
    private var phase = Phase.idle
    private var areInTile = false

    private enum Phase {
        case idle
        /// There are crops to try.
        case aligning(FaceDetection)
        /// A detector has to find the face in one of its `verificationViews`.
        ///
        /// Points that are not fresh are those of an earlier frame.
        case verifying(FaceDetection, view: Int, isFresh: Bool)
    }

    /// The frame and models for the candidates of one frame.
    struct Context {
        let frame: UprightFrame
        let models: FaceModels
        /// The landmark model that follows the faces.
        let landmarker: FaceLandmarker
        let limits: TrackingLimits
    }

    /// The outcome of a step.
    private enum Step {
        /// The next step can be taken.
        case again
        /// `face` is a new face.
        case found
        /// The budget is spent, or there are no more detections.
        case stopped
    }

    /// Whether no detection is left to process.
    var isIdle: Bool {
        if case .idle = phase { queue.isEmpty } else { false }
    }

    mutating func reset() {
        queue.reset()
        phase = .idle
    }

    /// Ages the candidates to the next frame, `seconds` after the last one.
    mutating func age(by seconds: Double) {
        queue.age(by: seconds)
        if case .verifying(let face, let view, _) = phase {
            phase = .verifying(face, view: view, isFresh: false)
        }
    }

    /// Takes the detections of a search.
    ///
    /// - Parameter inTile: whether the faces are small, so that patterns are easily mistaken for faces.
    mutating func begin(with found: [FaceDetection], inTile: Bool, where isWanted: (FaceDetection) -> Bool) {
        areInTile = inTile
        queue.fill(with: found) { $0.score > $0.minimumScore(beside: nil) && isWanted($0) }
    }

    /// Continues until a face is found, as far as the budget allows.
    ///
    /// - Returns: whether `face` is a new face; false when nothing more can be done for this frame.
    mutating func proceed(_ context: Context, _ budget: inout FrameBudget) throws(VisionError) -> Bool {
        while true {
            switch try takeStep(context, &budget) {
            case .again: continue
            case .found: return true
            case .stopped: return false
            }
        }
    }
}

// MARK: - Steps

extension FaceCandidate {
    private mutating func takeStep(
        _ context: Context, _ budget: inout FrameBudget
    ) throws(VisionError) -> Step {
        switch phase {
        case .idle: start(context)
        case .aligning(let detection): try align(detection, context, &budget)
        case .verifying(let detection, let view, isFresh: false):
            try refresh(detection, view, context, &budget)
        case .verifying(let detection, let view, isFresh: true):
            try verify(detection, view, context, &budget)
        }
    }

    private mutating func start(_ context: Context) -> Step {
        guard let detection = queue.next() else { return .stopped }
        aligner.begin(detection, context.landmarker)
        phase = .aligning(detection)
        return .again
    }

    /// Tries one crop.
    private mutating func align(
        _ detection: FaceDetection, _ context: Context, _ budget: inout FrameBudget
    ) throws(VisionError) -> Step {
        guard budget.spend(context.landmarker.work) else { return .stopped }
        let minimum = minimumPresence(context.limits)
        let hasNext = try aligner.tryNext(context.frame, context.landmarker, minimumPresence: minimum)
        guard !hasNext || aligner.isLevel else { return .again }
        if aligner.best.presence >= minimum {
            phase = .verifying(detection, view: 0, isFresh: true)
        } else {
            reject(detection)
        }
        return .again
    }

    /// Finds the points of the last frame's face in this frame.
    private mutating func refresh(
        _ detection: FaceDetection, _ view: Int, _ context: Context, _ budget: inout FrameBudget
    ) throws(VisionError) -> Step {
        guard budget.spend(context.landmarker.work) else { return .stopped }
        aligner.exchange(with: &face)
        try aligner.follow(face, context.frame, context.landmarker)
        phase = .verifying(detection, view: view, isFresh: true)
        return .again
    }

    /// Runs the detector on one view of the face.
    private mutating func verify(
        _ detection: FaceDetection, _ view: Int, _ context: Context, _ budget: inout FrameBudget
    ) throws(VisionError) -> Step {
        guard budget.spend(.near) else { return .stopped }
        guard aligner.best.presence >= minimumPresence(context.limits) else {
            reject(detection)
            return .again
        }
        if try aligner.isVerified(in: view, context.frame, context.models) {
            phase = .idle
            aligner.exchange(with: &face)
            return .found
        }
        if view + 1 < FaceDetector.verificationViews.count {
            phase = .verifying(detection, view: view + 1, isFresh: true)
        } else {
            reject(detection)
        }
        return .again
    }

    private mutating func reject(_ detection: FaceDetection) {
        queue.reject(detection)
        phase = .idle
    }

    private func minimumPresence(_ limits: TrackingLimits) -> Double {
        (areInTile ? limits.forSmallFaces : limits).minimumPresence
    }
}

/// Detections of a stream that wait to be aligned and verified, and those that were rejected.
struct CandidateQueue {
    /// The detections of the last search, most certain first.
    private var waiting: [FaceDetection] = []
    private var rejected: [Rejection] = []

    /// A detection that was no face.
    private struct Rejection {
        let face: FaceDetection
        /// Seconds since the detection was rejected.
        var age = 0.0
    }

    /// Maximum number of waiting detections of one search.
    private static let maximumCount = 4
    /// Seconds for which a rejected detection is ignored, because the detectors return it in every frame.
    private static let retention = 1.0
    /// Maximum number of rejected detections that are kept.
    private static let maximumRejected = 16

    mutating func reset() {
        waiting.removeAll(keepingCapacity: true)
        rejected.removeAll(keepingCapacity: true)
    }

    /// Forgets detections that were rejected too long ago.
    ///
    /// - Parameter seconds: time since the last frame.
    mutating func age(by seconds: Double) {
        for index in rejected.indices { rejected[index].age += seconds }
        rejected.removeAll { $0.age > Self.retention }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Replaces the waiting detections by those of a new search.
    mutating func fill(with found: [FaceDetection], where isWanted: (FaceDetection) -> Bool) {
        waiting.removeAll(keepingCapacity: true)
        for face in found where waiting.count < Self.maximumCount && !isRejected(face) && isWanted(face) {
            waiting.append(face)
        }
    }

    /// Removes and returns the next detection; nil when none is waiting.
    mutating func next() -> FaceDetection? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Notes that a detection is no face.
    mutating func reject(_ face: FaceDetection) {
        if rejected.count >= Self.maximumRejected { rejected.removeFirst() }
        rejected.append(Rejection(face: face))
    }

    /// Whether a detection was rejected at this place in a view of the same angle; a view of another angle
    /// may show a face there.
    private func isRejected(_ face: FaceDetection) -> Bool {
        rejected.contains {
            $0.face.viewAngle == face.viewAngle && $0.face.square.isSameFace(as: face.square)
        }
    }
}
