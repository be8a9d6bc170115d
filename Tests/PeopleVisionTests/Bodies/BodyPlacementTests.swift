import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the place of a body with exact projections.
@Suite struct BodyPlacementTests {
    private static let size = Size(width: 1280, height: 720)
    private static let focalLength = 900.0
    private static let camera = Camera(2 * atan(360 / focalLength), size)

    private static let roots = [
        SIMD3(0.0, 0, -3), SIMD3(1.2, 0.3, -4), SIMD3(-0.8, -0.4, -2.5), SIMD3(0.1, 0.1, -12),
    ]

    private func pose(
        _ body: BodyLandmarks, height: Double = 1.8, toStored: FrameTransform = .identity
    ) throws -> HumanBodyPose3DObservation {
        var placement = BodyPlacement()
        let isPlaced = placement.place(body, Self.camera)
        try #require(isPlaced)
        var memory: [SIMD3<Double>] = []
        return try #require(
            HumanBodyPose3DObservation(
                placement, Self.camera, size: Self.size, toStored: toStored, height: height, &memory))
    }

    /// The place follows from the size of the model's body, whatever that size is.
    @Test(arguments: roots, [0.8, 1, 1.3])
    func findsThePlaceOfAnExactBody(_ root: SIMD3<Double>, factor: Double) {
        let body = SyntheticBody(root: root)
        var placement = BodyPlacement()
        let seen = body.seen(focalLength: Self.focalLength, size: Self.size, factor: factor)
        let isPlaced = placement.place(seen, Self.camera)
        #expect(isPlaced)
        for (index, point) in placement.points.enumerated() {
            #expect((point - factor * body.camera(index)).norm < 1e-6, "point \(index)")
        }
    }

    @Test(arguments: roots)
    func jointsAreThoseOfABodyOfTheReferenceHeight(_ root: SIMD3<Double>) throws {
        let body = SyntheticBody(root: root)
        let pose = try pose(body.seen(focalLength: Self.focalLength, size: Self.size, factor: 1))
        #expect(pose.bodyHeight == 1.8 && pose.heightEstimation == .reference)
        // The height along the joints is not exactly 1.8 m, so the body is scaled a little. Its shape stays.
        let scale = pose.rootPosition.norm / root.norm
        #expect(abs(scale - 1) < 0.1, "\(scale)")
        let named: [(HumanBodyPose3DObservation.JointName, BodyPoint)] = [
            (.leftShoulder, .leftShoulder), (.rightWrist, .rightWrist), (.leftKnee, .leftKnee),
            (.rightAnkle, .rightAnkle), (.rightHip, .rightHip),
        ]
        for (joint, point) in named {
            let place = pose.place(joint)
            #expect((place - scale * body.points[point.rawValue]).norm < 1e-6, "\(joint)")
        }
        #expect(pose.place(.root).norm < 1e-9)
    }

    @Test func aSmallerPersonIsNearerByAsMuch() throws {
        let seen = SyntheticBody(root: Self.roots[1]).seen(
            focalLength: Self.focalLength, size: Self.size, factor: 1)
        let (adult, child) = (try pose(seen), try pose(seen, height: 0.9))
        #expect(child.bodyHeight == 0.9 && child.heightEstimation == .reference)
        #expect((2 * child.rootPosition - adult.rootPosition).norm < 1e-9)
        for (a, b) in zip(adult.positions, child.positions) { #expect((a - 2 * b).norm < 1e-9) }
        #expect(child.pointInImage(for: .leftWrist) == adult.pointInImage(for: .leftWrist))
    }

    @Test(arguments: [0, -1, .nan, .infinity]) func refusesHeightsThatNobodyHas(_ height: Double) throws {
        let seen = SyntheticBody(root: Self.roots[1]).seen(
            focalLength: Self.focalLength, size: Self.size, factor: 1)
        var (placement, memory) = (BodyPlacement(), [SIMD3<Double>]())
        let isPlaced = placement.place(seen, Self.camera)
        #expect(isPlaced)
        #expect(
            HumanBodyPose3DObservation(
                placement, Self.camera, size: Self.size, toStored: .identity, height: height, &memory) == nil)
    }

    @Test func jointsProjectToTheirPointsInTheImage() throws {
        // No rigid body has these places in the image, but each joint still lies on its line of sight.
        var seen = SyntheticBody(root: Self.roots[1]).seen(
            focalLength: Self.focalLength, size: Self.size, factor: 1)
        var generator = SeededGenerator(seed: 4)
        for index in seen.points.indices {
            seen.points[index].x += generator.number(-8...8)
            seen.points[index].y += generator.number(-8...8)
        }
        let pose = try pose(seen)
        for (joint, point) in [
            (HumanBodyPose3DObservation.JointName.leftWrist, BodyPoint.leftWrist), (.rightAnkle, .rightAnkle),
        ] {
            let place = try #require(pose.pointInImage(for: joint))
            #expect(abs(place.x * 1280 - seen.points[point.rawValue].x) < 1e-6)
            #expect(abs(place.y * 720 - seen.points[point.rawValue].y) < 1e-6)
        }
    }

    @Test func pointsAreInTheStoredImage() throws {
        let seen = SyntheticBody(root: Self.roots[2]).seen(
            focalLength: Self.focalLength, size: Self.size, factor: 1)
        let (upright, turned) = (try pose(seen), try pose(seen, toStored: .orientation(.right)))
        let (a, b) = (
            try #require(upright.pointInImage(for: .leftKnee)),
            try #require(turned.pointInImage(for: .leftKnee))
        )
        #expect(abs(b.x - a.y) < 1e-9 && abs(b.y - (1 - a.x)) < 1e-9)
        #expect(upright.positions == turned.positions)
    }

    @Test func transformsOfJointsAndParentsAgree() throws {
        let pose = try pose(
            SyntheticBody(root: Self.roots[1]).seen(focalLength: Self.focalLength, size: Self.size, factor: 1)
        )
        for joint in HumanBodyPose3DObservation.JointName.allCases {
            // The sum of the steps from the root to the joint.
            var (sum, next) = (SIMD3<Double>(), HumanBodyPose3DObservation.JointName?.some(joint))
            while let step = next {
                sum += try #require(pose.joint(for: step)).localPosition.translation
                next = pose.parentJointName(for: step)
            }
            #expect((sum - pose.place(joint)).norm < 1e-9)
            let fromCamera = pose.cameraRelativePosition(for: joint).translation
            let camera = pose.cameraOriginMatrix.translation
            #expect((fromCamera + camera - pose.place(joint)).norm < 1e-9)
        }
        // The spine is half way up to the shoulders, the head above them.
        let neck = pose.place(.centerShoulder)
        #expect((2 * pose.place(.spine) - neck).norm < 1e-9)
        #expect(pose.place(.topHead).y > pose.place(.centerHead).y)
    }

    @Test func refusesBodiesWithoutAPlace() {
        let seen = SyntheticBody(root: Self.roots[0]).seen(
            focalLength: Self.focalLength, size: Self.size, factor: 1)
        var (inOnePlace, hidden, broken) = (seen, seen, seen)
        for index in seen.points.indices {
            inOnePlace.points[index] = SIMD3(600, 300, 0.9)
            hidden.points[index].z = 0
        }
        broken.world[3].x = .nan
        var placement = BodyPlacement()
        for body in [inOnePlace, hidden, broken] {
            let isPlaced = placement.place(body, Self.camera)
            #expect(!isPlaced)
        }
    }

    @Test func jointsAreInTheirOrder() {
        for (index, joint) in HumanBodyPose3DObservation.JointName.allCases.enumerated() {
            #expect(joint.index == index)
        }
        for (index, joint) in HumanBodyPoseObservation.JointName.allCases.enumerated() {
            #expect(joint.index == index)
        }
        let flat = HumanBodyPoseObservation.JointsGroupName.allCases.flatMap(\.joints)
        #expect(Set(flat).count == 19)
        let space = HumanBodyPose3DObservation.JointsGroupName.allCases.flatMap(\.joints)
        #expect(Set(space).count == 17)
    }
}

extension HumanBodyPose3DObservation {
    /// Returns the place of a joint, in metres from the root.
    func place(_ name: JointName) -> SIMD3<Double> { positions[name.index] }
}
