package import Imaging

/// People of a still image of whom only a face tells that they are some.
///
/// Large things behind a portrait, such as fruit or the pattern of a wallpaper, are taller than the person before them. The
/// detector is less sure of them.
package enum DoubtfulPeople {
    /// Certainty, as a share of that of the surest other person, below which somebody taller than all others is doubtful.
    ///
    /// In 91 photos of COCO 14 true people without a face are taller than those with one; the least certain has 0.81. Bananas and
    /// wallpaper behind portraits have 0.64 to 0.75.
    private static let certainty = 0.78

    /// Whether one of `people` is doubtful, so that their faces are needed.
    package static func areAmong(_ people: [TrackedPerson]) -> Bool {
        MaskRule.ownFace.isOn && people.contains { isDoubtful($0, beside: people) }
    }

    /// Returns `people` without those who are doubtful beside people with faces, and have none of their own.
    ///
    /// - Parameter faces: squares around the faces of all people, in the upright frame's unit square.
    package static func removed(from people: [TrackedPerson], without faces: [Rectangle]) -> [TrackedPerson] {
        let owners = Set(faces.compactMap { owner(of: $0, among: people) })
        let shown = owners.map { people[$0] }
        return people.indices.filter { owners.contains($0) || !isDoubtful(people[$0], beside: shown) }
            .map { people[$0] }
    }

    private static func isDoubtful(_ person: TrackedPerson, beside others: [TrackedPerson]) -> Bool {
        var (tallest, surest) = (0.0, 0.0)
        for other in others where other != person {
            tallest = max(tallest, other.box.height)
            surest = max(surest, other.score)
        }
        return person.box.height > tallest && person.score < certainty * surest
    }

    /// Returns the index of the person whose face it is: the one with the smallest box around its centre.
    private static func owner(of face: Rectangle, among people: [TrackedPerson]) -> Int? {
        people.indices.filter { people[$0].box.contains(face.center) }
            .min { people[$0].box.area < people[$1].box.area }
    }
}
