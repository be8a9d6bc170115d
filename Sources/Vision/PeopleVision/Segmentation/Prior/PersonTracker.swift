package import Imaging

/// A person of a frame.
package struct TrackedPerson: Equatable {
    /// The box around the visible part of the person, in the upright frame's unit square.
    package let box: Rectangle
    /// Whether the person is a subject of the image, not somebody in the background.
    package fileprivate(set) var isProminent: Bool
    /// The detector's certainty that this is a person, 0...1; one half for a person whom only the coverage shows.
    package let score: Double
    /// Whether the detector has found the person; false for a person whom only the coverage shows.
    package let isDetected: Bool

    /// Creates a person in `box`.
    package init(box: Rectangle, isProminent: Bool = true, score: Double = 0.5, isDetected: Bool = true) {
        (self.box, self.isProminent, self.score) = (box, isProminent, score)
        self.isDetected = isDetected
    }
}

/// Finds the people of a stream and follows them.
///
/// A detector runs in every few frames, and a tracker keeps the boxes still in between. Where the detector
/// finds no person at all, as in close-ups of a face, the components of the coarse coverage are used instead.
package final class PersonTracker {
    /// Frames from one detection to the next.
    ///
    /// A detection takes a sixth of a matting pass, and at 8 frames a second a person who enters waits
    /// half a second.
    private static let detectionInterval = 4
    /// Frames from one search of a quarter of the frame for small people to the next; a second has all
    /// quarters.
    private static let searchInterval = 8
    /// Maximum number of people with a crop of their own; those with the largest boxes are kept.
    ///
    /// Each costs 2 ms.
    private static let maximumCount = 12
    /// Limits of tracks; overlaps are intersection over union.
    ///
    /// One missed detection in a row is tolerated, so that scores near the threshold do not make masks
    /// flicker.
    private static let tracking = BoxTracker.Limits(
        entryScore: PersonDetector.entryScore, sameOverlap: 0.3, stillOverlap: 0.85, maximumMisses: 1)
    /// Prominence of people who get crops, and whom the prior completes where the matte has lost them.
    ///
    /// Chosen on street and everyday photos among 0.65 to 0.8; without regard to the frame's height, 0.6
    /// adds 2 to the error on street photos and 0.7 takes 0.02 of IoU from everyday ones.
    private static let prominence = Prominence(share: 0.75)

    /// The people of the last frame, the tallest first.
    package private(set) var people: [TrackedPerson] = []
    /// Number of people in the last frame, including those beyond the maximum that are followed.
    package private(set) var count = 0
    /// Number of scenes that the stream has shown; a new one begins with `reset()`.
    package private(set) var scene = 0

    private let detector: PersonDetector
    private var tracker = BoxTracker(tracking)
    private var detections: [BoxDetection] = []
    private let components = ConnectedComponents()
    private var framesSinceDetection = 0
    /// Schedule of the search for small people; nil for no search.
    package var searchSchedule: PersonSearch.Schedule?
    private var search = PersonSearch()
    private var framesSinceSearch = 0

    /// Loads the detector.
    package init(_ setup: ModelSetup) throws(VisionError) {
        detector = try PersonDetector(setup)
        people.reserveCapacity(Self.maximumCount)
    }

    /// Finds the people of the next frame.
    ///
    /// - Parameters:
    ///   - andMirrorImage: whether the mirror image is searched, too.
    ///   - coverage: the coarse segmentation of the frame.
    package func update(
        _ image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool = false,
        coverage: FloatImage
    ) throws(VisionError) {
        try detect(image, orientation, andMirrorImage)
        people.removeAll(keepingCapacity: true)
        for track in tracker.tracks { people.append(TrackedPerson(box: track.box, score: track.score)) }
        findProminent()
        if people.isEmpty, MaskRule.components.isOn { addComponents(of: coverage) }
        count = people.count
        if people.count > Self.maximumCount {
            people.sort { $0.box.area > $1.box.area }
            people.removeLast(people.count - Self.maximumCount)
        }
        people.sort { $0.box.height > $1.box.height }
    }

    /// Leaves out doubtful people of a still image without a face of their own.
    ///
    /// - Parameter faces: squares around the faces of all people, in the upright frame's unit square.
    package func leaveOutDoubtfulPeople(without faces: [Rectangle]) {
        let others = DoubtfulPeople.removed(from: people, without: faces)
        count -= people.count - others.count
        people = others
        findProminent()
    }

    /// Finds out who is prominent among the people.
    ///
    /// A person who is cut off by the frame's lower edge is near the camera. None of 489 passers-by in 302 street photos is.
    private func findProminent() {
        guard MaskRule.prominence.isOn else { return }
        let tallest = people.lazy.map(\.box.height).max() ?? 0
        for index in people.indices {
            let box = people[index].box
            people[index].isProminent = box.isCutOffBelow || Self.prominence.includes(box, tallest: tallest)
        }
    }

    /// Runs the detector where it is due: on the whole frame, or on a quarter of a frame in between if small
    /// people are searched for.
    private func detect(
        _ image: ImageView, _ orientation: ImageOrientation, _ andMirrorImage: Bool
    ) throws(VisionError) {
        let isFirst = tracker.tracks.isEmpty
        let turn = framesSinceDetection
        framesSinceDetection = (framesSinceDetection + 1) % Self.detectionInterval
        if turn == 0 {
            try detector.find(
                in: image, orientation: orientation, andMirrorImage: andMirrorImage, into: &detections)
            tracker.update(detections)
            framesSinceSearch += Self.detectionInterval
        }
        // In images without people, quarters show false people in patterns.
        guard let searchSchedule, !tracker.tracks.isEmpty else { return }
        if isFirst, searchSchedule == .atOnce {
            for _ in 0..<PersonSearch.count { try searchNext(image, orientation) }
        } else if turn > 0, framesSinceSearch >= Self.searchInterval {
            try searchNext(image, orientation)
        }
    }

    private func searchNext(_ image: ImageView, _ orientation: ImageOrientation) throws(VisionError) {
        framesSinceSearch = 0
        let quarter = search.takeTurn()
        tracker.update(
            try search.find(in: image, orientation: orientation, quarter: quarter, detector), part: quarter)
    }

    /// Forgets the people, as the next frame does not follow the last.
    package func reset() {
        tracker.reset()
        search = PersonSearch()
        (framesSinceDetection, framesSinceSearch) = (0, 0)
        scene &+= 1
    }

    private func addComponents(of coverage: FloatImage) {
        components.find(in: coverage, above: CoverageLimits.certain.low)
        let smallest = CoverageLimits.smallComponents.smallestArea(
            beside: components.largestArea, of: coverage.count)
        components.forEach { component in
            guard component.area >= smallest else { return }
            people.append(
                TrackedPerson(
                    box: Rectangle(component, width: coverage.width, height: coverage.height),
                    isDetected: false))
        }
    }
}

/// The rule for people who stand out in a frame.
///
/// A person of height h stands out if h >= share * t * t, where t is the tallest person's height, both as
/// shares of the frame's height. Where one person fills the frame, only people of about the same height
/// stand out; in a wide shot all do.
struct Prominence: Equatable, Sendable {
    let share: Double

    /// Whether a person in `box` stands out next to a person whose box is `tallest` of the frame high.
    func includes(_ box: Rectangle, tallest: Double) -> Bool { box.height >= share * tallest * tallest }
}

extension Rectangle {
    /// Whether the lower edge of the frame cuts off the person in this box.
    var isCutOffBelow: Bool { y + height >= 1 - PersonSearch.cutMargin }
}
