import Foundation
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

/// Who of two people speaks, by the motion of their mouths while there is sound.
struct DialogueTests {
    private static let rate = 25.0
    private let space = ShotSpace(frameAspect: 16.0 / 9, outputAspect: 9.0 / 16)

    /// The distance between the lips of a person who speaks four syllables a second in some frames.
    private func speaking(_ frames: Range<Int>, count: Int = 250) -> [Double?] {
        (0..<count).map { frame in
            let wave = sin(2 * Double.pi * 2 * Double(frame) / Self.rate)
            return frames.contains(frame) ? 0.02 + 0.03 * abs(wave) : 0.02 + 0.0006 * Double(frame % 3)
        }
    }

    private func loud(_ count: Int = 250) -> [Bool] { Array(repeating: true, count: count) }

    private func dialogue(_ left: [Double?], _ right: [Double?], _ isLoud: [Bool]? = nil) -> Dialogue? {
        Dialogue((left, right), isLoud ?? loud(), rate: Self.rate)
    }

    @Test func theOneWhoSpeaksHasTheTurn() throws {
        let left = try #require(dialogue(speaking(0..<250), speaking(0..<0))?.turns)
        #expect(left.map(\.frames) == [0..<250] && left[0].isLeft && left[0].certainty > 0.85)
        let right = try #require(dialogue(speaking(0..<0), speaking(30..<200))?.turns)
        #expect(right.map(\.frames) == [0..<250] && !right[0].isLeft)
    }

    @Test func turnsChangeWhereTheOtherBegins() throws {
        let turns = try #require(dialogue(speaking(0..<120), speaking(120..<250))?.turns)
        try #require(turns.count == 2)
        #expect(
            turns[0].isLeft && !turns[1].isLeft && turns[0].frames.upperBound == turns[1].frames.lowerBound)
        #expect(abs(turns[1].frames.lowerBound - 120) <= 5, "\(turns[1].frames.lowerBound)")
    }

    /// While nobody speaks the last one stays.
    @Test func pausesAndInterjectionsChangeNothing() throws {
        let pause = try #require(
            dialogue(
                zip(speaking(0..<80), speaking(150..<250)).map { max($0 ?? 0, $1 ?? 0) }, speaking(0..<0)))
        #expect(pause.turns.map(\.frames) == [0..<250])
        let interjection = try #require(dialogue(speaking(0..<250), speaking(100..<115)))
        #expect(interjection.turns.map(\.isLeft) == [true])
    }

    /// A mouth that moves in silence, as one that chews, does not speak.
    @Test func soundDecides() throws {
        let isLoud = (0..<250).map { $0 < 125 }
        let turns = try #require(dialogue(speaking(0..<125), speaking(125..<250), isLoud)?.turns)
        #expect(turns.map(\.isLeft) == [true])
        #expect(dialogue(speaking(0..<250), speaking(0..<0), Array(repeating: false, count: 250)) == nil)
    }

    @Test func nobodyIsChosenWithoutReason() {
        #expect(dialogue(speaking(0..<0), speaking(0..<0)) == nil, "nobody speaks")
        #expect(dialogue(speaking(0..<250), speaking(0..<250)) == nil, "both do")
        let none = [Double?](repeating: nil, count: 250)
        #expect(dialogue(none, none) == nil, "no mouths")
        #expect(dialogue([], []) == nil)
        let broken = [Double?](repeating: .infinity, count: 250)
        #expect(dialogue(broken, broken) == nil)
        #expect(Dialogue((speaking(0..<250), none), loud(), rate: 0) == nil)
    }

    @Test func thePictureChangesAtOnce() throws {
        let (left, right) = (speaking(0..<100), speaking(100..<250))
        let frames = (0..<250).map { frame in
            [(0.3, left[frame]), (1.4, right[frame])].map { x, mouth in
                var person = FramedPerson(id: nil, head: Point(x: x, y: 0.4), radius: 0.06)
                person.mouth = mouth
                return person
            }
        }
        let pair = try #require(DistantPair(of: frames, in: space))
        let shots = try #require(
            pair.speakerShots(loud(), .everyone, largestZoom: 1, in: space, rate: Self.rate))
        #expect(shots.count == 250)
        let change = try #require(shots.indices.dropFirst().first { shots[$0].certainty != nil })
        #expect(abs(change - 100) <= 5)
        for (frame, shot) in shots.enumerated() {
            let (part, head) = (shot.shot.rectangle(aspect: space.outputAspect), frame < change ? 0.3 : 1.4)
            #expect(part.x <= head - 0.06 && part.x + part.width >= head + 0.06, "\(frame)")
            #expect(abs(part.height - 1) < 1e-6, "\(frame)")
            #expect(abs(shot.shot.x - shots[frame < change ? 0 : change].shot.x) < 1e-6, "\(frame)")
        }
    }
}
