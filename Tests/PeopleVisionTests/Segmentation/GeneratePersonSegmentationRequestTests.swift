import Imaging
import Inference
import PeopleVision
import TestSupport
import Testing

/// Tests of person segmentation without GStreamer: an image in, a mask out.
struct GeneratePersonSegmentationRequestTests {
    typealias Request = GeneratePersonSegmentationRequest

    private func request(_ quality: Request.QualityLevel, _ format: MaskFormat = .f32) -> Request {
        let request = Request()
        request.qualityLevel = quality
        request.outputPixelFormat = format
        request.modelPath = Checkout.models.path
        return request
    }

    private func portrait(_ side: Int) throws -> Frame {
        try Frame.picture(Checkout.astronaut.path, "video/x-raw,format=RGB,width=\(side),height=\(side)")
    }

    @Test func asksForDetailUnlessToldOtherwise() {
        let request = Request()
        #expect(request.qualityLevel == .accurate)
        #expect(request.outputPixelFormat == .gray8)
        #expect(request.revision == Request.supportedRevisions.upperBound)
    }

    struct Plan: Sendable, CustomTestStringConvertible {
        let quality: Request.QualityLevel
        let frame: [Int]
        var orientation = ImageOrientation.up
        let mask: [Int]

        var testDescription: String { "\(quality) \(frame) \(orientation)" }
    }

    @Test(arguments: [
        Plan(quality: .fast, frame: [1920, 1080], mask: [256, 144]),
        Plan(quality: .fast, frame: [1080, 720], mask: [256, 144]),
        Plan(quality: .fast, frame: [640, 480], mask: [256, 256]),
        Plan(quality: .fast, frame: [1080, 1920], mask: [256, 256]),
        Plan(quality: .fast, frame: [1080, 1920], orientation: .right, mask: [144, 256]),
        Plan(quality: .balanced, frame: [1920, 1080], mask: [768, 432]),
        Plan(quality: .balanced, frame: [640, 480], mask: [640, 480]),
        Plan(quality: .balanced, frame: [1080, 1920], mask: [432, 768]),
        Plan(quality: .balanced, frame: [1080, 1920], orientation: .left, mask: [432, 768]),
        Plan(quality: .accurate, frame: [1000, 1000], mask: [1000, 1000]),
        Plan(quality: .accurate, frame: [4000, 100], mask: [2048, 51]),
        Plan(quality: .accurate, frame: [1, 30000], mask: [1, 2048]),
    ])
    func reportsTheMasksSize(_ plan: Plan) {
        let request = request(plan.quality)
        let layout = request.maskLayout(
            width: plan.frame[0], height: plan.frame[1], orientation: plan.orientation)
        #expect([layout.width, layout.height] == plan.mask)
        #expect(layout.format == .f32)
    }

    @Test(arguments: Request.QualityLevel.allCases)
    func findsThePerson(_ quality: Request.QualityLevel) throws {
        let request = request(quality)
        let result = try portrait(320).withImage { try ImageRequestHandler($0).perform(request) }
        #expect(result.qualityLevel == quality)
        #expect(result.revision == request.revision)
        let view = result.mask.view
        let values = result.mask.values
        #expect(values.allSatisfy { $0 >= 0 && $0 <= 1 })
        // The face is in the middle of the upper half, and a corner of the lab at the upper right.
        #expect(values[view.height / 4 * view.width + view.width * 43 / 100] > 0.9)
        #expect(values[view.width - 3] < 0.1)
        let covered = values.reduce(0, +) / Float(values.count)
        #expect(covered > 0.3 && covered < 0.8)
    }

    @Test func givesTheSameMaskEveryTime() throws {
        let request = request(.fast)
        let masks = try (0..<3).map { _ in
            try portrait(256).withImage { try request.perform(on: $0).mask.values }
        }
        #expect(masks[0] == masks[1] && masks[1] == masks[2])
    }

