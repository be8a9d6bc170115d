import Imaging
import PeopleVision
import TestSupport
import Testing

struct PromptedSegmenterTests {
    /// The frames are a landscape, a square and a portrait.
    @Test(arguments: [Size(width: 16, height: 9), Size(width: 1, height: 1), Size(width: 9, height: 16)])
    func segmentsOnlyThePersonOfThePrompt(_ frame: Size) throws {
        let image = try Photo.row(of: 2).image
        let model = try PromptedSegmenter(frame, .forTests)
        try model.encode(image.view, orientation: .up)
        for left in [0.0, 0.5] {
            let box = Rectangle(x: left + 0.02, y: 0.03, width: 0.335, height: 0.97)
            let (face, chest) = (Point(x: left + 0.215, y: 0.25), Point(x: left + 0.215, y: 0.72))
            for prompt in [PromptedSegmenter.Prompt.box(box), .points(face, chest)] {
                try model.segment(prompt)
                func covered(_ x: Double, _ y: Double) -> Float {
                    model.coverage.value(
                        atX: x * Double(model.coverage.width), y: y * Double(model.coverage.height))
                }
                // The face and the chest of one person, then those of the other.
                #expect(covered(face.x, face.y) > 0.5 && covered(chest.x, chest.y) > 0.5)
                #expect(covered(0.715 - left, 0.25) < 0.1 && covered(0.715 - left, 0.72) < 0.1)
            }
        }
    }

    /// In the mirror image the person is on the other side; the coverage is that of the image nevertheless.
    @Test func segmentsThePersonInTheMirrorImage() throws {
        let image = try Photo.row(of: 2).image
        let model = try PromptedSegmenter(Size(width: 16, height: 9), .forTests)
        let box = Rectangle(x: 0.02, y: 0.03, width: 0.335, height: 0.97)
        let points = PromptedSegmenter.Prompt.points(Point(x: 0.2, y: 0.25), Point(x: 0.23, y: 0.72))
        for prompt in [.box(box), points] {
            let coverages = try [false, true].map { isMirrored in
                try model.encode(image.view, orientation: .up, mirrored: isMirrored)
                try model.segment(prompt)
                let coverage = FloatImage()
                coverage.copy(model.coverage)
                return coverage
            }
            let different = zip(coverages[0].array, coverages[1].array).count { abs($0 - $1) > 0.5 }
            #expect(different < coverages[0].count / 50, "\(different)")
            #expect(coverages[0].array.count { $0 > 0.5 } > coverages[0].count / 20)
        }
    }
}
