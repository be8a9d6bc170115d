import Imaging

/// Makes faces of a stream's detections, one after the other and over several pictures: aligns each, and has it
/// verified.
struct Newcomer {
    /// The face that was verified last.
    private(set) var face = AlignedFace()
    private var queue = NewcomerQueue()
    private var aligner = FaceAligner()
    private var phase = Phase.idle
    private var areInTile = false

    private enum Phase {
        case idle
        /// There are crops to try.
        case aligning(FaceDetection)
        /// A detector has yet to see it; the points may be those of an earlier picture.
        case verifying(FaceDetection, view: Int, isFresh: Bool)
    }

    /// Whether there is nothing to go on with.
    var isIdle: Bool {
        if case .idle = phase { queue.isEmpty } else { false }
    }

    mutating func reset() {
        queue.reset()
        phase = .idle
    }

    /// Goes on to the next picture, `seconds` after the last one.
    mutating func age(by seconds: Double) {
        queue.age(by: seconds)
        if case .verifying(let face, let view, _) = phase {
            phase = .verifying(face, view: view, isFresh: false)
        }
    }

    /// Takes in what a search found.
    ///
    /// - Parameter inTile: whether small patterns are to be expected.
    mutating func begin(with found: [FaceDetection], inTile: Bool, where isWanted: (FaceDetection) -> Bool) {
        areInTile = inTile
        queue.fill(with: found) { $0.score > $0.leastScore(beside: nil) && isWanted($0) }
    }

    /// Goes on as far as the budget allows.
    ///
    /// - Returns: whether `face` is a new one; false when nothing more can be done for this picture.
    mutating func proceed(
        in frame: UprightFrame, _ models: FaceModels, _ landmarker: FaceLandmarker,
        _ limits: FaceTracker.Limits, _ budget: inout FrameBudget
    ) throws(VisionError) -> Bool {
        let least = areInTile ? limits.forSmallFaces.least : limits.least
        while true {
            switch phase {
            case .idle:
                guard let next = queue.next() else { return false }
                aligner.begin(next, landmarker)
                phase = .aligning(next)
            case .aligning(let detection):
                guard budget.spend(landmarker.work) else { return false }
                let hasNext = try aligner.tryNext(frame, landmarker, least: least)
                if !hasNext || aligner.isLevel { settle(detection, least) }
            case .verifying(let detection, let view, let isFresh):
                if !isFresh {
                    guard budget.spend(landmarker.work) else { return false }
                    aligner.exchange(with: &face)
                    try aligner.follow(face, frame, landmarker)
                    phase = .verifying(detection, view: view, isFresh: true)
                }
                guard budget.spend(.near) else { return false }
                guard aligner.best.presence >= least else {
                    reject(detection)
                    continue
                }
                if try aligner.isVerified(in: view, frame, models) {
                    phase = .idle
                    aligner.exchange(with: &face)
                    return true
                }
                if view + 1 < FaceDetector.verificationViews.count {
                    phase = .verifying(detection, view: view + 1, isFresh: true)
                } else {
                    reject(detection)
                }
            }
        }
    }

    private mutating func settle(_ detection: FaceDetection, _ least: Double) {
        if aligner.best.presence >= least {
            phase = .verifying(detection, view: 0, isFresh: true)
        } else {
            reject(detection)
        }
    }

    private mutating func reject(_ detection: FaceDetection) {
        queue.reject(detection)
        phase = .idle
    }
}
