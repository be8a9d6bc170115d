/// What the rotation that a stream's points give lacks against that of a closer look: with the full landmark model,
/// and in the mirrored picture.
///
/// Closer looks cost three times as much as following, and their difference to what is followed changes slowly:
/// it is kept in the head's own axes and added to what the other pictures give.
package struct PoseCorrection {
    /// A way to look closer.
    package enum Look { case direct, mirrored }

    private var direct: Rotation?
    private var mirrored: Rotation?
    /// The head's rotation, as followed, at the last look.
    private var last: Rotation?
    /// The head's rotation, as followed, in the last picture.
    private var current: Rotation?
    /// Seconds since the last look.
    private var age = 0.0

    package init() {}

    /// Seconds after which a look is worth its cost again.
    private static let interval = 2.0
    /// Radians by which a head that turned since then makes it worth its cost at once: 20 degrees.
    private static let farTurn = Double.pi / 9

    /// Goes on to the next picture.
    package mutating func age(by seconds: Double) { age += seconds }

    /// How much a look is needed: from 1 on it is worth its cost, from 2 on also that of a search.
    package var need: Double {
        guard direct != nil, mirrored != nil, let last, let current else { return 2 }
        return max(age / Self.interval, current.angle(to: last) / Self.farTurn)
    }

    /// The kind of look that is due.
    package private(set) var next = Look.direct

    /// Takes over what a look gave.
    ///
    /// - Parameters:
    ///   - exact: the head's rotation; that of the mirrored picture mirrored back. Nil when nothing was found.
    ///   - followed: the same, as followed.
    package mutating func learn(_ exact: Rotation?, _ look: Look, from followed: Rotation) {
        let difference = exact.map { followed.difference(to: $0) }
        switch look {
        case .direct: direct = Self.mixed(direct, difference)
        case .mirrored: mirrored = Self.mixed(mirrored, difference)
        }
        (last, age, next) = (followed, 0, look == .direct ? .mirrored : .direct)
    }

    /// The rotation of a head that is followed as `followed`.
    package mutating func corrected(_ followed: Rotation) -> Rotation {
        current = followed
        let middle = direct.flatMap { direct in mirrored.flatMap { direct.middle(to: $0) } }
        guard let difference = middle ?? direct ?? mirrored else { return followed }
        return followed.after(difference)
    }

    /// Half of the new one: a look has noise of its own.
    private static func mixed(_ old: Rotation?, _ new: Rotation?) -> Rotation? {
        guard let old, let new else { return new ?? old ?? Rotation(roll: 0, yaw: 0, pitch: 0) }
        return old.middle(to: new) ?? new
    }
}
