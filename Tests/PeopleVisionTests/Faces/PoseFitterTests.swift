import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of the fit on exact projections of the average face.
@Suite struct PoseFitterTests {
    private let camera = Camera(focalLength: 700, center: Point(x: 320, y: 240))

    /// Returns R = Rz(roll) Ry(yaw) Rx(pitch) of a point; camera x right, y up, z towards the viewer.
    private func rotated(_ point: SIMD3<Double>, roll: Double, yaw: Double, pitch: Double) -> SIMD3<Double> {
        let nodded = SIMD3(
            point.x, cos(pitch) * point.y - sin(pitch) * point.z, sin(pitch) * point.y + cos(pitch) * point.z)
        let shaken = SIMD3(
            cos(yaw) * nodded.x + sin(yaw) * nodded.z, nodded.y, cos(yaw) * nodded.z - sin(yaw) * nodded.x)
        return SIMD3(
            cos(roll) * shaken.x - sin(roll) * shaken.y, sin(roll) * shaken.x + cos(roll) * shaken.y, shaken.z
        )
    }

    /// Returns the mesh of a perfect model for the average face.
    private func mesh(
        roll: Double, yaw: Double, pitch: Double, at place: SIMD3<Double> = SIMD3(0, 0, -60)
    ) -> [SIMD3<Double>] {
        var mesh = [SIMD3<Double>](repeating: SIMD3(), count: 478)
        let length = (place * place).sum().squareRoot()
        let chin = (152, SIMD3<Double>(0, -9.403, 4.264))
        for (index, position) in CanonicalFace.points.map({ ($0.index, $0.position) }) + [chin] {
            let arm = rotated(position, roll: roll, yaw: yaw, pitch: pitch)
            let point = arm + place
            mesh[index] = SIMD3(
                320 + 700 * point.x / -point.z, 240 - 700 * point.y / -point.z,
                700 / length * (arm * place).sum() / length)
        }
        return mesh
    }

    @Test(arguments: [-0.9, -0.3, 0, 0.5, 0.9] as [Double], [-0.6, 0, 0.4] as [Double])
    func recoversAllAnglesWithTheirSigns(yaw: Double, pitch: Double) throws {
        for roll in [-3.0, -1.5, -0.2, 0, 0.7, 2.4] {
            for place: SIMD3<Double> in [SIMD3(0, 0, -60), SIMD3(15, -10, -50), SIMD3(-12, 8, -200)] {
                let mesh = mesh(roll: roll, yaw: yaw, pitch: pitch, at: place)
                let fit = try #require(PoseFitter().fit(mesh, camera: camera))
                let pose = HeadPose(fit.rotation)
                #expect(abs(degrees(pose.roll, roll)) < 0.01)
                #expect(abs(degrees(pose.yaw, yaw)) < 0.01)
                #expect(abs(degrees(pose.pitch, pitch)) < 0.01)
                #expect(abs(fit.position.z - place.z) < 0.01)
                #expect(fit.error < 1e-4)
            }
        }
    }

    /// The signs of angles match the motion in the image.
    @Test func signsAreThoseOfTheImage() {
        let still = mesh(roll: 0, yaw: 0, pitch: 0)
        let eyes = { (mesh: [SIMD3<Double>]) in (mesh[33] + mesh[263]) / 2 }
        #expect(mesh(roll: 0, yaw: 0.3, pitch: 0)[4].x > still[4].x)
        #expect(mesh(roll: 0, yaw: 0, pitch: 0.3)[4].y > eyes(still).y)
        #expect(mesh(roll: 0, yaw: 0, pitch: 0.3)[4].y > still[4].y)
        // Counter-clockwise: the eye on the image's right goes up.
        #expect(mesh(roll: 0.3, yaw: 0, pitch: 0)[263].y < still[263].y)
    }

    @Test func aWrongPointDoesNotTurnTheHead() throws {
        var mesh = mesh(roll: 0.1, yaw: 0.3, pitch: -0.2)
        mesh[129] += SIMD3(25, -20, 0)
        let pose = HeadPose(try #require(PoseFitter().fit(mesh, camera: camera)).rotation)
        #expect(abs(degrees(pose.yaw, 0.3)) < 3)
        #expect(abs(degrees(pose.pitch, -0.2)) < 3)
        #expect(abs(degrees(pose.roll, 0.1)) < 3)
    }

    @Test func degenerateMeshesHaveNoPose() {
        let fitter = PoseFitter()
        let zero = SIMD3<Double>()
        #expect(fitter.fit([], camera: camera) == nil)
        #expect(fitter.fit([SIMD3](repeating: zero, count: 100), camera: camera) == nil)
        #expect(fitter.fit([SIMD3](repeating: SIMD3(5, 5, 5), count: 478), camera: camera) == nil)
        #expect(fitter.fit([SIMD3](repeating: SIMD3(repeating: .nan), count: 478), camera: camera) == nil)
        #expect(
            fitter.fit([SIMD3](repeating: SIMD3(repeating: .infinity), count: 478), camera: camera) == nil)
        let line = (0..<478).map { SIMD3(Double($0), 0, 0) }
        #expect(fitter.fit(line, camera: camera) == nil)
        let good = mesh(roll: 0, yaw: 0, pitch: 0)
        for focalLength in [0, -1, .nan] as [Double] {
            let broken = Camera(focalLength: focalLength, center: Point(x: 0, y: 0))
            #expect(fitter.fit(good, camera: broken) == nil)
        }
    }

    /// A pose is finite or absent, whatever the points are.
    @Test func randomMeshesNeverGiveNonsense() {
        var generator = SeededGenerator(seed: 17)
        let fitter = PoseFitter()
        for scale in [1e-300, 1e-9, 1, 1e3, 1e9, 1e300] as [Double] {
            for _ in 0..<50 {
                let mesh = (0..<478).map { _ in
                    SIMD3<Double>.random(in: -1...1, using: &generator) * scale
                }
                guard let fit = fitter.fit(mesh, camera: camera) else { continue }
                let pose = HeadPose(fit.rotation)
                #expect(pose.roll.isFinite && pose.yaw.isFinite && pose.pitch.isFinite)
            }
        }
    }
}
