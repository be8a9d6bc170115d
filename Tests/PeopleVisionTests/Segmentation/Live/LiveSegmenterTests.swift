import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of masks that are made beside the stream, as the request returns them.
struct LiveSegmenterTests {
    typealias Request = GeneratePersonSegmentationRequest

    private func request(_ quality: Request.QualityLevel = .balanced, live: Bool = true) -> Request {
        let request = Request()
        request.configuration.qualityLevel = quality
        request.configuration.outputPixelFormat = .f32
        request.configuration.modelPath = Checkout.models.path
        request.configuration.mode = live ? .camera : .recording
        request.configuration.waitsForBackground = true
        return request
    }

    private func portrait() throws -> Frame {
        try Frame.picture(Checkout.astronaut.path, "video/x-raw,format=RGB,width=256,height=256")
    }

    /// Returns the portrait moved by `columns` pixels to the right, its left edge repeated.
    private func moved(_ picture: Frame, by columns: Int) throws -> Frame {
        let moved = try portrait()
        for part in 0..<3 {
            let samples = picture.samples(part)
            moved.fill(part) { x, y in samples[y][max(0, x - columns)] }
        }
        return moved
    }

    private func mask(_ request: Request, _ picture: Frame) throws -> [Float] {
        try observation(request, picture).mask.values
    }

    /// - Parameter duration: the picture's duration; at 0, it does not wait for its own mask.
    private func observation(
        _ request: Request, _ picture: Frame, time: Duration = Self.last, duration: Duration = .zero
    ) throws -> PersonSegmentationObservation {
        try picture.withImage { try request.perform(on: InputFrame($0, time: time, duration: duration)) }
    }

    /// A time after those of `settle`.
    private static let last = Duration.nanoseconds(10)

    /// Repeats a picture until its mask has been made and moves along.
    private func settle(_ request: Request, _ picture: Frame) throws -> [Float] {
        for time in (0..<10).map({ Duration.nanoseconds($0) }) {
            let found = try observation(request, picture, time: time)
            if found.time != time { return found.mask.values }
        }
        throw SetupFailure("no mask was made")
    }

    private func difference(_ a: [Float], _ b: [Float]) -> Float {
        zip(a, b).map { abs($0 - $1) }.reduce(0, +) / Float(max(1, a.count))
    }

    @Test func startsWithAMaskOfTheFastLevel() throws {
        let picture = try portrait()
        let request = request()
        let first = try observation(request, picture)
        #expect(first.time == Self.last && first.qualityLevel == .fast)
        #expect(difference(first.mask.values, try mask(self.request(.fast), picture)) < 1e-5)
    }

    /// The output passes over to the new mask within four frames.
    @Test func changesToANewMaskWithinFourFrames() throws {
        let picture = try portrait()
        let request = request()
        let first = try settle(request, picture)
        var last: [Float] = []
        for _ in 0..<4 { last = try mask(request, picture) }
        let alone = self.request(live: false)
        let expected = try (0..<8).map { _ in try mask(alone, picture) }
        #expect(expected.contains { difference(last, $0) < difference(first, $0) / 10 })
    }

    @Test func masksFollowThePicture() throws {
        let picture = try portrait()
        let request = request()
        _ = try settle(request, picture)
        var last: [Float] = []
        var areMoved: [Bool] = []
        for columns in 1...6 {
            let time = Self.last + .nanoseconds(columns)
            let found = try observation(request, moved(picture, by: columns), time: time)
            last = found.mask.values
            areMoved.append(found.time != time)
        }
        let expected = try mask(self.request(live: false), moved(picture, by: 6))
        let resting = try mask(self.request(live: false), picture)
        #expect(!areMoved.contains(false))
        #expect(difference(last, expected) < difference(resting, expected) / 2)
    }

    /// Pictures last a day, and the time that a mask takes is known after the first one.
    @Test func masksEachFrameWhenThereIsTime() throws {
        let (request, picture) = (request(), try portrait())
        let day = Duration.seconds(86_400)
        _ = try observation(request, picture, time: .zero, duration: day)
        request.reset()
        let found = try observation(request, picture, time: day, duration: day)
        #expect(found.time == day && found.qualityLevel == .balanced)
        let expected = try mask(self.request(live: false), picture)
        #expect(difference(found.mask.values, expected) < 1e-4)
    }

    /// The mask of the first picture is ready with the second one, for which the first one waits.
    @Test func aPictureThatWaitsGetsItsOwnMask() throws {
        let (request, picture) = (request(), try portrait())
        try picture.withImage { image in
            let frames = (0...1).map { InputFrame(image, time: .milliseconds(40 * $0), duration: .zero) }
            for frame in frames { try request.lookAhead(to: frame) }
            let found = try request.perform(on: frames[0])
            #expect(found.time == .zero && found.qualityLevel == .balanced)
            let expected = try mask(self.request(live: false), picture)
            #expect(difference(found.mask.values, expected) < 1e-4)
        }
    }

    @Test func anotherSceneBeginsWithTheFastLevel() throws {
        let picture = try portrait()
        let request = request()
        _ = try settle(request, picture)
        request.reset()
        let first = try observation(request, picture)
        #expect(first.time == Self.last)
        #expect(difference(first.mask.values, try mask(self.request(.fast), picture)) < 1e-5)
        _ = try settle(request, picture)
    }

    /// An error on the other thread is thrown by a later picture.
    @Test func aModelThatCannotBeUsedIsAnError() throws {
        let models = try Scratch.copyingFixture("two_inputs")
        try models.edit("two_inputs.json", "\"files\"", "\"kind\": \"matting\", \"files\"")
        let request = request()
        request.configuration.modelPath = models.path("two_inputs.xml")
        let picture = try portrait()
        #expect(throws: VisionError.self) { try settle(request, picture) }
    }

    @Test func otherLevelsWaitForTheirMasks() throws {
        let picture = try portrait()
        let request = request(.fast)
        #expect(try observation(request, picture).time == Self.last)
    }
}
