import Foundation
import Imaging
import Inference
import PeopleVision
import TestSupport
import Testing

/// Tests of the user's models: the place that a model takes by its manifest, and the models that are refused.
struct SegmentationSetupTests {
    typealias Request = GeneratePersonSegmentationRequest

    private func request(_ quality: Request.QualityLevel, _ modelPath: String) -> Request {
        let request = Request()
        request.qualityLevel = quality
        request.outputPixelFormat = .f32
        (request.smoothing, request.mode) = (0, .recording)
        request.modelPath = modelPath
        return request
    }

    /// Returns a black image with a white right half.
    private func halves(_ width: Int, _ height: Int) -> TestImage {
        let bytes = (0..<(width * height)).flatMap { i in
            [UInt8](repeating: i % width < width / 2 ? 0 : 255, count: 3)
        }
        return Photo(width: width, height: height, bytes: bytes).image
    }

    private func expectWhiteOnTheRight(_ mask: Mask) {
        let (view, values) = (mask.view, mask.values)
        let row = view.height / 2 * view.width
        let (left, right) = (values[row + view.width / 4], values[row + view.width * 3 / 4])
        #expect(left < 0.05 && right > 0.95)
    }

    // MARK: - Streams

    /// Returns a checkered image, whose corner is white if `isLit`, with or without a gray square.
    private func checks(isLit: Bool, hasSquare: Bool = false) -> TestImage {
        let side = 256
        let bytes = (0..<(side * side)).flatMap { i in
            let (x, y) = (i % side, i / side)
            let isSquare = hasSquare && (96..<160).contains(x) && (96..<160).contains(y)
            let check: UInt8 = (x / 16 + y / 16) % 2 == 0 ? 70 : 180
            let value = x < 16 && y < 16 ? (isLit ? 255 : 0) : isSquare ? 240 : check
            return [UInt8](repeating: value, count: 3)
        }
        return Photo(width: side, height: side, bytes: bytes).image
    }

    /// What looks like the background of the masks before is background, whatever the model finds; the network finds people
    /// everywhere or nowhere.
    @Test func fastClearsRememberedBackground() throws {
        let models = try Scratch.copyingFixture("corner")
        let request = request(.fast, models.path("corner.xml"))
        for _ in 0..<6 {
            let dark = checks(isLit: false)
            let mask = try request.perform(on: InputFrame(dark.view)).mask
            #expect(mask.values.allSatisfy { $0 < 0.01 })
        }
        let lit = checks(isLit: true, hasSquare: true)
        let mask = try request.perform(on: InputFrame(lit.view)).mask
        let (values, width) = (mask.values, mask.view.width)
        #expect(values[128 * width + 128] > 0.99 && values[4 * width + 4] > 0.99)
        #expect(values[128 * width + 40] < 0.01 && values[220 * width + 220] < 0.01)
        // Without anything to remember all of it is people.
        request.reset()
        #expect(try request.perform(on: InputFrame(lit.view)).mask.values.allSatisfy { $0 > 0.99 })
    }

    /// Where the model doubts what it was certain of, the mask stays for one frame.
    ///
    /// The network returns the brightness from -1 to 1; it is certain of the white corner all the time.
    @Test func fastKeepsAPersonInDoubtForOneFrame() throws {
        let models = try Scratch.copyingFixture("free_size")
        let request = request(.fast, models.path("free_size.xml"))
        request.smoothing = 0.95
        func square(_ brightness: UInt8) throws -> Float {
            let bytes = (0..<(256 * 256)).flatMap { i in
                let (x, y) = (i % 256, i / 256)
                let isSquare = (80..<176).contains(x) && (80..<176).contains(y)
                let isCorner = x < 64 && y < 64
                return [UInt8](repeating: isSquare ? brightness : isCorner ? 255 : 0, count: 3)
            }
            let image = Photo(width: 256, height: 256, bytes: bytes).image
            return try request.perform(on: InputFrame(image.view)).mask.values[128 * 256 + 128]
        }
        // Two doubts, so different that the image does not rest.
        let (doubt, other): (UInt8, UInt8) = (191, 176)
        #expect(try square(doubt) == 0)
        #expect(try square(255) > 0.99)
        #expect(try square(doubt) > 0.9)
        #expect(try square(other) == 0)
        #expect(try square(255) > 0.99)
        request.reset()
        #expect(try square(doubt) == 0)
        // Without smoothing each mask is that of its own frame.
        request.smoothing = 0
        #expect(try square(255) > 0.99)
        #expect(try square(doubt) == 0)
    }

