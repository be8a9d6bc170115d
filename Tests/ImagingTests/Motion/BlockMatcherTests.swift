import Imaging
import TestSupport
import Testing

@Suite struct BlockMatcherTests {
    private let width = 128
    private let height = 96

    /// Returns a smooth texture, moved by a number of pixels.
    private func texture(_ x: Double = 0, _ y: Double = 0) -> FloatImage {
        image { column, row in
            let (u, v) = (column - x, row - y)
            return 0.5 + 0.2 * sine(u * 0.45 + v * 0.2) + 0.2 * sine(v * 0.4 - u * 0.15)
        }
    }

    /// Returns a disc with a soft edge around the middle, moved by a number of pixels.
    private func disc(_ x: Double = 0, _ y: Double = 0) -> FloatImage {
        image { column, row in
            let (u, v) = (column - x - 64, row - y - 48)
            return min(max((30 - (u * u + v * v).squareRoot()) / 4 + 0.5, 0), 1)
        }
    }

    private func image(_ value: (Double, Double) -> Double) -> FloatImage {
        let image = FloatImage()
        image.resize(width: width, height: height)
        for y in 0..<height { for x in 0..<width { image.row(y)[x] = Float(value(Double(x), Double(y))) } }
        return image
    }

    /// Returns a sine by Bhaskara's approximation, which is smooth enough for a texture and needs no library.
    private func sine(_ x: Double) -> Double {
        let turn = (x / (2 * .pi)).truncatingRemainder(dividingBy: 1)
        let phase = (turn < 0 ? turn + 1 : turn) * 2
        let part = phase < 1 ? phase : phase - 1
        let wave = 16 * part * (1 - part) / (5 - 4 * part * (1 - part))
        return phase < 1 ? wave : -wave
    }

    @Test(arguments: [(0, 0), (2, 0), (0, -2), (-1.5, 1), (0.5, -0.25)] as [(Double, Double)])
    func findsHowTheEdgesMoved(x: Double, y: Double) {
        let matcher = BlockMatcher()
        matcher.advance(to: texture())
        matcher.advance(to: texture(x, y))
        #expect(matcher.match(alongEdgesOf: disc()) == 0)
        let mask = disc()
        MotionCompensation().apply(matcher.motion, to: disc(), into: mask)
        let expected = disc(x, y)
        var error: Float = 0
        for i in 0..<mask.count { error = max(error, abs(mask.base[i] - expected.base[i])) }
        #expect(error < 0.12, "\(error)")
    }

    @Test func aStillImageHasNoMotion() {
        let matcher = BlockMatcher()
        let noise = image { x, y in sine(x * 1.3 + y * y * 0.02) * sine(y * 0.9) * 0.4 + 0.5 }
        for _ in 0..<2 { matcher.advance(to: noise) }
        #expect(matcher.match(alongEdgesOf: disc()) == 0)
        #expect(matcher.motion.across.values.allSatisfy { $0 == 0 })
        #expect(matcher.motion.down.values.allSatisfy { $0 == 0 })
    }

    @Test func losesFarMotionAndChangedImages() {
        let matcher = BlockMatcher()
        matcher.advance(to: texture())
        matcher.advance(to: texture(5, 0))
        #expect(matcher.match(alongEdgesOf: disc()) > 0.5)
        matcher.advance(to: image { x, _ in x < 64 ? 0 : 1 })
        #expect(matcher.match(alongEdgesOf: disc()) > 0.5)
    }

    @Test(arguments: [(12, 0), (-7, 5), (0, -14)] as [(Double, Double)])
    func farMotionIsFoundAtHalfTheSize(x: Double, y: Double) {
        let matcher = BlockMatcher(.far)
        matcher.advance(to: noise())
        matcher.advance(to: noise(x, y))
        #expect(matcher.match(alongEdgesOf: disc(), and: disc(x, y)) < 0.1)
        let mask = disc()
        MotionCompensation().apply(matcher.motion, to: disc(), into: mask)
        let expected = disc(x, y)
        let wrong = (0..<mask.count).count { abs(mask.base[$0] - expected.base[$0]) > 0.3 }
        #expect(wrong < mask.count / 500, "\(wrong)")
    }

