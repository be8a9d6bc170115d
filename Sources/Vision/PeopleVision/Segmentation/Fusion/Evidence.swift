package import Imaging

/// All that is known of a frame before its mask is made.
///
/// The steps to the mask read it (`MaskStep`), and none changes it. Its images are valid until the next frame.
package struct Evidence {
    /// The frame itself.
    package var frame: InputFrame
    /// Alpha of the people by the matting network, at the mask's size; with `greaterMatte` the lesser of two.
    package var matte: FloatImage
    /// Alpha by that of a still image's two mattes, its own and its mirror image's, which shows more; nil where there is one only.
    package var greaterMatte: FloatImage?
    /// Coarse coverage of the whole frame, at any size.
    package var coarse: FloatImage
    /// The people, each with coarse coverage of a crop.
    package var people: ArraySlice<PersonPrior.Person>
    /// `people`, followed by those whose coverage is uncertain.
    package var everybody: ArraySlice<PersonPrior.Person>
    /// The matte and the coverage of `people` in one size, with the pieces that the matte misses.
    package var comparison: MatteComparison
    /// Whether the people are a group, or one small person; see `GroupChoice`.
    package var isGroup = false
    /// Whether matte and coarse coverage contradict each other; see `GroupChoice`.
    package var isContradictory = false
    /// The squares around the faces of prominent people, in the upright frame's unit square.
    ///
    /// They are searched for in still images, and where the matte misses a piece.
    package var faces: [Rectangle] = []
    /// The squares around the faces of other people, of still images only.
    package var otherFaces: [Rectangle] = []
    /// The image of `faces` by `FaceFinder.shares`; nil where the matte misses no piece.
    package var faceShares: FloatImage?
    /// The mean of the masks before, moved to the frame, at the size of the plan's prior; nil where a scene begins.
    package var history: FloatImage?
    /// The frame's colours, as three planes of the size of `coarse`, one below the other.
    package var colors: FloatImage
    /// Stillness of the image since the frame before, 0...1, at any size.
    package var stillness: FloatImage
    /// Weight of the masks before where the image stands still, 0...1.
    package var smoothing: Float

    /// Creates evidence; the rest of it may be added.
    package init(
        of frame: InputFrame, matte: FloatImage, coarse: FloatImage, people: ArraySlice<PersonPrior.Person>,
        everybody: ArraySlice<PersonPrior.Person>? = nil, comparison: MatteComparison, colors: FloatImage,
        stillness: FloatImage, smoothing: Float
    ) {
        (self.frame, self.matte, self.coarse, self.comparison) = (frame, matte, coarse, comparison)
        (self.people, self.everybody) = (people, everybody ?? people)
        (self.colors, self.stillness, self.smoothing) = (colors, stillness, smoothing)
    }
}

/// The matte and the coarse coverage of a frame's people in one size, that of the plan's prior.
package final class MatteComparison {
    /// The matte.
    package let matte = FloatImage()
    /// Coarse coverage of all people.
    package let people = FloatImage()
    /// The pieces of which the coverage is certain and which the matte misses.
    package let missing = MissingRegions()
    /// Coarse coverage of each person in the whole frame, in the people's order.
    package var each: ArraySlice<FloatImage> { slots[..<count] }

    /// Images of people, kept from frame to frame to reuse their memory.
    private var slots: [FloatImage] = []
    private var count = 0
    private let matteRows = LinearResizer()
    private let paste = FeatheredPaste()

    /// Creates a comparison at the sizes of `plan`.
    package init(_ plan: SegmentationPlan) {
        for image in [matte, people] { image.resize(width: plan.prior.width, height: plan.prior.height) }
    }

    /// Takes the matte, of any size, and the people of the next frame.
    package func update(_ matte: FloatImage, _ people: ArraySlice<PersonPrior.Person>) {
        matteRows.resize(matte, into: self.matte)
        self.people.fill(0)
        count = 0
        for person in people { add(person) }
        missing.find(in: self.matte, people: self.people)
    }

    /// Returns the box of the person of whom the matte shows least; nil if it shows most of everybody.
    ///
    /// - Parameter people: the people of the last update.
    package func lostPerson(of people: ArraySlice<PersonPrior.Person>) -> Rectangle? {
        var (lost, least): (Rectangle?, Float) = (nil, CoverageLimits.certain.middle)
        for (person, coverage) in zip(people, each) {
            let share = matte.mean(overPerson: coverage) ?? 1
            if share < least { (lost, least) = (person.person.box, share) }
        }
        return lost
    }

    private func add(_ person: PersonPrior.Person) {
        if count == slots.count { slots.append(FloatImage()) }
        let image = slots[count]
        image.resize(width: people.width, height: people.height)
        image.fill(0)
        paste.add(
            UnsafeBufferPointer(person.coverage.values), width: person.coverage.width,
            height: person.coverage.height, crop: person.crop, to: image)
        for y in 0..<people.height { people.raise(row: y, to: image.row(y)) }
        count += 1
    }
}
