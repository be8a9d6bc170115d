import Foundation
import Imaging
import TestSupport
import Testing

@Suite struct PointMotionTests {
    private let side = 128
    private let points: [SIMD2<Float>] = [
        SIMD2(64, 64), SIMD2(40, 50), SIMD2(88, 45), SIMD2(52.4, 83.7), SIMD2(80.2, 90.9), SIMD2(30, 96),
    ]

    /// Returns an image of values by place.
    private func image(_ value: (Double, Double) -> Double) -> FloatImage {
        FloatImage(side, side) { x, y in Float(value(Double(x), Double(y))) }
    }

    /// Returns a texture of several scales, whose brightness is 0.1...0.9.
    private func texture(_ x: Double, _ y: Double) -> Double {
        0.5 + 0.12 * sin(x * 0.45 + y * 0.2) + 0.1 * sin(y * 0.5 - x * 0.15)
            + 0.18 * sin(x * 0.06 + 1) * sin(y * 0.07)
    }

    private func pyramid(_ image: FloatImage) -> ImagePyramid {
        let pyramid = ImagePyramid()
        pyramid.fill(image)
        return pyramid
    }

    private func matches(_ image: FloatImage, _ next: FloatImage) -> [PointMotion.Match] {
        let motion = PointMotion()
        motion.find(points, from: pyramid(image), to: pyramid(next)) { _ in true }
        return motion.matches
    }

    /// The plain definition: the place, of all those on a fine grid around it, at which the window's squared changes of
    /// brightness are least.
    private func plain(_ point: SIMD2<Float>, _ image: FloatImage, _ next: FloatImage, around: SIMD2<Double>)
        -> SIMD2<Double>
    {
        var (best, least) = (SIMD2<Double>(), Double.infinity)
        for v in stride(from: -0.5, through: 0.5, by: 0.02) {
            for u in stride(from: -0.5, through: 0.5, by: 0.02) {
                let offset = around + SIMD2(u, v)
                var sum = 0.0
                for y in Int(point.y) - 4...Int(point.y) + 4 {
                    for x in Int(point.x) - 4...Int(point.x) + 4 {
                        let change =
                            value(next, Double(x) + offset.x, Double(y) + offset.y)
                            - Double(image.row(y)[x])
                        sum += change * change
                    }
                }
                if sum < least { (best, least) = (offset, sum) }
            }
        }
        return best
    }

    private func value(_ image: FloatImage, _ x: Double, _ y: Double) -> Double {
        let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
        let (u, v) = (x - Double(left), y - Double(top))
        let (upper, lower) = (image.row(top), image.row(top + 1))
        let above = Double(upper[left]) * (1 - u) + Double(upper[left + 1]) * u
        return above * (1 - v) + (Double(lower[left]) * (1 - u) + Double(lower[left + 1]) * u) * v
    }

    private static let shifts: [SIMD2<Double>] = [
        SIMD2(0.2, -0.1), SIMD2(-0.4, 0.7), SIMD2(1.5, 1), SIMD2(-6.3, 4.1),
    ]

    @Test(arguments: shifts) func findsMotionAsThePlainSearchDoes(_ shift: SIMD2<Double>) {
        let image = image(texture)
        let next = self.image { x, y in texture(x - shift.x, y - shift.y) }
        for (point, match) in zip(points, matches(image, next)) {
            let expected = plain(point, image, next, around: shift)
            let error = SIMD2<Double>(match.offset) - expected
            #expect(match.isFound && max(abs(error.x), abs(error.y)) < 0.05, "\(match.offset) \(expected)")
        }
    }

    /// Noise of a few steps of 255 in each image moves no point.
    @Test func pointsRestInNoise() {
        var generator = SeededGenerator(seed: 5)
        var moved = 0.0
        for _ in 0..<20 {
            let (first, second) = (
                image { texture($0, $1) + 0.01 * generator.number(-1...1) },
                image { texture($0, $1) + 0.01 * generator.number(-1...1) }
            )
            for match in matches(first, second) {
                moved += Double((match.offset * match.offset).sum().squareRoot()) / Double(20 * points.count)
            }
        }
        #expect(moved < 0.005, "\(moved)")
    }

    @Test func partsMoveByThemselves() {
        let next = image { x, y in x < 64 ? texture(x - 1, y) : texture(x, y + 0.8) }
        let found = matches(image(texture), next)
        #expect(abs(found[1].offset.x - 1) < 0.1 && abs(found[1].offset.y) < 0.1)
        #expect(abs(found[2].offset.x) < 0.1 && abs(found[2].offset.y + 0.8) < 0.1)
    }

    /// A point without texture moves like the others, and so does one beyond the image.
    @Test func pointsWithoutTextureFollowTheOthers() {
        // Without steps of brightness, which move by whole pixels.
        let flat = { (x: Double, y: Double) in
            let share = 1 / (1 + exp((x - 47) / 1.5)) / (1 + exp((73 - y) / 1.5))
            return 0.5 * share + self.texture(x, y) * (1 - share)
        }
        let next = image { x, y in flat(x - 1.2, y + 0.6) }
        let motion = PointMotion()
        motion.find(points + [SIMD2(-1, -1)], from: pyramid(image(flat)), to: pyramid(next)) { _ in true }
        for match in motion.matches[5...] {
            #expect(abs(match.offset.x - 1.2) < 0.15 && abs(match.offset.y + 0.6) < 0.15, "\(match.offset)")
        }
        #expect(motion.matches[6].isFound == false)
    }