    /// The background is still, and its texture is stronger than the disc's.
    @Test func edgesFollowTheMaskedObject() {
        let matcher = BlockMatcher(.far)
        for x in [0.0, 5.0] {
            let (figure, inside, behind) = (disc(x, 0), noise(x, 0), noise(300, 200))
            matcher.follow(
                disc(),
                to: image { column, row in
                    let i = Int(row) * width + Int(column)
                    let (alpha, own) = (Double(figure.base[i]), 0.3 + 0.4 * Double(inside.base[i]))
                    return alpha * own + (1 - alpha) * Double(behind.base[i])
                })
        }
        let mask = disc()
        MotionCompensation().apply(matcher.motion, to: disc(), into: mask)
        let expected = disc(5, 0)
        let wrong = (0..<mask.count).count { abs(mask.base[$0] - expected.base[$0]) > 0.3 }
        #expect(wrong < 60, "\(wrong)")
    }

    /// Patches of about four pixels, all different, moved by a number of pixels.
    private func noise(_ x: Double = 0, _ y: Double = 0) -> FloatImage {
        let value = { (column: Int, row: Int) -> Double in
            let hash =
                (UInt64(truncatingIfNeeded: column &* 73_856_093)
                    ^ UInt64(truncatingIfNeeded: row &* 19_349_663))
            return Double((hash &* 0x9E37_79B9_7F4A_7C15) >> 40) / Double(1 << 24)
        }
        return image { column, row in
            let (u, v) = ((column - x) / 4, (row - y) / 4)
            let (left, top) = (u.rounded(.down), v.rounded(.down))
            let (a, b) = (u - left, v - top)
            let (i, j) = (Int(left), Int(top))
            let upper = value(i, j) * (1 - a) + value(i + 1, j) * a
            return upper * (1 - b) + (value(i, j + 1) * (1 - a) + value(i + 1, j + 1) * a) * b
        }
    }

    @Test func marksChangesFarFromEdgesAsLost() {
        let matcher = BlockMatcher(.far)
        matcher.advance(to: image { _, _ in 0.2 })
        matcher.advance(to: image { x, y in x > 100 && y > 70 ? 0.9 : 0.2 })
        matcher.match(alongEdgesOf: disc())
        let lost = matcher.motion.lost
        #expect(lost[lost.width - 2, lost.height - 2] == 1)
        #expect(lost[1, 1] == 0)
    }

    /// Blocks of a surface without texture match by chance; without medians the path gets 5.4 pixels long.
    @Test func noiseCausesLittleMotion() {
        let matcher = BlockMatcher(.far)
        let path = MotionPath()
        for number in 0..<10 {
            matcher.follow(disc(), to: grain(number))
            path.add(matcher.motion)
        }
        let farthest = path.field.across.values.map(abs).max() ?? 0
        #expect(farthest < 4.5, "\(farthest)")
    }

    /// Returns noise of 3 of 255 around a grey that falls slowly from left to right, different in each image.
    private func grain(_ number: Int) -> FloatImage {
        var state = UInt32(number + 1) &* 2_654_435_761
        return image { x, _ in
            state = state &* 1_664_525 &+ 1_013_904_223
            return 0.5 - x / 2000 + (Double(state >> 8) / Double(1 << 24) - 0.5) * 6 / 255
        }
    }

    /// Blocks look the same at a distance of one period of the pattern.
    @Test func choosesTheNearestOfEqualMatches() {
        let matcher = BlockMatcher(.far)
        for brightness in [0.5, 0.51] {
            matcher.follow(
                disc(), to: image { x, y in (Int(x) / 6 + Int(y) / 6) % 2 == 0 ? 0.2 : brightness })
        }
        #expect(matcher.meanDistance < 0.1)
    }

    @Test func losesEverythingWithoutAPreviousImage() {
        let matcher = BlockMatcher()
        matcher.advance(to: texture())
        #expect(matcher.match(alongEdgesOf: disc()) == 1)
    }

    @Test func aMaskWithoutEdgesStays() {
        let matcher = BlockMatcher()
        matcher.advance(to: texture())
        matcher.advance(to: texture(5, 5))
        let full = image { _, _ in 1 }
        #expect(matcher.match(alongEdgesOf: full) == 0)
        let moved = FloatImage()
        MotionCompensation().apply(matcher.motion, to: full, into: moved)
        #expect(moved.values.allSatisfy { $0 == 1 })
    }
}
