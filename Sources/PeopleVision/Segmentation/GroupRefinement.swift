import Imaging

/// Corrects masks of groups and of small people by what MobileSAM finds in each person's box.
final class GroupRefinement {
    private let limits: QualityProfile.Groups
    private let model: BoxSegmenter
    private let fusion: GroupFusion

    /// Loads the models; nil for a level that does without.
    init?(_ plan: SegmentationPlan, _ setup: ModelSetup) throws(VisionError) {
        guard let limits = plan.profile.groups, let fusion = GroupFusion(plan) else { return nil }
        (self.limits, self.fusion) = (limits, fusion)
        model = try BoxSegmenter(setup)
    }

    /// Whether a picture of `people`, the tallest first, is to be corrected.
    func concerns(_ people: [TrackedPerson]) -> Bool { limits.concern(people) }

    /// Corrects `mask` and the coverage of each of `people`.
    func refine(
        _ mask: FloatImage, of image: ImageView, orientation: ImageOrientation,
        _ people: ArraySlice<PersonPrior.Person>
    ) throws(VisionError) {
        let tallest = people.lazy.map(\.person.box.height).max() ?? 0
        try model.encode(image, orientation: orientation)
        fusion.begin(mask)
        for person in people {
            try model.segment(person.person.box)
            fusion.correct(
                person, by: model.coverage, isOfGroup: limits.includes(person.person, tallest: tallest))
        }
        fusion.apply(to: mask)
    }
}

extension QualityProfile.Groups {
    /// Whether `people`, the tallest first, are a group or one small person.
    package func concern(_ people: [TrackedPerson]) -> Bool {
        guard let tallest = people.first, tallest.isDetected else { return false }
        let (height, end) = (tallest.box.height, tallest.box.y + tallest.box.height)
        if height < small || height < whole && end < cut { return true }
        return people.count { includes($0, tallest: height) } > 1
    }

    /// Whether a person is one of the group whose tallest one has a box `tallest` of the frame high.
    func includes(_ person: TrackedPerson, tallest: Double) -> Bool {
        person.box.height >= prominence * tallest * tallest
    }
}
