import Imaging

/// Corrects masks of groups and of small people by what MobileSAM finds in each person's box.
final class GroupRefinement {
    private let profile: QualityProfile
    private let groups: QualityProfile.Groups
    private let model: BoxSegmenter
    private let fusion: GroupFusion

    /// Loads the models; nil for a level that does without.
    init?(_ plan: SegmentationPlan, _ setup: ModelSetup) throws(VisionError) {
        guard let groups = plan.profile.groups, let fusion = GroupFusion(plan) else { return nil }
        (profile, self.groups, self.fusion) = (plan.profile, groups, fusion)
        model = try BoxSegmenter(setup)
    }

    /// Whether an image of `people`, the tallest first, is to be corrected.
    func concerns(_ people: [TrackedPerson], _ prior: PersonPrior) -> Bool {
        profile.areGroupOrSmall(people, certain: prior.people.lazy.map(\.person))
    }

    /// Corrects `mask` and the coverage of each person of `prior`.
    ///
    /// Detections whose coarse coverage is uncertain may be no people: where there are certain ones, they need a trace in
    /// the mask.
    func refine(
        _ mask: FloatImage, of image: ImageView, orientation: ImageOrientation, _ prior: PersonPrior
    ) throws(VisionError) {
        let tallest = prior.all.lazy.map(\.person.box.height).max() ?? 0
        try model.encode(image, orientation: orientation)
        fusion.begin(mask)
        for index in prior.all.indices {
            let person = prior.all[index]
            try model.segment(person.person.box)
            let isCertain = prior.people.isEmpty || prior.people.indices.contains(index)
            fusion.correct(
                person, by: model.coverage,
                isOfGroup: isCertain && groups.prominence.includes(person.person.box, tallest: tallest))
        }
        fusion.apply(to: mask)
    }
}

extension QualityProfile {
    /// Whether `people`, the tallest first, are a group or one small person.
    ///
    /// - Parameter certain: those of them who may be one of a group.
    package func areGroupOrSmall(_ people: [TrackedPerson], certain: some Sequence<TrackedPerson>) -> Bool {
        guard let groups, let tallest = people.first, tallest.isDetected else { return false }
        let height = tallest.box.height
        let isWhole = tallest.box.y + height < 1 - crop.leeway
        if height < groups.prominence.share || height < groups.whole && isWhole { return true }
        var count = 0
        for person in certain where groups.prominence.includes(person.box, tallest: height) { count += 1 }
        return count > 1
    }
}
