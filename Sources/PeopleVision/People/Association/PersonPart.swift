package import Imaging

/// Something that an analyser has found in a frame, and that is a part of a person.
///
/// Places are normalised to 0...1 of the frame as stored.
package struct PersonPart {
    /// What it is.
    package enum Kind: Sendable {
        /// A person in the label map.
        case outline
        case body, face, hand

        /// How many of them a person has at most.
        var maximumCount: Int { self == .hand ? 2 : 1 }
    }

    package let kind: Kind
    /// Distinguishes the parts of a kind, and stays with one that is followed.
    package let id: Int
    package let box: Rectangle
    /// Of a body one for each of `HumanBodyPoseObservation.JointName`, of a hand its points, the wrist first; empty for
    /// others.
    package let joints: [Joint]
    /// In the label map; 0 for parts other than outlines.
    package let label: Int

    package init(_ kind: Kind, id: Int, box: Rectangle, joints: [Joint] = [], label: Int = 0) {
        (self.kind, self.id, self.box, self.joints, self.label) = (kind, id, box, joints, label)
    }
}
