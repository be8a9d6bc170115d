import TestSupport
import Testing

/// The colour behind a person that follows the direction of the face.
struct PoseColorTests {
    let harness: Harness
    let mask = HandMadeMask(width: 1, height: 1) { _, _ in 0 }

    init() throws { harness = try Harness("blendmask background-source=pose", caps: caps("RGB", 16, 16)) }

    private func face(_ roll: Double, _ yaw: Double, _ pitch: Double, size: Double = 0.3) -> [String: Double]
    {
        ["x": 0.1, "y": 0.1, "width": size, "height": size, "roll": roll, "yaw": yaw, "pitch": pitch]
    }

    /// Returns R, G, B of a frame shown after `seconds`; without metadata if `faces` is nil.
    private func colour(_ faces: [[String: Double]]?, at seconds: Double) throws -> [Int] {
        let frame = try Frame(caps("RGB", 16, 16))
        try mask.attach(to: frame)
        if let faces { try HandMadeFaces(faces).attach(to: frame) }
        frame.buffer.pointee.pts = UInt(seconds * 1e9)
        let after = try harness.transform(frame)
        return (0..<3).map { Int(after.samples($0)[5][5]) }
    }

    @Test func mapsEachAngleToItsComponent() throws {
        let eighth = Double.pi / 8
        #expect(try colour([face(0, 0, 0)], at: 0) == [128, 128, 128])
        // Long enough for the colour to arrive.
        #expect(try colour([face(eighth, 0, 0)], at: 10) == [191, 128, 128])
        #expect(try colour([face(0, eighth, 0)], at: 20) == [128, 128, 191])
        #expect(try colour([face(0, 0, eighth)], at: 30) == [128, 191, 128])
        #expect(try colour([face(-1, -3, 1)], at: 40) == [0, 255, 0])
    }

    /// One angle by itself, compared with the definition: white at 0, and two components reduced by the
    /// fraction of 45 degrees.
    @Test(arguments: ["roll", "yaw", "pitch"])
    func mapsOneAngleToRedAndBlue(_ angle: String) throws {
        harness.set("pose-angle", angle)
        #expect(try colour(nil, at: 0) == [255, 255, 255])
        for (step, degrees) in [-80.0, -45, -30, -1, 0, 7, 22.5, 45, 100].enumerated() {
            let radians = degrees * .pi / 180
            // The other two angles must not count.
            let (roll, yaw, pitch) = (
                angle == "roll" ? radians : 0.3, angle == "yaw" ? radians : -0.5,
                angle == "pitch" ? radians : 0.7
            )
            let pale = Int((255 * (1 - min(abs(degrees) / 45, 1))).rounded())
            let expected = degrees < 0 ? [pale, pale, 255] : [255, pale, pale]
            // Long enough for the colour to arrive.
            let found = try colour([face(roll, yaw, pitch)], at: Double(step + 1) * 10)
            #expect(zip(found, expected).allSatisfy { abs($0 - $1) <= 1 }, "\(degrees): \(found)")
        }
    }

    @Test func followsTheLargestFace() throws {
        let faces = [face(0.5, 0, 0, size: 0.1), face(-1, -1, -1, size: 0.4), face(1, 1, 1, size: 0.2)]
        #expect(try colour(faces, at: 0) == [0, 0, 0])
    }

    @Test func holdsTheLastPoseAndEases() throws {
        #expect(try colour(nil, at: 0) == [128, 128, 128])
        #expect(try colour([face(1, 1, 1)], at: 1) == [255, 255, 255])
        #expect(try colour([], at: 5) == [255, 255, 255])
        #expect(try colour(nil, at: 9) == [255, 255, 255])
        var last = 255
        for step in 1...40 {
            let red = try colour([face(-1, -1, -1)], at: 9 + Double(step) * 0.04)[0]
            #expect(red <= last && last - red < 60)
            last = red
        }
        #expect(last == 0)
    }

    @Test func ignoresMalformedFaces() throws {
        #expect(try colour([face(1, 1, 1)], at: 0) == [255, 255, 255])
        var lacking = face(0, 0, 0)
        lacking["yaw"] = nil
        for broken in [face(.nan, 0, 0), face(.infinity, 0, 0), lacking, face(0, 0, 0, size: .nan), [:]] {
            #expect(try colour([broken], at: 5) == [255, 255, 255])
        }
    }
}
