import Imaging

/// Detections of a stream that wait to be aligned and verified, and those that turned out to be no faces.
struct NewcomerQueue {
    /// Best first; of one search.
    private var waiting: [FaceDetection] = []
    /// Places in which there was no face.
    private var rejected: [Rejection] = []

    private struct Rejection {
        let face: FaceDetection
        /// Seconds since then.
        var age = 0.0
    }

    /// Detections of one search that are looked into.
    private static let most = 4
    /// Seconds for which a pattern that was taken for a face is left alone; detectors find it again in every
    /// picture.
    private static let memory = 1.0
    /// Places that are remembered.
    private static let mostRejected = 16

    mutating func reset() {
        waiting.removeAll(keepingCapacity: true)
        rejected.removeAll(keepingCapacity: true)
    }

    /// Forgets what was rejected longer ago than `memory`.
    mutating func age(by seconds: Double) {
        for index in rejected.indices { rejected[index].age += seconds }
        rejected.removeAll { $0.age > Self.memory }
    }

    var isEmpty: Bool { waiting.isEmpty }

    /// Takes in what a search found, in place of what waited.
    mutating func fill(with found: [FaceDetection], where isWanted: (FaceDetection) -> Bool) {
        waiting.removeAll(keepingCapacity: true)
        for face in found where waiting.count < Self.most && !isRejected(face) && isWanted(face) {
            waiting.append(face)
        }
    }

    /// The next detection; nil when none waits.
    mutating func next() -> FaceDetection? { waiting.isEmpty ? nil : waiting.removeFirst() }

    /// Remembers that `face` is none.
    mutating func reject(_ face: FaceDetection) {
        if rejected.count >= Self.mostRejected { rejected.removeFirst() }
        rejected.append(Rejection(face: face))
    }

    /// At another turn of the view the same place may show a face after all.
    private func isRejected(_ face: FaceDetection) -> Bool {
        rejected.contains {
            $0.face.viewAngle == face.viewAngle && $0.face.square.isSameFace(as: face.square)
        }
    }
}