    @Test func loadsAgainAfterUnloading() throws {
        let request = request(.fast)
        for _ in 0..<2 {
            try request.prepare(width: 256, height: 256)
            let result = try portrait(256).withImage { try request.perform(on: $0) }
            #expect(result.mask.view.width == 256)
            request.unload()
        }
    }

    // Rule: groups.
    /// At `balanced`, MobileSAM corrects groups in still images; one person stays nearly the same.
    @Test(arguments: [(people: 3, changes: true), (people: 1, changes: false)])
    func groupsOfStillsAreCorrected(people: Int, changes: Bool) throws {
        let image = people == 1 ? try #require(Photo.portrait).image : try Photo.row(of: people).image
        let still = try mask(of: InputFrame(image.view, isStill: true))
        let frame = try mask(of: InputFrame(image.view, isStill: false))
        let difference = zip(frame, still).reduce(Float(0)) { $0 + abs($1.0 - $1.1) } / Float(still.count)
        #expect((difference > 0.01) == changes, "\(difference)")
    }

    // Rule: mirror-image.
    /// Things that look like a person in one of both images only are no person.
    @Test func stillsAreTheSameInTheMirror() throws {
        let portrait = try #require(Photo.portrait)
        let (image, mirrored) = (portrait.image, portrait.mirrored.image)
        let request = request(.balanced, .gray8)
        let width = try request.perform(on: InputFrame(image.view, isStill: true)).mask.view.width
        let values = try mask(of: InputFrame(image.view, isStill: true))
        let others = try mask(of: InputFrame(mirrored.view, isStill: true))
        let differences = values.indices.map { i in
            abs(values[i] - others[i - i % width + width - 1 - i % width])
        }
        #expect(differences.reduce(0, +) / Float(differences.count) < 0.002)
    }

    // Rule: quarters.
    /// One person fills a fifth of the height in only a quarter of the image, beside one who is twice as
    /// tall.
    @Test func smallPeopleOfStillsAreFound() throws {
        let portrait = try #require(Photo.portrait)
        let near = portrait.placed(left: 100, top: 400, width: 1600, height: 900, factor: 0.5)
        let image = near.overlaid(by: portrait, left: 1150, top: 500, factor: 0.21).image
        let frame = try smallCoverage(of: InputFrame(image.view, isStill: false))
        let still = try smallCoverage(of: InputFrame(image.view, isStill: true))
        #expect(still > frame + 0.2, "\(still), \(frame)")
    }

    /// Returns the mean coverage at the small person.
    private func smallCoverage(of frame: InputFrame) throws -> Float {
        let mask = try request(.balanced).perform(on: frame).mask
        let (width, values) = (mask.view.width, mask.values)
        let columns = width * 1150 / 1600..<width * 1257 / 1600
        let rows = width * 500 / 1600..<width * 607 / 1600
        let sum = rows.reduce(Float(0)) { sum, y in
            columns.reduce(sum) { $0 + values[y * width + $1] }
        }
        return sum / Float(columns.count * rows.count)
    }

    private func mask(of frame: InputFrame) throws -> [Float] {
        try request(.balanced, .gray8).perform(on: frame).mask.values
    }

    @Test func refusesRevisionsThatItDoesNotHave() throws {
        let request = request(.fast)
        request.revision = 99
        #expect(throws: VisionError.self) {
            _ = try portrait(64).withImage { try request.perform(on: $0) }
        }
    }

    @Test func refusesMemoryOfAnotherLayout() throws {
        let request = request(.fast)
        let wrong = try #require(MaskMemory(format: .gray8, width: 256, height: 256))
        #expect(throws: VisionError.self) {
            try portrait(64).withImage { try request.perform(on: InputFrame($0), into: wrong.mutableView) }
        }
    }

    @Test func reportsWhichModelIsMissing() throws {
        let request = request(.fast)
        request.modelPath = "/missing/model.onnx"
        let error = thrown(VisionError.self) { try request.checkModels() }
        guard case .inference(.modelNotFound("/missing/model.onnx", _)) = error else {
            Issue.record("unexpected \(String(describing: error))")
            return
        }
    }
}
