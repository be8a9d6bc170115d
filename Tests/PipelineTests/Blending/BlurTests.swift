import Imaging
import TestSupport
import Testing

/// The frame's own background, blurred.
struct BlurTests {
    private static let side = 128

    /// Returns a fine chequered pattern with a bright square in the middle, which is the subject.
    private func scene(_ format: String) throws -> Frame {
        let frame = try Frame(caps("RGB", Self.side, Self.side))
        for index in 0..<3 {
            frame.fill(index) { x, y in Self.isSubject(x, y) ? 250 : (x / 4 + y / 4) % 2 == 0 ? 30 : 130 }
        }
        return try frame.converted(to: caps(format, Self.side, Self.side))
    }

    private static func isSubject(_ x: Int, _ y: Int) -> Bool {
        (44..<84).contains(x) && (44..<84).contains(y)
    }

    private func blurred(_ frame: Frame, _ blur: Int) throws -> Frame {
        try HandMadeMask(width: Self.side, height: Self.side) { Self.isSubject($0, $1) ? 255 : 0 }.attach(
            to: frame)
        return try Harness("blendmask blur=\(blur)", caps: frame.caps).transform(frame)
    }

    /// Returns the maximum difference between samples in the upper left corner.
    private func contrast(_ frame: Frame) -> Int {
        let corner = frame.samples(0)[0..<32].flatMap { $0[0..<32] }
        return Int(corner.max() ?? 0) - Int(corner.min() ?? 0)
    }

    @Test(arguments: ["RGB", "BGRx", "I420", "NV12", "YUY2", "GRAY8"])
    func hidesDetailAndKeepsTheSubject(_ format: String) throws {
        let frame = try scene(format)
        let after = try blurred(frame.duplicate(), 50)
        #expect(contrast(frame) > 70)
        #expect(contrast(after) < 15)
        let (old, new) = (frame.samples(0), after.samples(0))
        for y in 46..<82 { #expect(old[y][46..<82] == new[y][46..<82]) }
    }

    @Test func doesNotSmearTheSubject() throws {
        let after = try blurred(scene("RGB"), 50).samples(0)
        // Beside the subject the mean of the pattern is 80; the subject's 250 must not leak in.
        for y in 50..<78 { #expect(abs(Int(after[y][40]) - 80) < 20) }
    }

    @Test func growsWithItsValue() throws {
        let contrasts = try [5, 20, 100].map { contrast(try blurred(scene("RGB"), $0)) }
        #expect(contrasts == contrasts.sorted(by: >))
        #expect(contrasts[0] > contrasts[2] + 20)
    }

    @Test func isOffByDefault() throws {
        let after = try blurred(scene("RGB"), 0).samples(0)
        #expect(after[0].allSatisfy { $0 == 0 }, "the default background is black")
    }
}
