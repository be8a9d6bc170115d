import Framing
import Imaging
import Testing

/// Two people who are shown in the halves of an upright output of a wide frame.
struct DistantPairTests {
    private let space = ShotSpace(frameAspect: 16.0 / 9, outputAspect: 9.0 / 16)
    private var screen: SplitScreen { SplitScreen(of: space) }
    private static let frames = 50

    private func person(_ x: Double, _ radius: Double = 0.06) -> FramedPerson {
        FramedPerson(id: nil, head: Point(x: x, y: 0.4), radius: radius)
    }

    private func pair(_ people: (Int) -> [FramedPerson]) -> DistantPair? {
        DistantPair(of: (0..<Self.frames).map(people), in: space)
    }

    @Test func eachHalfShowsOneOfThem() throws {
        // The one on the right is found first, and both are missed in some frames.
        let pair = try #require(
            pair { ($0 % 5 == 0 ? [] : [person(1.4, 0.05)]) + ($0 % 7 == 1 ? [] : [person(0.3)]) })
        let shots = pair.shots(.body, in: screen.half, rate: 25)
        #expect(shots.count == Self.frames)
        for shot in shots {
            for (shot, shown, other) in [(shot.left, 0.3, 1.4), (shot.right, 1.4, 0.3)] {
                let part = shot.rectangle(aspect: screen.half.outputAspect)
                #expect(part.x <= shown - 0.06 && part.x + part.width >= shown + 0.06)
                #expect(part.x > other || part.x + part.width < other)
            }
        }
    }

    @Test func aFramingIsKept() throws {
        let pair = try #require(pair { _ in [person(0.3), person(1.4)] })
        let (near, far) = (
            pair.shots(.face, in: screen.half, rate: 25), pair.shots(.body, in: screen.half, rate: 25)
        )
        #expect(near[0].left.height < 0.3 && far[0].left.height > 0.6)
    }

    @Test func theyAreFollowed() throws {
        let pair = try #require(pair { [person(0.3), person(1.2 + 0.006 * Double($0))] })
        for (frame, shot) in pair.shots(.headAndShoulders, in: screen.half, rate: 25).enumerated() {
            let part = shot.right.rectangle(aspect: screen.half.outputAspect)
            let head = 1.2 + 0.006 * Double(frame)
            #expect(part.x <= head - 0.055 && part.x + part.width >= head + 0.055, "\(frame)")
        }
    }

    @Test func othersAreShownInOnePart() {
        #expect(pair { _ in [person(0.7), person(1.0)] } == nil, "both fit")
        #expect(pair { _ in [person(0.3)] } == nil, "one person")
        #expect(pair { _ in [] } == nil, "nobody")
        #expect(pair { _ in [person(0.3), person(0.9), person(1.5)] } == nil, "three people")
        #expect(pair { _ in [person(0.3), person(1.5, 0.02)] } == nil, "somebody far behind")
        #expect(pair { $0 < 20 ? [person(0.3), person(1.5)] : [person(0.3)] } == nil, "somebody who leaves")
        #expect(pair { $0 < 30 ? [person(0.7), person(1.0)] : [person(0.3), person(1.5)] } == nil)
        #expect(DistantPair(of: [], in: space) == nil, "no frames")
        let broken = FramedPerson(id: nil, head: Point(x: .nan, y: 0.4), radius: .infinity)
        #expect(pair { _ in [broken, person(0.3)] } == nil)
    }

    /// The halves cover the output without a gap, and begin at a multiple of four pixels, which all chroma is.
    @Test func halvesMeet() throws {
        for (width, height) in [(404, 720), (720, 404), (405, 721), (90, 161), (9, 8)] {
            let aspect = Double(width) / Double(height)
            let halves = SplitScreen(of: ShotSpace(frameAspect: 16.0 / 9, outputAspect: aspect)).halves
            let first = try #require(SplitScreen.pixels(of: halves.first, width: width, height: height))
            let second = try #require(SplitScreen.pixels(of: halves.second, width: width, height: height))
            #expect(first.width * first.height + second.width * second.height == width * height)
            #expect((first.x, first.y) == (0, 0))
            #expect(second.x + second.width == width && second.y + second.height == height)
            #expect(second.x % 4 == 0 && second.y % 4 == 0 && abs(first.width - second.width) < 6)
        }
        #expect(
            SplitScreen.pixels(of: Rectangle(x: 0, y: 0, width: 1, height: 0.5), width: 3, height: 3) == nil)
    }
}
