import Foundation
import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests with a model in MODNet's place whose alpha is twice the brightness above one half.
///
/// White is a person; everything darker than grey is background.
struct MatteEstimatorTests {
    private let models: Scratch

    init() throws {
        models = try Scratch()
        let fixtures = Checkout.root.appendingPathComponent("Tests/Fixtures")
        for file in ["free_size.xml", "free_size.bin"] {
            try FileManager.default.copyItem(
                atPath: fixtures.appendingPathComponent(file).path, toPath: models.path(file))
        }
        let manifest = try String(
            contentsOf: fixtures.appendingPathComponent("free_size.json"), encoding: .utf8)
        try manifest.replacingOccurrences(of: "\"free_size\"", with: "\"modnet\"")
            .write(toFile: models.path("modnet.json"), atomically: true, encoding: .utf8)
    }

    /// Returns a picture that is white at the places of `isWhite` and black elsewhere.
    private func picture(_ width: Int, _ height: Int, _ isWhite: (Int, Int) -> Bool) -> TestImage {
        var bytes: [UInt8] = []
        for y in 0..<height {
            for x in 0..<width { for _ in 0..<3 { bytes.append(isWhite(x, y) ? 255 : 0) } }
        }
        return Photo(width: width, height: height, bytes: bytes).image
    }

    /// Returns the matte of a picture with people in `boxes`, and updates `planner`.
    private func matte(
        _ image: TestImage, _ profile: QualityProfile, _ boxes: [Rectangle], _ planner: inout CropPlanner,
        orientation: ImageOrientation = .up
    ) throws -> FloatImage {
        let size = orientation.uprightSize(of: Size(width: image.view.width, height: image.view.height))
        let setup = ModelSetup(device: "CPU", threads: 0, modelPath: models.url.path)
        let estimator = try MatteEstimator(SegmentationPlan(profile, size: size), setup)
        planner.update(boxes.map { TrackedPerson(box: $0) })
        try estimator.estimate(image.view, orientation: orientation, &planner)
        return estimator.matte
    }

    /// Whether all values farther than `rim` from an edge of the figure match it.
    private func isFigure(_ matte: FloatImage, rim: Int, _ isFigure: (Int, Int) -> Bool) -> Bool {
        for y in rim..<(matte.height - rim) {
            for x in rim..<(matte.width - rim) {
                let expected = isFigure(x, y)
                let around = [(x - rim, y), (x + rim, y), (x, y - rim), (x, y + rim)]
                guard around.allSatisfy({ isFigure($0, $1) == expected }) else { continue }
                if abs(matte[x, y] - (expected ? 1 : 0)) > 0.02 { return false }
            }
        }
        return true
    }

    @Test func isEmptyWithoutPeople() throws {
        let image = picture(320, 180) { _, _ in true }
        let size = Size(width: 320, height: 180)
        let setup = ModelSetup(device: "CPU", threads: 0, modelPath: models.url.path)
        let estimator = try MatteEstimator(SegmentationPlan(.balanced, size: size), setup)
        var planner = CropPlanner()
        planner.update([TrackedPerson(box: .unit)])
        try estimator.estimate(image.view, orientation: .up, &planner)
        #expect(estimator.matte.values.contains { $0 > 0.9 })
        estimator.clear()
        #expect(estimator.matte.width == 320 && estimator.matte.values.allSatisfy { $0 == 0 })
    }

    private func isFigure(_ x: Int, _ y: Int) -> Bool { (240..<360).contains(x) && y >= 160 }

    @Test func withoutPeopleTheWholeFrameIsMatted() throws {
        var planner = CropPlanner()
        let matte = try matte(picture(640, 480, isFigure), .balanced, [], &planner)
        #expect(matte.width == 640 && matte.height == 480)
        #expect(isFigure(matte, rim: 6, isFigure))
    }

    @Test func aCropIsMattedInItsPlace() throws {
        var planner = CropPlanner()
        let box = Rectangle(x: 0.375, y: 1.0 / 3, width: 0.1875, height: 2.0 / 3)
        let matte = try matte(picture(640, 480, isFigure), .balanced, [box], &planner)
        #expect(planner.crop != .unit)
        #expect(isFigure(matte, rim: 6, isFigure))
    }

    @Test func aTurnedPictureIsMattedUpright() throws {
        var planner = CropPlanner()
        // The upright picture is 480x640; its pixel (x, y) is stored at (y, 479 - x).
        let stored = picture(640, 480) { x, y in isFigure(479 - y, x) }
        let box = Rectangle(x: 0.5, y: 0.25, width: 0.25, height: 0.75)
        let matte = try matte(stored, .balanced, [box], &planner, orientation: .right)
        #expect(matte.width == 480 && matte.height == 640)
        #expect(isFigure(matte, rim: 6, isFigure))
    }

    // Rule: crop-retry.
    @Test func aCropThatCutsAPersonIsWidened() throws {
        var planner = CropPlanner()
        // The detector has missed the head and an arm.
        let box = Rectangle(x: 0.45, y: 0.5, width: 0.1125, height: 0.5)
        let matte = try matte(picture(640, 480, isFigure), .balanced, [box], &planner)
        #expect(planner.crop.y < 1.0 / 3 && planner.crop.x < 0.375)
        #expect(isFigure(matte, rim: 6, isFigure))
    }

