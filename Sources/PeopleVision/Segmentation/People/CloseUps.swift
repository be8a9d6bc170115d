package import Imaging
import Inference

/// The small model's close looks at the people of a frame, one by one.
///
/// Where it sees the whole frame a person in a group is a few pixels, and often lost.
package final class CloseUps {
    /// Space around a person, as a share of the size.
    static let margin = 0.1

    /// All people, as the model gives them; `finish(with:)` adds what they hold.
    package let people = FloatImage()
    /// The person looked at last, alone.
    package let person = FloatImage()

    /// Where the view of the whole frame is sure enough to count.
    private static let certain = LinearStep(from: 0.8, to: 0.95)

    private let matter: CropMatter
    private let stretch = LinearResizer()
    private let input = ModelInput(selfieFor: Size(width: 1, height: 1))

    /// Loads nothing yet.
    package init(_ setup: ModelSetup) { matter = CropMatter(setup.withoutModelFile) }

    /// Starts a frame, with masks of `extent`.
    package func begin(_ extent: SegmentationPlan.Extent) {
        for grid in [people, person] { grid.resize(width: extent.width, height: extent.height) }
        people.fill(0)
    }

    /// Fills `person` with whoever is in `box`, and adds them to `people`.
    package func look(
        at box: Rectangle, of image: ImageView, orientation: ImageOrientation
    ) throws(VisionError) {
        person.fill(0)
        _ = try matter.add(
            box.grown(by: Self.margin), of: image, orientation: orientation, input: input, to: person)
        for y in 0..<people.height { people.raise(row: y, to: person.row(y)) }
    }

    /// Adds to `people` what the model is sure of where it sees the `whole` frame: what people hold reaches
    /// beyond their boxes.
    package func finish(with whole: FloatImage) {
        stretch.begin(whole, width: people.width, height: people.height)
        for y in 0..<people.height {
            let (row, whole) = (people.row(y), stretch.row(y, of: whole))
            for x in 0..<people.width { row[x] = max(row[x], Self.certain.value(whole[x])) }
        }
    }
}