    /// The plain definition: the place of a point after a turn by `angle` and a growth by `scale` about `middle`.
    private func turned(_ point: SIMD2<Double>, _ angle: Double, _ scale: Double, _ middle: SIMD2<Double>)
        -> SIMD2<Double>
    {
        let arm = point - middle
        return middle + scale
            * SIMD2(cos(angle) * arm.x - sin(angle) * arm.y, sin(angle) * arm.x + cos(angle) * arm.y)
    }

    /// The motion of `points` and of `hidden` ones, where the image moves by a turn and a growth about `middle`.
    private func turning(
        _ points: [SIMD2<Float>], _ hidden: [SIMD2<Float>], _ angle: Double, _ scale: Double,
        _ middle: SIMD2<Double>
    ) -> [PointMotion.Match] {
        let next = image { x, y in
            let before = turned(SIMD2(x, y), -angle, 1 / scale, middle)
            return texture(before.x, before.y)
        }
        let motion = PointMotion()
        motion.find(points + hidden, from: pyramid(image(texture)), to: pyramid(next)) { $0 < points.count }
        return motion.matches
    }

    private static let turns = [(0.02, 1), (-0.03, 1.01), (0, 0.98)]

    @Test(arguments: turns) func hiddenPointsAmongTheOthersFollowASimilarity(_ angle: Double, _ scale: Double)
    {
        let (middle, hidden) = (SIMD2(50.0, 75.0), [SIMD2<Float>(70, 30), SIMD2<Float>(60, 110)])
        let matches = turning(points, hidden, angle, scale, middle)
        for (point, match) in zip(points + hidden, matches) {
            let place = SIMD2<Double>(point)
            let error = SIMD2<Double>(match.offset) - (turned(place, angle, scale, middle) - place)
            #expect(max(abs(error.x), abs(error.y)) < 0.25, "\(point): \(error)")
        }
        #expect(matches.map(\.isFound) == points.map { _ in true } + hidden.map { _ in false })
    }

    /// A point far outside moves as the place does that lies in its direction, twice as far from the middle as the points do
    /// (root of the mean square).
    @Test(arguments: turns) func pointsFarOutsideMoveAsPlacesNearerDo(_ angle: Double, _ scale: Double) {
        let far = [SIMD2<Float>(60, 400), SIMD2<Float>(-500, -100)]
        let (middle, places) = (SIMD2(50.0, 75.0), points.map { SIMD2<Double>($0) })
        let own = places.reduce(SIMD2()) { $0 + $1 / Double(places.count) }
        let square = places.reduce(0) { $0 + (($1 - own) * ($1 - own)).sum() / Double(places.count) }
        for (point, match) in zip(far, turning(points, far, angle, scale, middle).suffix(2)) {
            let arm = SIMD2<Double>(point) - own
            let near = own + arm * (2 * square.squareRoot() / (arm * arm).sum().squareRoot())
            let error = SIMD2<Double>(match.offset) - (turned(near, angle, scale, middle) - near)
            #expect(max(abs(error.x), abs(error.y)) < 0.4, "\(point): \(error)")
        }
    }

    /// Points on a line tell no turn: hidden ones are shifted as the line is on average.
    @Test func pointsBesideALineAreShiftedOnly() {
        let line = (0..<6).map { SIMD2<Float>(24 + 16 * Float($0), 60 + Float($0)) }
        let hidden = [SIMD2<Float>(30, 110), SIMD2<Float>(100, 20)]
        let matches = turning(line, hidden, 0.03, 1, SIMD2(40, 62)).suffix(2)
        #expect(matches.first?.offset == matches.last?.offset)
        #expect(matches.allSatisfy { abs($0.offset.x) < 0.3 && (0.2..<1.5).contains($0.offset.y) })
    }

    /// A point that moves by itself hardly moves those that are not seen.
    @Test func hiddenPointsFollowMostOfTheOthers() {
        let next = image { x, y in x > 75 && y > 75 ? texture(x - 3, y) : texture(x, y) }
        let motion = PointMotion()
        motion.find(points + [SIMD2(64, 20)], from: pyramid(image(texture)), to: pyramid(next)) {
            $0 < points.count
        }
        #expect(abs(motion.matches[4].offset.x - 3) < 0.3, "\(motion.matches[4].offset)")
        let hidden = motion.matches[6].offset
        #expect(max(abs(hidden.x), abs(hidden.y)) < 0.15, "\(hidden)")
    }

    @Test func changedImagesAreLost() {
        let found = matches(image(texture), image { x, y in texture(37 - y, 2 * x) })
        #expect(found.count { $0.isFound } <= 1)
        let smaller = FloatImage()
        smaller.resize(width: 64, height: 64)
        #expect(matches(image(texture), smaller).allSatisfy { !$0.isFound && $0.offset == .zero })
    }

    /// Fractions of a pixel are what points need beyond the motion of blocks, which masks move by.
    @Test func fractionsAreMoreExactThanThoseOfBlocks() {
        var (own, blocks) = (0.0, 0.0)
        for shift in [0.1, 0.2, 0.3, 0.4] {
            let (first, next) = (image(texture), image { x, y in texture(x - shift, y) })
            let matcher = BlockMatcher()
            matcher.advance(to: first)
            matcher.advance(to: next)
            matcher.match(alongEdgesOf: image { x, _ in x < 64 ? 0 : 1 })
            for match in matches(first, next) { own += abs(Double(match.offset.x) - shift) / 24 }
            // The motion of a block is the way to its earlier place.
            for row in 8..<24 { blocks += abs(-Double(matcher.motion.across.row(row)[16]) - shift) / 64 }
        }
        #expect(own < 0.01 && blocks > 0.03, "\(own) \(blocks)")
    }
}
