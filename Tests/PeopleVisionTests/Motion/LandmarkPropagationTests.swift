import Imaging
import PeopleVision
import Testing

/// The rules when points are measured, tried one by one on a face that moves by two pixels of 512.
@Suite struct LandmarkPropagationTests {
    private let portrait: Photo
    private let shift = SIMD2(2.0, 1.0)
    private let second = 1.0 / 30
    /// Nine points on the face, in a square of 150 pixels.
    private let face = Self.grid(120)

    init() throws { portrait = try #require(Photo.portrait) }

    private var moved: Photo {
        portrait.placed(left: Int(shift.x), top: Int(shift.y), width: portrait.width, height: portrait.height)
    }

    /// Returns nine points around the face, `side` pixels wide and high.
    private static func grid(_ side: Double) -> [SIMD3<Double>] {
        (0..<9).map { (index: Int) -> SIMD3<Double> in
            let (column, row) = (Double(index % 3), Double(index / 3))
            return SIMD3<Double>(190 + side / 2 * column, 60 + side / 2 * row, 1)
        }
    }

    /// Takes points in the portrait; whether they move to `next`, and by which steps.
    private func steps(
        _ points: [SIMD3<Double>], after last: [SIMD3<Double>]? = nil, presence: Double = 1, seen: Int = .max,
        mode: AnalysisMode = .camera, seconds: Double = 1.0 / 30, to next: Photo? = nil
    ) throws -> [SIMD2<Double>]? {
        let (propagation, origin) = (LandmarkPropagation(), LandmarkOrigin())
        propagation.begin(count: 1, mode)
        try take(points, after: last ?? points, presence, seen, propagation, origin)
        propagation.begin(count: 1, mode)
        return try moves(propagation, origin, to: next ?? moved, seconds) ? origin.steps : nil
    }

    private func take(
        _ points: [SIMD3<Double>], after last: [SIMD3<Double>], _ presence: Double, _ seen: Int,
        _ propagation: LandmarkPropagation, _ origin: LandmarkOrigin
    ) throws {
        let image = portrait.image
        try propagation.take(
            points, after: last, presence: presence, origin, in: UprightFrame(InputFrame(image.view))
        ) { $0 < seen }
    }

    private func moves(
        _ propagation: LandmarkPropagation, _ origin: LandmarkOrigin, to next: Photo, _ seconds: Double
    ) throws -> Bool {
        let image = next.image
        return try propagation.moves(origin, in: UprightFrame(InputFrame(image.view)), seconds: seconds)
    }

    @Test func pointsMoveWithTheImage() throws {
        for seen in [9, 6] {
            let found = try #require(try steps(face, seen: seen))
            #expect(found.count == 9)
            for step in found {
                #expect(max(abs(step.x - shift.x), abs(step.y - shift.y)) < 0.3, "\(step)")
            }
        }
    }

    @Test(arguments: [AnalysisMode.image, .recording]) func onlyThoseOfCamerasMove(_ mode: AnalysisMode)
        throws
    {
        #expect(try steps(face, mode: mode) == nil)
    }

    @Test func fewSeenPointsAreMeasured() throws {
        #expect(try steps(face, seen: 5) == nil)
    }

    /// The square around the points is a quarter larger than they are: 128 pixels from 102.4 on.
    @Test func smallThingsAreMeasured() throws {
        #expect(try steps(Self.grid(102)) == nil)
        #expect(try steps(Self.grid(103)) != nil)
    }

    @Test func doubtfulThingsAreMeasured() throws {
        #expect(try steps(face, presence: 0.89) == nil)
        #expect(try steps(face, presence: 0.9) != nil)
    }

    /// Four of 128 pixels are 4.7 of this square's.
    @Test func fastThingsAreMeasured() throws {
        for (distance, moves) in [(4.6, true), (4.8, false)] {
            let last = face.map { (point: SIMD3<Double>) in point + SIMD3<Double>(distance, 0, 0) }
            #expect(try (steps(face, after: last) != nil) == moves)
        }
        let far = portrait.placed(left: 5, top: 0, width: portrait.width, height: portrait.height)
        #expect(try steps(face, to: far) == nil)
    }

    @Test func lostThingsAreMeasured() throws {
        #expect(try steps(face, to: .grey(width: 512, height: 512)) == nil)
    }

    @Test func thingsAreMeasuredAfterALongTime() throws {
        #expect(try steps(face, seconds: 0.26) == nil)
        #expect(try steps(face, seconds: 0.24) != nil)
    }

    @Test func noPointMovesTwice() throws {
        let (propagation, origin) = (LandmarkPropagation(), LandmarkOrigin())
        propagation.begin(count: 1, .camera)
        try take(face, after: face, 1, 9, propagation, origin)
        let results = try (0..<2).map { (_: Int) -> Bool in
            propagation.begin(count: 1, .camera)
            return try moves(propagation, origin, to: moved, second)
        }
        #expect(results == [true, false])
    }

    /// No frame pays for all things: half of them move, rounded up, and the others do in the next frame.
    @Test(arguments: 1...6) func halfOfTheThingsMove(_ count: Int) throws {
        let propagation = LandmarkPropagation()
        let origins = (0..<count).map { _ in LandmarkOrigin() }
        propagation.begin(count: count, .camera)
        for origin in origins { try take(face, after: face, 1, 9, propagation, origin) }
        let counts = try (0..<4).map { (_: Int) -> Int in
            propagation.begin(count: count, .camera)
            return try origins.count { (origin: LandmarkOrigin) -> Bool in
                if try moves(propagation, origin, to: portrait, second) { return true }
                try take(face, after: face, 1, 9, propagation, origin)
                return false
            }
        }
        let half = (count + 1) / 2
        #expect(counts == [half, count - half, half, count - half])
    }
}
