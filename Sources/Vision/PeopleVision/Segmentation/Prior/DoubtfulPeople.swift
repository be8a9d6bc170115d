package import Imaging

/// People of a still image of whom only a face tells that they are some.
///
/// Large things behind a portrait, such as fruit or the pattern of a wallpaper, are taller than the person before them. The
/// detector is less sure of them, or takes the whole image for a second person.
package enum DoubtfulPeople {
    /// Certainty, as a share of that of the surest other person, below which a person taller than all others is doubtful.
    ///
    /// In 91 photos of COCO 14 true people without a face are taller than those with one; the least certain has 0.81. Bananas and
    /// wallpaper behind portraits have 0.64 to 0.75.
    private static let certainty = 0.78

    /// Whether one of `people` is doubtful, so that their faces are needed.
    package static func areAmong(_ people: [TrackedPerson]) -> Bool {
        let others = people.map { (person: $0, face: Rectangle?.none) }
        return MaskRule.ownFace.isOn && people.contains { isDoubtful($0, beside: others) }
    }

    /// Returns `people` without those who are doubtful beside people with faces, and have none of their own.
    ///
    /// - Parameter faces: squares around the faces of all people, in the upright frame's unit square.
    package static func removed(from people: [TrackedPerson], without faces: [Rectangle]) -> [TrackedPerson] {
        let shown = faces.compactMap { face in owner(of: face, among: people).map { ($0, face) } }
        return people.filter { person in
            shown.contains { $0.0 == person } || !isDoubtful(person, beside: shown)
        }
    }

    /// Whether a person is doubtful beside other people, whose faces are nil where they are not known.
    private static func isDoubtful(
        _ person: TrackedPerson, beside others: [(person: TrackedPerson, face: Rectangle?)]
    ) -> Bool {
        var (tallest, surest, hasHeadBelow) = (0.0, 0.0, false)
        for (other, face) in others where other != person {
            tallest = max(tallest, other.box.height)
            surest = max(surest, other.score)
            guard person.box.surrounds(other.box) else { continue }
            hasHeadBelow = hasHeadBelow || face.map(person.isAbove) ?? true
        }
        return person.box.height > tallest && (hasHeadBelow || person.score < certainty * surest)
    }

    /// Returns the person whose face it is: the one with the smallest box around its centre.
    private static func owner(of face: Rectangle, among people: [TrackedPerson]) -> TrackedPerson? {
        people.filter { $0.box.contains(face.center) }.min { $0.box.area < $1.box.area }
    }
}

extension TrackedPerson {
    /// Whether the box begins so far above a face that the head is another person's.
    ///
    /// One of 21 true people without a face who are taller than those with one is around a person with a face. That face begins
    /// 0.6 of its height below the box. Where the whole image is taken for a person, it is 1.5 to 2.
    fileprivate func isAbove(_ face: Rectangle) -> Bool { face.y - box.y > face.height }
}
