/// A joint of a body in space.
public struct Joint3D: Sendable, Equatable {
    /// The joint's name.
    public let jointName: HumanBodyPose3DObservation.JointName
    /// The joint before this one on the way from the root; nil for the root.
    public let parentJoint: HumanBodyPose3DObservation.JointName?
    /// The transform from the root to the joint, in metres.
    @_disfavoredOverload
    public let position: Transform3D
    /// The transform from the parent to the joint, in metres; the identity for the root.
    @_disfavoredOverload
    public let localPosition: Transform3D

    /// Both transforms, for a module in which other properties of their names hide them.
    package var transforms: (fromRoot: Transform3D, fromParent: Transform3D) { (position, localPosition) }
}

extension HumanBodyPose3DObservation: PoseProviding {
    /// Returns the joint called `name`.
    public func joint(for name: JointName) -> Joint3D? {
        Joint3D(
            jointName: name, parentJoint: name.parent, position: position(name),
            localPosition: localPosition(name))
    }

    /// Returns the joint before another one on the way from the root; nil for the root.
    public func parentJointName(for name: JointName) -> JointName? { name.parent }
}