    // Rule: lost-person.
    /// The first matte lacks a person, as the model sees a picture without them.
    @Test func aPersonIsMattedOnceMoreAlone() throws {
        let estimator = try MatteEstimator(
            SegmentationPlan(.balanced, size: Size(width: 640, height: 480)),
            ModelSetup(device: "CPU", threads: 0, modelPath: models.url.path))
        let both = { (x: Int, y: Int) in x < 200 || (480..<540).contains(x) && (150..<300).contains(y) }
        let boxes = [(0.0, 0.0, 0.3, 1.0), (0.75, 0.3, 0.1, 0.33)].map {
            Rectangle(x: $0, y: $1, width: $2, height: $3)
        }
        var planner = CropPlanner()
        planner.update(boxes.map { TrackedPerson(box: $0) })
        let without = picture(640, 480) { x, _ in x < 200 }
        try estimator.estimate(without.view, orientation: .up, &planner)
        #expect(isFigure(estimator.matte, rim: 6) { x, _ in x < 200 })
        #expect(planner.crop(around: .unit) == nil)
        let crop = try #require(planner.crop(around: boxes[1]))
        let image = picture(640, 480, both)
        #expect(try estimator.add(crop, of: image.view, orientation: .up))
        #expect(isFigure(estimator.matte, rim: 6, both))
    }

    // Rule: first-pass.
    /// Dots of 2x2 pixels fill a third of a pixel's area in the coarse pass, and whole pixels in the fine
    /// one.
    @Test func aFinePassAddsNoWallThatTheCoarsePassDidNotSee() throws {
        var planner = CropPlanner()
        let image = picture(1024, 1024) { x, y in x < 300 || x % 8 < 2 && y % 8 < 2 }
        let matte = try matte(image, .accurate, [], &planner)
        #expect(matte[150, 500] == 1)
        // The fine pass does see the dots: they stay near the area that the coarse pass saw.
        #expect((303..<308).contains { x in (496..<504).contains { matte[x, $0] > 0.05 } })
        for x in 320..<1024 { #expect((496..<504).allSatisfy { matte[x, $0] == 0 }) }
    }

    // Rule: crop-group.
    /// Dots of 2x2 pixels are whole pixels of the model's image only at the larger size, which is half of the frame's.
    @Test func severalPeopleWhoFillTheFrameAreMattedAtALargerSize() throws {
        let image = picture(1024, 576) { x, y in x % 8 < 2 && y % 8 < 2 }
        let half = Rectangle(x: 0, y: 0, width: 0.5, height: 1)
        let other = Rectangle(x: 0.5, y: 0, width: 0.5, height: 1)
        for (boxes, isFine) in [([Rectangle.unit], false), ([half, other], true)] {
            var planner = CropPlanner()
            let matte = try matte(image, .balanced, boxes, &planner)
            #expect(planner.crop == .unit)
            #expect(matte.array.contains { $0 > 0.5 } == isFine)
        }
    }

    // Rule: spread.
    /// A place that turns white without motion is outvoted by the mattes of the first frame until most are new.
    @Test func mattesOfAStreamAreRenewedInTurns() throws {
        let size = Size(width: 256, height: 256)
        let estimator = try MatteEstimator(
            SegmentationPlan(.accurate, size: size),
            ModelSetup(device: "CPU", threads: 0, modelPath: models.url.path))
        let matcher = BlockMatcher(.far)
        var planner = CropPlanner()
        var found: [Float] = []
        for number in 0..<4 {
            let image = picture(256, 256) { x, y in
                x < 128 || number > 0 && (180..<200).contains(x) && (100..<120).contains(y)
            }
            // The motion is that of an image at rest.
            let still = FloatImage(256, 256) { x, y in
                Float((x / 4 * 37 % 101 + y / 4 * 53 % 97)) / 200
            }
            matcher.follow(number > 0 ? estimator.matte : nil, to: still)
            estimator.follow(matcher, changed: number == 0)
            try estimator.estimate(image.view, orientation: .up, &planner)
            found.append(estimator.matte[190, 110])
        }
        #expect(found[1] < 0.1 && found[3] > 0.9, "\(found)")
    }

    // Rule: tone-curve.
    /// The model's alpha is twice the brightness above one half: 130, 140 and 250 of 255 give 0.02, 0.1 and 0.96.
    @Test(arguments: [(130, 0), (140, 0.0582), (250, 1)] as [(UInt8, Float)])
    func aFaintVeilIsRemoved(grey: UInt8, expected: Float) throws {
        let bytes = [UInt8](repeating: grey, count: 3 * 256 * 256)
        var planner = CropPlanner()
        let matte = try matte(Photo(width: 256, height: 256, bytes: bytes).image, .balanced, [], &planner)
        #expect(abs(matte[128, 128] - expected) < 0.002, "\(matte[128, 128])")
    }

    @Test func aPassOfTheWholeFrameIsLoadedAtOnce() throws {
        try FileManager.default.removeItem(atPath: models.path("free_size.bin"))
        var planner = CropPlanner()
        #expect(throws: VisionError.self) {
            _ = try matte(picture(64, 48) { _, _ in true }, .balanced, [], &planner)
        }
    }
}
