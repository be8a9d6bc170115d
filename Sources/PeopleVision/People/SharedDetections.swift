import Imaging
import Synchronization

/// What the person detector has found in one frame, for all requests that look at it.
final class SharedDetections: Sendable, Equatable {
    /// The frame's first view that was searched, and its people.
    private struct Found {
        let region: FrameTransform
        var people: [BoxDetection]
    }

    private let found = Mutex<Found?>(nil)

    static func == (one: SharedDetections, other: SharedDetections) -> Bool { one === other }

    /// Begins a frame, of which nothing is known yet.
    func begin() { found.withLock { $0 = nil } }

    /// Whether the frame was searched.
    var isKnown: Bool { found.withLock { $0 != nil } }

    /// Copies the people of a view into `people`; returns false where this view was not searched.
    func read(_ region: FrameTransform, into people: inout [BoxDetection]) -> Bool {
        found.withLock { found in
            guard let found, found.region == region else { return false }
            people.removeAll(keepingCapacity: true)
            people += found.people
            return true
        }
    }

    /// Keeps the people of a view, unless those of another one are there.
    func store(_ region: FrameTransform, _ people: [BoxDetection]) {
        found.withLock { if $0 == nil { $0 = Found(region: region, people: people) } }
    }
}
