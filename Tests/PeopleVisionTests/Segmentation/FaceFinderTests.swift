import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of faces that no mask may lose.
struct FaceFinderTests {
    typealias Person = PersonPrior.Person

    /// Returns the faces found in the portrait, with one person in `box`.
    private func faces(in box: Rectangle = .unit, isProminent: Bool = true) throws -> FloatImage {
        let portrait = try #require(Photo.portrait)
        let image = portrait.image
        let plan = SegmentationPlan(.balanced, size: Size(width: 512, height: 512))
        let person = Person(crop: box, isProminent: isProminent, coverage: FloatImage(16, 16))
        let finder = try FaceFinder(plan.prior, .forTests)
        let copy = FloatImage()
        copy.copy(try finder.find(in: InputFrame(image.view), [person]))
        return copy
    }

    @Test func valuesOfAFaceSumToOne() throws {
        let faces = try faces()
        #expect(abs(faces.array.reduce(0, +) - 1) < 0.05)
        #expect(faces[faces.width * 43 / 100, faces.height / 4] > 0)
        #expect(faces[faces.width - 3, 3] == 0 && faces[faces.width / 2, faces.height * 9 / 10] == 0)
    }

    @Test func onlyFacesOfProminentPeopleCount() throws {
        #expect(try faces(isProminent: false).array.allSatisfy { $0 == 0 })
    }

    @Test func ignoresFacesOutsideThePersonsBox() throws {
        let right = Rectangle(x: 0.62, y: 0, width: 0.38, height: 1)
        #expect(try faces(in: right).array.allSatisfy { $0 == 0 })
    }
}
