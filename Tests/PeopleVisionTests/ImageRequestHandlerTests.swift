import Imaging
import PeopleVision
import TestSupport
import Testing

@Suite struct ImageRequestHandlerTests {
    /// A request that counts its images, or fails.
    private final class Counter: VisionRequest {
        struct Configuration: RequestConfiguration {
            var revision = 1
            var mode = AnalysisMode.image
            var regionOfInterest = NormalizedRect.unit
            var fails = false
        }
        static let supportedRevisions = 1...3
        var configuration = Configuration()
        private(set) var count = 0

        func perform(on frame: InputFrame) throws(VisionError) -> Int {
            if configuration.fails { throw .unsupportedRevision(9, supported: Self.supportedRevisions) }
            count += 1
            return frame.image.width * count
        }
    }

    private final class Turn: VisionRequest {
        struct Configuration: RequestConfiguration {
            var revision = 1
            var mode = AnalysisMode.image
            var regionOfInterest = NormalizedRect.unit
        }
        static let supportedRevisions = 1...1
        var configuration = Configuration()

        func perform(on frame: InputFrame) throws(VisionError) -> ImageOrientation { frame.orientation }
    }

    private let image = TestImage(.gray8, 6, 4)
    private var handler: ImageRequestHandler {
        ImageRequestHandler(image.view, orientation: .left, keeping: image)
    }

    /// One request that fails does not keep the others from their results.
    @Test func performsAll() async throws {
        let (counter, failing, turn) = (Counter(), Counter(), Turn())
        failing.configuration.fails = true
        let outcomes = await handler.performAll([counter, failing, turn, counter])
        #expect(outcomes.count == 4)
        #expect(try outcomes[0].get() as? Int == 6 && outcomes[3].get() as? Int == 12)
        #expect(throws: VisionError.self) { try outcomes[1].get() }
        #expect(try outcomes[2].get() as? ImageOrientation == .left)
        #expect(await handler.performAll([]).isEmpty)
    }

    @Test func returnsOneObservation() throws {
        #expect(try handler.perform(Counter()) == 6)
    }

    @Test func returnsEachRequestsObservation() throws {
        let counter = Counter()
        let (first, turn, second) = try handler.perform(counter, Turn(), counter)
        #expect(first == 6 && turn == .left && second == 12)
    }

    @Test func stopsAtTheFirstFailure() {
        let (before, failing, after) = (Counter(), Counter(), Counter())
        failing.fails = true
        #expect(throws: VisionError.self) { try handler.perform(before, failing, after) }
        #expect(before.count == 1 && after.count == 0)
    }

    @Test func settingsAreThoseOfTheConfiguration() {
        let request = DetectFaceLandmarksRequest()
        request.maximumFaces = 7
        #expect(request.configuration.maximumFaces == 7)
        var configuration = FaceRequest.Configuration()
        configuration.maximumFaces = 7
        #expect(request.configuration == configuration)
        #expect(DetectFaceLandmarksRequest(configuration).maximumFaces == 7)
    }
    @Test func cutsOutUpright() throws {
        let mask = try #require(
            Mask(format: .gray8, width: 6, height: 4) { $0.writeRow(0, from: [1, 1, 1, 1, 1, 1]) })
        let cutOut = try #require(handler.cutOut(by: mask))
        #expect(cutOut.width == 1 && cutOut.height == 6)
    }
}
