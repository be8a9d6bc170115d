import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of faces that no mask may lose.
struct FaceFinderTests {
    /// Returns the faces found in the portrait, with one person in `box`, and their shares.
    private func faces(in box: Rectangle = .unit) throws -> (squares: [Rectangle], shares: FloatImage) {
        let portrait = try #require(Photo.portrait)
        let image = portrait.image
        let plan = SegmentationPlan(.balanced, size: Size(width: 512, height: 512))
        let finder = try FaceFinder(plan.prior, .forTests)
        let squares = try finder.find(in: InputFrame(image.view), [box])
        let copy = FloatImage()
        copy.copy(finder.shares(of: squares))
        return (squares, copy)
    }

    @Test func sharesOfAFaceSumToOne() throws {
        let (squares, shares) = try faces()
        let square = try #require(squares.first)
        #expect(squares.count == 1 && abs(square.center.x - 0.43) < 0.05 && abs(square.center.y - 0.25) < 0.1)
        #expect(square.width > 0.1 && square.width < 0.4 && abs(square.width - square.height) < 1e-9)
        #expect(abs(shares.array.reduce(0, +) - 1) < 0.05)
        #expect(shares[shares.width * 43 / 100, shares.height / 4] > 0)
        #expect(shares[shares.width - 3, 3] == 0 && shares[shares.width / 2, shares.height * 9 / 10] == 0)
    }

    @Test func ignoresFacesOutsideThePersonsBox() throws {
        let right = Rectangle(x: 0.62, y: 0, width: 0.38, height: 1)
        let (squares, shares) = try faces(in: right)
        #expect(squares.isEmpty && shares.array.allSatisfy { $0 == 0 })
    }
}