    // MARK: - The places of models

    /// The network returns the brightness from -1 to 1, plane by plane.
    @Test(arguments: ["", "\"kind\": \"segmentation\", "])
    func usesASegmentationModelOfTheUser(_ kind: String) throws {
        let models = try Scratch.copyingFixture("free_size")
        try models.edit("free_size.json", "\"files\"", kind + "\"files\"")
        let (request, image) = (request(.fast, models.path("free_size.xml")), halves(640, 360))
        let mask = try request.perform(on: image.view).mask
        #expect(mask.view.width == 256 && mask.view.height == 144)
        expectWhiteOnTheRight(mask)
    }

    @Test func aSegmentationHasItsOwnSize() throws {
        let models = try Scratch.copyingFixture("free_size")
        try models.edit("free_size.json", Self.freeSides, Self.sides(60, 90))
        let image = halves(640, 360)
        let mask = try request(.fast, models.path("free_size.xml")).perform(on: image.view).mask
        #expect(mask.view.width == 256 && mask.view.height == 144)
        expectWhiteOnTheRight(mask)
    }

    /// MODNet makes the matte, and the user's model finds people beside the detector: the whole portrait is
    /// certain.
    @Test func aSegmentationServesTheOtherLevelsToo() throws {
        let models = try Scratch.copyingFixture("free_size")
        try models.edit("free_size.json", "\"files\"", "\"kind\": \"segmentation\", \"files\"")
        let image = try #require(Photo.portrait).image
        let own = try request(.balanced, Checkout.models.path).perform(on: image.view).mask.values
        let users = try request(.balanced, models.path("free_size.xml")).perform(on: image.view).mask.values
        let (isAsLarge, isEqual) = (own.count == users.count, own == users)
        #expect(isAsLarge && !isEqual)
    }

    @Test func usesAPreparedModelByItsName() throws {
        // For a wide frame the level itself takes the other selfie model.
        let image = try Photo.row(of: 2).image
        let mask = try request(.fast, "selfie_segmentation").perform(on: image.view).mask
        let own = try request(.fast, Checkout.models.path).perform(on: image.view).mask
        let isEqual = mask.values == own.values
        #expect(!isEqual)
        let face = mask.view.height * 2 / 5 * mask.view.width
        #expect(mask.values[face + mask.view.width / 5] > 0.9)
    }

    @Test(arguments: [(64, 96, 2), (0, 0, 48)])
    func aMattingModelHasItsOwnSize(_ height: Int, _ width: Int, _ multiple: Int) throws {
        let models = try Scratch.copyingFixture("free_size")
        try models.edit("free_size.json", Self.freeSides, Self.sides(height, width))
        try models.edit("free_size.json", "\"multiple\": 2", "\"multiple\": \(multiple)")
        let setup = ModelSetup(device: "CPU", threads: 0, modelPath: models.path("free_size.xml"))
        let size = Size(width: 640, height: 480)
        let estimator = try MatteEstimator(SegmentationPlan(.balanced, size: size), setup)
        var planner = CropPlanner()
        planner.update([TrackedPerson(box: Rectangle(x: 0.3, y: 0.2, width: 0.3, height: 0.8))])
        let image = halves(640, 480)
        try estimator.estimate(image.view, orientation: .up, &planner)
        #expect(estimator.matte[240, 400] < 0.05 && estimator.matte[360, 400] > 0.95)
    }

    /// The states of a recurrent model belong to the request and end with the stream.
    @Test func usesARecurrentModelOfTheUser() throws {
        let models = try Scratch.copyingFixture("accumulator")
        let request = request(.balanced, models.path("accumulator.xml"))
        let image = try #require(Photo.portrait).image
        let masks = try (0..<4).map { frame in
            if frame == 2 { request.reset() }
            return try request.perform(on: InputFrame(image.view)).mask.values
        }
        let (isCarriedOn, isReset) = (masks[0] != masks[1], masks[2] == masks[0] && masks[3] == masks[1])
        #expect(isCarriedOn && isReset)
    }

