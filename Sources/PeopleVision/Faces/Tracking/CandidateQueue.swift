import Imaging

/// Detections of a stream that wait to be aligned and verified, and those that turned out to be no faces.
struct CandidateQueue {
    /// Those of the last search, the most certain first.
    private var waiting: [FaceDetection] = []
    private var rejected: [Rejection] = []

    /// A detection that was no face.
    private struct Rejection {
        let face: FaceDetection
        /// Seconds since it was rejected.
        var age = 0.0
    }

    /// Detections of one search that wait at most.
    private static let most = 4
    /// Seconds for which a rejected detection is ignored: the detectors give it again in every picture.
    private static let retention = 1.0
    /// Rejected detections that are kept at most.
    private static let mostRejected = 16

    mutating func reset() {
        waiting.removeAll(keepingCapacity: true)
        rejected.removeAll(keepingCapacity: true)
    }

    /// Forgets what was rejected too long ago.
    ///
    /// - Parameter seconds: since the last picture.
    mutating func age(by seconds: Double) {
        for index in rejected.indices { rejected[index].age += seconds }
        rejected.removeAll { $0.age > Self.retention }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Replaces what waits by what a search found.
    mutating func fill(with found: [FaceDetection], where isWanted: (FaceDetection) -> Bool) {
        waiting.removeAll(keepingCapacity: true)
        for face in found where waiting.count < Self.most && !isRejected(face) && isWanted(face) {
            waiting.append(face)
        }
    }

    /// Takes out the next detection; nil when none waits.
    mutating func next() -> FaceDetection? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Notes that a detection is no face.
    mutating func reject(_ face: FaceDetection) {
        if rejected.count >= Self.mostRejected { rejected.removeFirst() }
        rejected.append(Rejection(face: face))
    }

    /// In a view that is turned by another angle, the same place may be a face after all.
    private func isRejected(_ face: FaceDetection) -> Bool {
        rejected.contains {
            $0.face.viewAngle == face.viewAngle && $0.face.square.isSameFace(as: face.square)
        }
    }
}
