/// An observation of joints that have names and belong to groups.
public protocol PoseProviding {
    /// The names of the joints.
    associatedtype JointName: CaseIterable, Hashable
    /// The names of the groups.
    associatedtype JointsGroupName: JointsGroup where JointsGroupName.JointName == JointName
    /// A joint in the image or in space.
    associatedtype PoseJoint

    /// Returns the joint called `name`; nil where it is not seen.
    func joint(for name: JointName) -> PoseJoint?
}

extension PoseProviding {
    /// The names of the joints that are seen.
    public var availableJointNames: [JointName] { JointName.allCases.filter { joint(for: $0) != nil } }

    /// The names of the groups of which a joint is seen.
    public var availableJointsGroupNames: [JointsGroupName] {
        JointsGroupName.allCases.filter { !allJoints(in: $0).isEmpty }
    }
}

/// A group of joints.
public protocol JointsGroup: CaseIterable {
    /// The names of the joints.
    associatedtype JointName
    /// A list of names.
    associatedtype Joints: Sequence<JointName>

    /// The group's joints.
    var joints: Joints { get }
}

extension PoseProviding {
    /// Returns the seen joints of a group, or all of them.
    public func allJoints(in group: JointsGroupName? = nil) -> [JointName: PoseJoint] {
        let names = group.map { Array($0.joints) } ?? Array(JointName.allCases)
        return Dictionary(
            uniqueKeysWithValues: names.compactMap { name in joint(for: name).map { (name, $0) } })
    }
}
