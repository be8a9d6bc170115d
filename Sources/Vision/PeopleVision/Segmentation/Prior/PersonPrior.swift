package import Imaging

/// Coverage of each person by the coarse model, from a pass of this person alone.
///
/// In a pass of the whole frame a person of a group is a few pixels, and often lost.
package final class PersonPrior {
    /// One person's coverage.
    package struct Person {
        /// The crop that the pass showed, in the upright frame's unit square.
        package fileprivate(set) var crop = Rectangle.unit
        /// The tracker's description of the person.
        package fileprivate(set) var person = TrackedPerson(box: .unit)
        /// Coverage of the crop, 0...1, at the model's size.
        package let coverage = FloatImage()
        /// Colours of the clothes; unknown unless `measuresColors`.
        package let colors = InstanceColors()

        /// Creates a person without coverage.
        init() {}

        /// Creates a person whose coverage is known.
        ///
        /// - Parameter person: a person in the crop unless given.
        package init(
            crop: Rectangle, isProminent: Bool = true, person: TrackedPerson? = nil, coverage: FloatImage
        ) {
            self.crop = crop
            self.person = person ?? TrackedPerson(box: crop, isProminent: isProminent)
            self.coverage.copy(coverage)
        }

        /// Copies the description and coverage of `other`.
        mutating func copy(_ other: Person) {
            (crop, person) = (other.crop, other.person)
            coverage.copy(other.coverage)
            colors.copy(other.colors)
        }

        /// Whether the tracker counts the person as prominent.
        package var isProminent: Bool { person.isProminent }
    }

    /// The people of the last frame, without those whose coverage is uncertain.
    package var people: ArraySlice<Person> { slots[..<count] }

    /// `people`, followed by those whose coverage is uncertain.
    package var all: ArraySlice<Person> { slots[..<allCount] }

    /// Whether the colours of people's clothes may be measured.
    package var measuresColors = false

    /// Space around one person's box for a pass of the coarse model, as a share of the box.
    ///
    /// 0.05 takes 0.008 of IoU from everyday photos.
    private static let margin = 0.1

    private let model: ImageModel
    /// The people, kept from frame to frame to reuse their memory.
    private var slots: [Person] = []
    private var count = 0
    private var allCount = 0

    /// Loads the model.
    package init(_ setup: ModelSetup) throws(VisionError) {
        model = try CoarseModel.square.load(setup)
    }

    /// Segments each person of a frame in a crop of their own.
    ///
    /// - Parameter andMirrorImage: whether each coverage is the mean of those of the crop and of its mirror image.
    package func estimate(
        _ image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool = false,
        _ people: [TrackedPerson]
    ) throws(VisionError) {
        (count, allCount) = (0, 0)
        for person in people {
            if allCount == slots.count { slots.append(Person()) }
            try segment(
                image, orientation: orientation, andMirrorImage: andMirrorImage, person, into: allCount)
            allCount += 1
            let isCertain = slots[allCount - 1].coverage.isCertain
            guard isCertain || !MaskRule.certainPeople.isOn else { continue }
            slots.swapAt(allCount - 1, count)
            count += 1
        }
    }

    private func segment(
        _ image: ImageView, orientation: ImageOrientation, andMirrorImage: Bool,
        _ person: TrackedPerson, into slot: Int
    ) throws(VisionError) {
        let margin = MaskRule.personMargin.isOn ? Self.margin : 0
        slots[slot].crop = person.box.grown(by: margin)
        slots[slot].person = person
        let region = FrameTransform.crop(slots[slot].crop).followed(by: .orientation(orientation))
        try model.run(on: image, region: region)
        slots[slot].coverage.resize(width: model.width, height: model.height)
        slots[slot].coverage.copy(try model.output(0, count: model.width * model.height))
        if measuresColors { slots[slot].colors.sample(UnsafeBufferPointer(model.input), in: model.tensor) }
        guard andMirrorImage else { return }
        try model.run(on: image, region: .mirrored.followed(by: region))
        slots[slot].coverage.average(mirrored: try model.output(0, count: model.width * model.height))
    }
}

extension FloatImage {
    /// Whether enough of this coverage of a person is certain.
    ///
    /// For other things the coarse model mostly returns the shape of the crop.
    fileprivate var isCertain: Bool {
        var (possible, certain) = (0, 0)
        let (values, count) = (base, count)
        let (low, high) = (CoverageLimits.possible.middle, CoverageLimits.certain.middle)
        for i in 0..<count {
            possible &+= values[i] > low ? 1 : 0
            certain &+= values[i] > high ? 1 : 0
        }
        return certain > 0 && Double(certain) >= CoverageLimits.minimumPart * Double(possible)
    }
}
