package import Imaging

/// Follows the boxes of a stream from one detection to the next, each under an id of its own.
///
/// Small movements of boxes are ignored, and scores may fall for a while: masks that are computed from the boxes would
/// flicker otherwise.
package struct BoxTracker {
    /// One thing that is followed.
    package struct Track {
        /// A number that stays as long as the thing is followed, and is never used again.
        package let id: Int
        /// In the units of the detections.
        package fileprivate(set) var box: Rectangle
        /// The score of the last detection that showed it, 0...1.
        package fileprivate(set) var score: Double
        /// Detections in a row that did not show it.
        package fileprivate(set) var misses = 0
    }

    /// Which detections start, continue, move and end tracks.
    package struct Limits: Equatable, Sendable {
        /// The score that starts a track, 0...1; a detection of less only continues one.
        let entryScore: Double
        /// The intersection over union from which a detection continues a track.
        let sameOverlap: Double
        /// The intersection over union from which the track's box stays as it is.
        let stillOverlap: Double
        /// Detections in a row that may miss a track before it ends.
        let maximumMisses: Int

        package init(entryScore: Double, sameOverlap: Double, stillOverlap: Double, maximumMisses: Int) {
            self.entryScore = entryScore
            self.sameOverlap = sameOverlap
            self.stillOverlap = stillOverlap
            self.maximumMisses = maximumMisses
        }
    }

    /// What is followed, in the order in which it was found.
    package private(set) var tracks: [Track] = []
    private let limits: Limits
    private var nextID = 0

    /// A tracker that follows nothing yet.
    package init(_ limits: Limits) { self.limits = limits }

    /// Goes on to the next detection's boxes, which come best first.
    package mutating func update(_ found: [some Detection]) {
        for index in tracks.indices { tracks[index].misses += 1 }
        for detection in found { assign(detection.box, score: detection.score) }
        tracks.removeAll { $0.misses > limits.maximumMisses }
    }

    /// Ends all tracks: the next frame shows another scene.
    package mutating func reset() { tracks.removeAll(keepingCapacity: true) }

    /// Gives a box to the track that it overlaps most, of those without one in this detection, or to a new track.
    private mutating func assign(_ box: Rectangle, score: Double) {
        var (nearest, share): (Int?, Double) = (nil, limits.sameOverlap)
        for index in tracks.indices where tracks[index].misses > 0 {
            let overlap = tracks[index].box.overlap(with: box)
            if overlap >= share { (nearest, share) = (index, overlap) }
        }
        guard let nearest else {
            if score >= limits.entryScore { start(box, score) }
            return
        }
        if share < limits.stillOverlap { tracks[nearest].box = box }
        (tracks[nearest].misses, tracks[nearest].score) = (0, score)
    }

    private mutating func start(_ box: Rectangle, _ score: Double) {
        tracks.append(Track(id: nextID, box: box, score: score))
        nextID &+= 1
    }
}
