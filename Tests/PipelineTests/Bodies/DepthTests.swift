import CGStreamer
import TestSupport
import Testing

/// bodypose with a depth map on its frames: `GstPeopleDepth`.
struct DepthTests {
    /// Returns a plane parallel to the image, in millimetres.
    private func plane(_ millimetres: Int) -> [String: HandMadeMask.Value] {
        let (low, high) = (UInt8(millimetres & 255), UInt8(millimetres >> 8))
        let bytes = (0..<64 * 48).flatMap { _ in [low, high] }
        return ["depth": .bytes(bytes), "width": .int(64), "height": .int(48)]
    }

    private struct Pose {
        let joints: [String: [Double]]
        let camera: [Double]
        let height: Double
        let estimation: String

        /// Returns the distance from the camera's plane to a joint, in metres.
        func distance(_ joint: String) -> Double { camera[2] - (joints[joint]?[2] ?? .nan) }
    }

    private func pose(_ depth: [String: HandMadeMask.Value]?) throws -> Pose {
        let picture = try astronaut(512, 512)
        if let depth { try HandMadeMask(named: "GstPeopleDepth", depth).attach(to: picture) }
        let frame = try Harness("bodypose pose-3d=true", caps: picture.caps).transform(picture)
        let body = try #require(JointsMeta(frame, .bodies)?.items.first?.space)
        return Pose(
            joints: body.joints, camera: body.camera, height: body.height, estimation: body.estimation)
    }

    @Test func aDepthMapGivesTheMeasuredHeight() throws {
        let (unknown, near, far) = (try pose(nil), try pose(plane(1000)), try pose(plane(2000)))
        #expect(unknown.estimation == "reference" && unknown.height == 1.8)
        #expect(near.estimation == "measured" && far.estimation == "measured")
        // The face is in the plane, and the shoulder joints are behind the skin.
        #expect(abs(near.distance("center-head") - 1) < 0.002 && abs(far.distance("center-head") - 2) < 0.002)
        #expect(
            (0.01...0.1).contains(near.distance("center-shoulder") - 1), "\(near.distance("center-shoulder"))"
        )
        // A person who looks the same from twice the distance is twice as tall.
        #expect(abs(far.height / near.height - 2) < 0.1, "\(near.height) \(far.height)")
        #expect((1.0...3.0).contains(far.height))
    }

    /// A map whose memory contradicts its fields is ignored.
    @Test(arguments: [
        ("depth", HandMadeMask.Value?.some(.bytes([1, 2]))), ("depth", nil), ("width", nil),
        ("width", .int(-1)),
        ("height", .int(49)), ("stride", .int(3)), ("format", .text("GRAY8")), ("depth", .int(1)),
        ("width", .int(Int(Int32.max))),
    ])
    func aBrokenMapIsIgnored(_ field: String, _ value: HandMadeMask.Value?) throws {
        var fields = plane(1000)
        fields[field] = value
        let pose = try pose(fields)
        #expect(pose.estimation == "reference" && pose.height == 1.8)
    }
}
