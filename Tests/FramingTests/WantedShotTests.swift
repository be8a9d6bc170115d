import Framing
import Imaging
import Testing

struct WantedShotTests {
    private let space = ShotSpace(frameAspect: 16.0 / 9, outputAspect: 16.0 / 9)

    private func shot(
        _ people: [FramedPerson], _ framing: FramingChoice, in space: ShotSpace? = nil,
        _ change: (inout ShotSettings) -> Void = { _ in }
    ) throws -> Shot {
        var settings = ShotSettings()
        settings.framing = framing
        settings.largestZoom = 32
        change(&settings)
        return try #require(WantedShot(of: people, settings, in: space ?? self.space)).shot
    }

    private func person(_ x: Double, _ y: Double, _ radius: Double = 0.04) -> FramedPerson {
        FramedPerson(id: nil, head: Point(x: x, y: y), radius: radius)
    }

    @Test func theHeadIsAThirdFromAbove() throws {
        for framing in [FramingChoice.headAndShoulders, .upperBody] {
            let shot = try shot([person(0.9, 0.5)], framing)
            #expect(abs((0.5 - (shot.y - shot.height / 2)) / shot.height - 1.0 / 3) < 0.01)
            #expect(abs(shot.x - 0.9) < 1e-9)
        }
    }

    @Test func eachFramingShowsMoreThanTheOneBefore() throws {
        let heights = try [FramingChoice.face, .headAndShoulders, .upperBody, .body].map {
            try shot([person(0.9, 0.4)], $0).height
        }
        #expect(heights == heights.sorted() && Set(heights).count == 4)
    }

    @Test func theBodyIsShownDownToItsEnd() throws {
        var standing = person(0.9, 0.2, 0.03)
        standing.body = Rectangle(x: 0.8, y: 0.16, width: 0.2, height: 0.35)
        let shot = try shot([standing], .body)
        #expect(shot.y + shot.height / 2 >= 0.51 && shot.height < 0.5)
    }

    @Test func everyoneIsInside() throws {
        let people = [person(0.3, 0.4), person(0.9, 0.5), person(1.4, 0.45, 0.03)]
        for aspect in [16.0 / 9, 1, 4] {
            let space = ShotSpace(frameAspect: 16.0 / 9, outputAspect: aspect)
            let shot = try shot(people, .everyone, in: space)
            let part = shot.rectangle(aspect: aspect)
            guard aspect > 1 else { continue }
            for person in people {
                #expect(
                    person.head.x - person.radius >= part.x
                        && person.head.x + person.radius <= part.x + part.width)
            }
        }
    }

    @Test func zoomAndMarginAreKept() throws {
        #expect(try shot([person(0.9, 0.5, 0.001)], .face) { $0.largestZoom = 4 }.height == 0.25)
        let (plain, wide) = (
            try shot([person(0.9, 0.5)], .face), try shot([person(0.9, 0.5)], .face) { $0.margin = 0.25 }
        )
        #expect(abs(wide.height / plain.height - 1.5) < 1e-9)
    }

    @Test func staysInsideAtTheEdge() throws {
        let part = try shot([person(0.01, 0.01)], .upperBody).rectangle(aspect: space.outputAspect)
        #expect(part.x >= -1e-12 && part.y >= -1e-12)
        #expect(WantedShot(of: [], ShotSettings(), in: space) == nil)
    }

    @Test func numbersFromOutsideAreChecked() {
        #expect(
            !person(.nan, 0.5).isUsable && !person(0.5, .infinity).isUsable && !person(0.5, 0.5, 0).isUsable)
        let strange = ShotSpace(frameAspect: .nan, outputAspect: -1)
        #expect(strange.crop(Shot(x: .nan, y: .infinity, height: .nan)).width.isFinite)
    }
}

struct PersonChoiceTests {
    private func person(_ id: Int?, _ x: Double, _ radius: Double = 0.05) -> FramedPerson {
        FramedPerson(id: id, head: Point(x: x, y: 0.4), radius: radius)
    }

    private func follow(_ frames: [[FramedPerson]], _ wish: PersonChoice.Wish = .anybody) -> [Double?] {
        var choice = PersonChoice()
        return frames.map { choice.choose(among: $0, wish, after: 0.1, frameAspect: 16.0 / 9)?.head.x }
    }

    @Test func staysWithWhoWasChosen() {
        let slightlyLarger = [
            [person(1, 0.3)], [person(2, 1.2, 0.06), person(1, 0.31)],
            [person(1, 0.32), person(2, 1.2, 0.06)],
        ]
        #expect(follow(slightlyLarger) == [0.3, 0.31, 0.32])
        let withoutIDs = [[person(nil, 0.3)], [person(nil, 1.2, 0.06), person(nil, 0.31)]]
        #expect(follow(withoutIDs) == [0.3, 0.31])
    }

    @Test func turnsToWhoIsMuchLargerForLong() {
        let frames = [[person(1, 0.3)]] + (0..<15).map { _ in [person(1, 0.3), person(2, 1.2, 0.1)] }
        #expect(follow(frames).last == 1.2 && follow(frames)[5] == 0.3)
    }

    @Test func turnsToOthersOnlyAWhileAfterALoss() {
        let frames = [[person(1, 0.3)]] + (0..<15).map { _ in [person(2, 1.2)] }
        let followed = follow(frames)
        #expect(followed[5] == nil && followed.last == 1.2)
        #expect(follow(frames, .id(1)).dropFirst().allSatisfy { $0 == nil })
    }

    @Test func followsThePersonAtAPoint() {
        let frames = [[person(1, 0.3), person(2, 1.2, 0.1)], [person(2, 1.2, 0.1), person(1, 0.9)]]
        let wish = PersonChoice.Wish.point(Point(x: 0.3 * 9 / 16, y: 0.45), click: 1)
        #expect(follow(frames, wish) == [0.3, 0.9])
        #expect(follow(frames, .id(2)) == [1.2, 1.2])
    }
}