    /// The states of a recurrent model end with the scene.
    @Test func aCutResetsTheStates() throws {
        let models = try Scratch.copyingFixture("accumulator")
        let request = request(.balanced, models.path("accumulator.xml"))
        let portrait = try #require(Photo.portrait)
        let other = Photo(
            width: portrait.width, height: portrait.height, bytes: portrait.bytes.map { 255 - $0 })
        let masks = try [portrait, portrait, other, portrait].map { picture in
            let image = picture.image
            return try request.perform(on: InputFrame(image.view)).mask.values
        }
        let (isCarriedOn, isReset) = (masks[0] != masks[1], masks[3] == masks[0])
        #expect(isCarriedOn && isReset)
    }

    static let hasRVM = FileManager.default.fileExists(
        atPath: Checkout.setup.appendingPathComponent("models-optional/rvm.json").path)

    @Test(
        .enabled(if: hasRVM, "needs .gst-people/models-optional: run pipelines/setup --with-rvm"),
        arguments: [Request.QualityLevel.balanced, .accurate])
    func usesRobustVideoMatting(_ quality: Request.QualityLevel) throws {
        let image = try #require(Photo.portrait).image
        let request = request(quality, "rvm")
        for _ in 0..<2 {
            let mask = try request.perform(on: image.view).mask
            let (width, height) = (mask.view.width, mask.view.height)
            // The face, and a corner of the lab.
            #expect(mask.values[height / 4 * width + width * 43 / 100] > 0.95)
            #expect(mask.values[width - 3] < 0.05)
        }
    }

    // MARK: - Refused models

    private func refusal(_ quality: Request.QualityLevel, _ modelPath: String) -> InferenceError? {
        let error = thrown(VisionError.self) { try request(quality, modelPath).checkModels() }
        guard case .inference(let error) = error else { return nil }
        return error
    }

    /// Returns the path of a model that does not match its manifest; nil for other errors.
    private func corrupt(_ error: InferenceError?) -> String? {
        if case .modelCorrupt(let path, _) = error { path } else { nil }
    }

    /// Returns the path of a model that has no place in a level; nil for other errors.
    private func unsupported(_ error: InferenceError?) -> String? {
        if case .unsupportedModel(let path, _) = error { path } else { nil }
    }

    /// The level's models are all checked before the stream begins.
    @Test(arguments: [
        "modnet", "person_detection", "selfie_segmentation", "selfie_segmentation_landscape",
        "mobile_sam_encoder",
        "mobile_sam_decoder",
    ])
    func namesTheModelThatIsDamaged(_ name: String) throws {
        let models = try Scratch()
        try Data("{".utf8).write(to: models.url.appendingPathComponent("\(name).json"))
        #expect(corrupt(refusal(.accurate, models.url.path)) == models.path("\(name).json"))
    }

    @Test func refusesKindsThatALevelCannotUse() throws {
        let recurrent = try Scratch.copyingFixture("accumulator")
        let file = recurrent.path("accumulator.xml")
        #expect(unsupported(refusal(.fast, file)) == file)
        let matting = try Scratch.copyingFixture("free_size")
        try matting.edit("free_size.json", "\"files\"", "\"kind\": \"matting\", \"files\"")
        let other = matting.path("free_size.xml")
        #expect(unsupported(refusal(.fast, other)) == other)
    }

    @Test(arguments: [
        ("\"recurrent matting\"", "\"magic\""), ("\"recurrent matting\"", "3"),
        ("\"recurrent matting\"", "\"matting\""), ("\"states\"", "\"others\""),
    ])
    func refusesManifestsThatContradictThemselves(_ old: String, _ new: String) throws {
        let models = try Scratch.copyingFixture("accumulator")
        try models.edit("accumulator.json", old, new)
        let error = refusal(.balanced, models.path("accumulator.xml"))
        let path = corrupt(error) ?? unsupported(error)
        #expect(
            path.map { URL(fileURLWithPath: $0).deletingPathExtension() }
                == models.url.appendingPathComponent("accumulator"))
    }

    @Test func refusesNamesThatAreUnknown() {
        guard case .unknownModel("nosuchmodel", let known) = refusal(.balanced, "nosuchmodel") else {
            Issue.record("a name that nothing has was taken")
            return
        }
        #expect(known.contains("modnet"), "\(known)")
    }

    /// The text of the input's free sides in the fixture's manifest.
    private static let freeSides = "      0,\n      0\n    ],\n    \"layout\""

    private static func sides(_ height: Int, _ width: Int) -> String {
        "      \(height),\n      \(width)\n    ],\n    \"layout\""
    }
}
