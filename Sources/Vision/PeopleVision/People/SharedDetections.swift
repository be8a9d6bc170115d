import Imaging
import Synchronization

/// The person detector's results in one frame, for all requests that look at it.
final class SharedDetections: Sendable, Equatable {
    /// A view of the frame that was searched, and its people.
    private struct SearchedView {
        /// The transform from the view's unit square to that of the stored frame.
        let region: FrameTransform
        let people: [BoxDetection]
    }

    private let views = Mutex<[SearchedView]>([])

    static func == (one: SharedDetections, other: SharedDetections) -> Bool { one === other }

    /// Begins a frame without any results.
    func begin() { views.withLock { $0.removeAll(keepingCapacity: true) } }

    /// Whether a view was searched.
    func isKnown(_ region: FrameTransform) -> Bool {
        views.withLock { views in views.contains { $0.region == region } }
    }

    /// Copies the people of a view into `people`; returns false if this view was not searched.
    func read(_ region: FrameTransform, into people: inout [BoxDetection]) -> Bool {
        views.withLock { views in
            guard let known = views.first(where: { $0.region == region }) else { return false }
            people.removeAll(keepingCapacity: true)
            people += known.people
            return true
        }
    }

    /// Stores the people of a view.
    func store(_ region: FrameTransform, _ people: [BoxDetection]) {
        views.withLock { $0.append(SearchedView(region: region, people: people)) }
    }
}
