import Imaging
import PeopleVision
import TestSupport
import Testing

/// Groups: mattes that are corrected person by person.
struct GroupTests {
    /// Corrects `mask` by all who are in `picture`.
    ///
    /// - Parameter closeUps: the small model's looks at them; nil to look.
    /// - Returns: how many they are.
    private func correct(
        _ mask: FloatImage, _ picture: Picture, closeUps given: FloatImage? = nil
    ) throws -> Int {
        let (image, watch) = (picture.image, try Watch(picture))
        try watch.look(at: image.view)
        let closeUps = CloseUps(.forTests)
        closeUps.begin(.init(width: mask.width, height: mask.height))
        for person in watch.crowd.people {
            try closeUps.look(at: person.box, of: image.view, orientation: .up)
        }
        let looks = given ?? closeUps.people
        try GroupMatter(CropMatter(.forTests))
            .correct(mask, watch.crowd, closeUps: looks, image.view, orientation: .up)
        return watch.crowd.people.count
    }

    @Test(arguments: [Float(0), 1]) func aGroupIsCorrectedPersonByPerson(wrong: Float) throws {
        let mask = FloatImage(768, 256) { _, _ in wrong }
        #expect(try correct(mask, .row(of: 3)) == 3)
        for person in 0..<3 {
            // Each one's face and chest, and the lab above the right shoulder.
            #expect(mask[person * 256 + 110, 60] > 0.5, "face \(person)")
            #expect(mask[person * 256 + 110, 180] > 0.5, "chest \(person)")
            #expect(mask[person * 256 + 200, 40] < 0.5, "lab \(person)")
        }
    }

    @Test(arguments: [Float(0), 1]) func whereNobodyIsCloseLooksMustConfirm(value: Float) throws {
        let closeUps = FloatImage(1024, 256) { _, y in y < 128 ? 1 : 0 }
        let mask = FloatImage(1024, 256) { _, _ in value }
        #expect(try correct(mask, .row(of: 4, empty: 2), closeUps: closeUps) == 2)
        for y in 0..<256 {
            let isAsExpected = (600..<1024).allSatisfy { mask[$0, y] == (y < 128 ? value : 0) }
            #expect(isAsExpected, "row \(y)")
        }
    }

    @Test func withoutPeopleOnlyConfirmedMatteStays() throws {
        var images = RandomImages()
        let (mask, closeUps) = (images.random(33, 18), images.random(33, 18))
        let plain = FloatImage(33, 18) { x, y in
            min(mask[x, y], LinearStep.selfie.value(closeUps[x, y]))
        }
        #expect(try correct(mask, .grey(width: 64, height: 64), closeUps: closeUps) == 0)
        #expect(distance(mask.array, plain.array) < 1e-6)
    }
}
