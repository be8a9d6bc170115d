import Imaging
import PeopleVision
import TestSupport
import Testing

struct CoarseSegmenterTests {
    @Test func coverageIsOfTheWholeFrame() throws {
        let image = try #require(Photo.portrait).image
        let coarse = try CoarseSegmenter(.square, .forTests)
        _ = try coarse.segment(image.view, orientation: .up)
        #expect([coarse.coverage.width, coarse.coverage.height] == [256, 256])
        #expect(coarse.coverage[110, 64] > 0.9 && coarse.coverage[110, 190] > 0.9)
        #expect(coarse.coverage[200, 20] < 0.1)
    }

    @Test func coverageIsUpright() throws {
        let picture = try #require(Photo.portrait)
        let (coarse, turned) = (try CoarseSegmenter(.square, .forTests), picture.storedForRight.image)
        _ = try coarse.segment(turned.view, orientation: .right)
        #expect(coarse.coverage[110, 64] > 0.9 && coarse.coverage[200, 20] < 0.1)
    }

    @Test func halvedCoverageIsTheMeanOfFourValues() throws {
        let image = try Photo.row(of: 3).image
        let whole = try CoarseSegmenter(.landscape, .forTests)
        let halved = try CoarseSegmenter(.landscape, isHalved: true, .forTests)
        _ = try whole.segment(image.view, orientation: .up)
        _ = try halved.segment(image.view, orientation: .up)
        #expect([halved.coverage.width, halved.coverage.height] == [128, 72])
        let means = FloatImage(128, 72) { x, y in
            let upper = whole.coverage[2 * x, 2 * y] + whole.coverage[2 * x + 1, 2 * y]
            return (upper + whole.coverage[2 * x, 2 * y + 1] + whole.coverage[2 * x + 1, 2 * y + 1]) / 4
        }
        #expect(distance(halved.coverage.array, means.array) < 1e-5)
        #expect([halved.brightness.width, halved.brightness.height] == [256, 144])
        let colors = FloatImage(128, 3 * 72) { x, y in
            let upper = whole.colors[2 * x, 2 * y] + whole.colors[2 * x + 1, 2 * y]
            return (upper + whole.colors[2 * x, 2 * y + 1] + whole.colors[2 * x + 1, 2 * y + 1]) / 4
        }
        #expect(distance(halved.colors.array, colors.array) < 1e-5)
    }

    @Test func aStillAndItsMirrorImageHaveOneCoverage() throws {
        let portrait = try #require(Photo.portrait)
        let (image, mirrored) = (portrait.image, portrait.mirrored.image)
        let coarse = try CoarseSegmenter(.square, .forTests)
        _ = try coarse.segment(image.view, orientation: .up, andMirrorImage: true)
        let own = FloatImage()
        own.copy(coarse.coverage)
        _ = try coarse.segment(mirrored.view, orientation: .up, andMirrorImage: true)
        let turned = FloatImage(own.width, own.height) { x, y in coarse.coverage[own.width - 1 - x, y] }
        #expect(distance(own.array, turned.array) < 1e-3)
    }

    @Test(arguments: [true, false]) func reportsWhetherAFrameFollowsTheLast(isHalved: Bool) throws {
        let portrait = try #require(Photo.portrait)
        let (image, other) = (portrait.image, portrait.mirrored.exposed(2.5).image)
        let coarse = try CoarseSegmenter(.square, isHalved: isHalved, .forTests)
        #expect(try !coarse.segment(image.view, orientation: .up))
        #expect(try coarse.segment(image.view, orientation: .up))
        #expect(try !coarse.segment(other.view, orientation: .up))
        #expect(try coarse.segment(other.view, orientation: .up))
    }
}
