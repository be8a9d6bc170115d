import TestSupport
import Testing

/// Properties that a `GstController` controls.
struct ControllerTests {
    private func red(_ harness: Harness, _ frame: Frame, at seconds: Double) throws -> Int {
        frame.buffer.pointee.pts = UInt(seconds * 1e9)
        return Int(try harness.transform(frame).samples(0)[8][8])
    }

    private func background() throws -> Frame {
        let frame = try Frame(caps("RGB", 16, 16))
        frame.fillBytes(with: 99)
        try HandMadeMask(width: 1, height: 1) { _, _ in 0 }.attach(to: frame)
        return frame
    }

    @Test func leavesPassthroughOnTime() throws {
        let frame = try background()
        let harness = try Harness("blendmask background-source=original", caps: frame.caps)
        harness.control("exposure", [(0, 0), (1, 0), (2, -10)])
        #expect(try red(harness, frame, at: 0.5) == 99)
        #expect(try red(harness, frame, at: 1) == 99)
        #expect(try red(harness, frame, at: 1.5) < 60)
        #expect(try red(harness, frame, at: 2) < 10)
        #expect(try red(harness, frame, at: 0) == 99)
    }

    @Test func controlsEveryNumber() throws {
        let properties = try #require(try PluginDescription.read().elements["blendmask"]).properties
        for name in [
            "blur", "exposure", "desaturate", "shadow-opacity", "shadow-x", "shadow-y", "shadow-radius",
            "halo-width", "light-wrap", "background-color", "halo-color",
        ] {
            let property = try #require(properties[name])
            #expect(property.isControllable && property.changesWhilePlaying, "\(name)")
        }
    }
}
