package import Imaging

/// A part of a person that an analyser has found in a frame.
///
/// Places are normalised to 0...1 of the frame as stored.
package struct PersonPart {
    /// The kind of a part.
    package enum Kind: Sendable {
        /// A person in the label map.
        case outline
        case body, face, hand

        /// The maximum number of parts of this kind that a person has.
        var maximumCount: Int { self == .hand ? 2 : 1 }
    }

    package let kind: Kind
    /// A number that distinguishes the parts of a kind, and stays with a part that is followed.
    package let id: Int
    package let box: Rectangle
    /// The joints of a body, one for each of `HumanBodyPoseObservation.JointName`, or the points of a hand,
    /// the wrist first; empty for other parts.
    package let joints: [Joint]
    /// The label in the label map; 0 for parts other than outlines.
    package let label: Int

    package init(_ kind: Kind, id: Int, box: Rectangle, joints: [Joint] = [], label: Int = 0) {
        (self.kind, self.id, self.box, self.joints, self.label) = (kind, id, box, joints, label)
    }
}
