package import Imaging

/// Follows the boxes of a stream from one detection to the next, each under an id of its own.
///
/// Small movements of boxes are ignored, and scores may fall for a while: masks that are computed from the boxes would
/// flicker otherwise.
package struct BoxTracker {
    /// A thing that is followed.
    package struct Track {
        /// A number that stays as long as the thing is followed, and is never used again.
        package let id: Int
        /// The box of the thing, in the units of the detections.
        package fileprivate(set) var box: Rectangle
        /// The score of the last detection that showed it, 0...1.
        package fileprivate(set) var score: Double
        /// Detections in a row that did not show the thing, in the view that showed it last.
        package fileprivate(set) var misses = 0
        /// The number of the view that showed the thing last.
        fileprivate var view: Int
        /// Whether the current detection has shown the thing.
        fileprivate var isFound = true
    }

    /// Limits that decide which detections start, continue, move and end tracks.
    package struct Limits: Equatable, Sendable {
        /// The score that starts a track, 0...1; a detection with a lower score only continues one.
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

    /// The tracks, in the order in which they started.
    package private(set) var tracks: [Track] = []
    /// The number of the view of the whole frame.
    private static let whole = -1
    /// Minimum share of a partial view's box within a box of the whole frame that makes it a piece of the
    /// same thing.
    private static let pieceShare = 0.8

    private let limits: Limits
    private var nextID = 0

    /// Creates a tracker without tracks.
    package init(_ limits: Limits) { self.limits = limits }

    /// Updates the tracks with the boxes of the next detection in the whole frame, best first.
    package mutating func update(_ found: [some Detection]) {
        begin(view: Self.whole)
        for detection in found { assign(detection, view: Self.whole) }
        tracks.removeAll { $0.misses > limits.maximumMisses }
    }

    /// Updates the tracks with the boxes of the next detection in a part of the frame, best first.
    ///
    /// Boxes that the whole frame shows too are ignored. A track counts a miss only if this part of the frame
    /// showed it last.
    ///
    /// - Parameter part: number of the part, from 0 on.
    package mutating func update(_ found: [some Detection], part: Int) {
        begin(view: part)
        for detection in found where !isKnown(detection.box) { assign(detection, view: part) }
        tracks.removeAll { $0.misses > limits.maximumMisses }
    }

    /// Ends all tracks, as the next frame shows another scene.
    package mutating func reset() { tracks.removeAll(keepingCapacity: true) }

    private mutating func begin(view: Int) {
        for index in tracks.indices {
            tracks[index].isFound = false
            if tracks[index].view == view { tracks[index].misses += 1 }
        }
    }

    /// Whether the whole frame has shown the thing in a box of a part, or the larger thing that it is a piece
    /// of.
    private func isKnown(_ box: Rectangle) -> Bool {
        tracks.contains {
            $0.view == Self.whole && $0.misses == 0
                && ($0.box.overlap(with: box) >= limits.sameOverlap
                    || box.sharedArea(with: $0.box) > Self.pieceShare * box.area)
        }
    }

    /// Assigns a box to the free track that it overlaps most, or to a new track.
    private mutating func assign(_ found: some Detection, view: Int) {
        var (nearest, share): (Int?, Double) = (nil, limits.sameOverlap)
        for index in tracks.indices where !tracks[index].isFound {
            let overlap = tracks[index].box.overlap(with: found.box)
            if overlap >= share { (nearest, share) = (index, overlap) }
        }
        guard let nearest else {
            if found.score >= limits.entryScore { start(found, view: view) }
            return
        }
        if share < limits.stillOverlap { tracks[nearest].box = found.box }
        (tracks[nearest].misses, tracks[nearest].score) = (0, found.score)
        (tracks[nearest].view, tracks[nearest].isFound) = (view, true)
    }

    private mutating func start(_ found: some Detection, view: Int) {
        tracks.append(Track(id: nextID, box: found.box, score: found.score, view: view))
        nextID &+= 1
    }
}
