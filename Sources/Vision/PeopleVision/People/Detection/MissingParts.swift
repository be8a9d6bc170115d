import Imaging

/// The kinds of parts of a stream's people that are still to be found.
///
/// If a body shows a face or hand that has not been found yet, a search is worth its cost in every
/// interval. Where all visible parts are known, searches are rare but do not stop, because the body detector
/// misses people too.
struct MissingParts: Equatable {
    /// Whether a visible face has not been found.
    private(set) var hasFaces = true
    /// Whether a visible hand has not been found.
    private(set) var hasHands = true

    /// Minimum confidence of a visible joint, 0...1 (the value of the model's authors).
    private static let visible = 0.5
    /// Factor of the search interval where nothing is missing.
    private static let relaxation = 5

    /// Determines the parts that are missing in a frame.
    ///
    /// - Parameter people: the people of the frame, without parts that have no known person.
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

    /// Returns the time from one search to the next; nil stays nil.
    func interval(_ interval: Duration?, isMissing: KeyPath<MissingParts, Bool>) -> Duration? {
        interval.map { self[keyPath: isMissing] ? $0 : $0 * Self.relaxation }
    }
}
