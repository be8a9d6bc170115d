import Imaging
import Testing

/// The part of a picture that is shown, and its place in the frame.
struct PictureFitTests {
    struct Case: Sendable, CustomTestStringConvertible {
        let fit: PictureFit
        let picture, frame: [Int]
        var pixelAspect = 1.0
        let source, destination: [Int]

        var testDescription: String { "\(fit) \(picture) in \(frame), pixels \(pixelAspect)" }
    }

    @Test(arguments: [
        Case(
            fit: .stretch, picture: [200, 100], frame: [30, 40], source: [0, 0, 200, 100],
            destination: [0, 0, 30, 40]),
        // Cover: the middle of the picture, the whole frame.
        Case(
            fit: .cover, picture: [200, 100], frame: [50, 50], source: [50, 0, 100, 100],
            destination: [0, 0, 50, 50]),
        Case(
            fit: .cover, picture: [100, 200], frame: [50, 50], source: [0, 50, 100, 100],
            destination: [0, 0, 50, 50]),
        Case(
            fit: .cover, picture: [160, 90], frame: [320, 180], source: [0, 0, 160, 90],
            destination: [0, 0, 320, 180]),
        Case(
            fit: .cover, picture: [1, 1], frame: [1920, 1080], source: [0, 0, 1, 1],
            destination: [0, 0, 1920, 1080]),
        Case(
            fit: .cover, picture: [10000, 1], frame: [1, 10000], source: [4999, 0, 1, 1],
            destination: [0, 0, 1, 10000]),
        // Contain: the whole picture, the middle of the frame.
        Case(
            fit: .contain, picture: [200, 100], frame: [50, 50], source: [0, 0, 200, 100],
            destination: [0, 12, 50, 25]),
        Case(
            fit: .contain, picture: [100, 200], frame: [50, 50], source: [0, 0, 100, 200],
            destination: [12, 0, 25, 50]),
        Case(
            fit: .contain, picture: [10000, 1], frame: [64, 64], source: [0, 0, 10000, 1],
            destination: [0, 31, 64, 1]),
        // The frame shows the picture's pixels twice as wide.
        Case(
            fit: .contain, picture: [100, 100], frame: [100, 100], pixelAspect: 2, source: [0, 0, 100, 100],
            destination: [0, 25, 100, 50]),
        Case(
            fit: .cover, picture: [100, 100], frame: [100, 100], pixelAspect: 2, source: [25, 0, 50, 100],
            destination: [0, 0, 100, 100]),
    ])
    func placesThePicture(_ expected: Case) {
        let place = expected.fit.placement(
            of: (expected.picture[0], expected.picture[1]), in: (expected.frame[0], expected.frame[1]),
            pixelAspect: expected.pixelAspect)
        #expect(numbers(place.source) == expected.source)
        #expect(numbers(place.destination) == expected.destination)
    }

    /// No size may lead out of the picture or the frame, and no number may trap.
    @Test(arguments: PictureFit.allCases, [1.0, 0, -1, .nan, .infinity, 1e-300, 1e300])
    func placementsStayInsidePictureAndFrame(_ fit: PictureFit, _ pixelAspect: Double) {
        let sides = [-5, 0, 1, 2, 3, 719, 32768, Int(Int32.max)]
        for picture in sides {
            for frame in sides {
                let place = fit.placement(of: (picture, 1), in: (3, frame), pixelAspect: pixelAspect)
                #expect(isInside(place.source, max(1, picture), 1), "\(place)")
                #expect(isInside(place.destination, 3, max(1, frame)), "\(place)")
            }
        }
    }

    private func numbers(_ rect: PixelRect) -> [Int] { [rect.x, rect.y, rect.width, rect.height] }

    private func isInside(_ rect: PixelRect, _ width: Int, _ height: Int) -> Bool {
        rect.x >= 0 && rect.y >= 0 && rect.width > 0 && rect.height > 0 && rect.x + rect.width <= width
            && rect.y + rect.height <= height
    }
}
