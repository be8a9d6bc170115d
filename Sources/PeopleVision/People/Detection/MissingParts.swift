import Imaging

/// Which parts of the people of a stream are still to be found.
///
/// Where a body shows a face or hand that has not been found yet, searching is worth it in every interval. Where everything
/// that bodies show is known, it is done once in a while only: bodies miss people, too.
struct MissingParts: Equatable {
    /// Whether a face is to be found.
    private(set) var hasFaces = true
    /// Whether a hand is to be found.
    private(set) var hasHands = true

    /// A joint that is more certain than this, 0...1, is seen (the authors of the model say so).
    private static let visible = 0.5
    /// How much longer the interval is where nothing is missing.
    private static let relaxation = 5.0

    /// What is missing in a frame.
    ///
    /// - Parameter people: of the frame, without parts that have no known person.
    init(_ people: [PersonObservation] = []) {
        guard !people.isEmpty else { return }
        hasFaces = people.contains { person in
            guard person.face == nil else { return false }
            return person.body.map { Self.isSeen($0.joint(.nose)) } ?? true
        }
        hasHands = people.contains { person in
            guard let body = person.body else { return person.hands.count < 2 }
            let wrists = [body.joint(.leftWrist), body.joint(.rightWrist)].filter(Self.isSeen)
            return person.hands.count < wrists.count
        }
    }

    private static func isSeen(_ joint: Joint) -> Bool {
        joint.confidence >= visible && Rectangle.unit.contains(joint.location)
    }

    /// Seconds from one search to the next; nil stays nil.
    func interval(_ interval: Double?, isMissing: KeyPath<MissingParts, Bool>) -> Double? {
        interval.map { self[keyPath: isMissing] ? $0 : $0 * Self.relaxation }
    }
}
