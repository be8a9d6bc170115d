#if RULE_SWITCHES
    import Glibc
#endif

/// Rules that decide about a mask, in the order in which they are applied.
///
/// `Tests/evaluate ablate` switches each of them off by itself, and prints what is lost by that. Only a build with
/// `RULE_SWITCHES` can do so; in all others every rule is applied.
package enum MaskRule: String, CaseIterable, Sendable {
    // MARK: People (PersonTracker, DoubtfulPeople)

    /// Quarters of still images are searched for small people.
    case quarters
    /// Components of the coarse coverage replace boxes if the detector finds no person.
    case components
    /// Only people who are tall beside the tallest, or cut off by the lower edge of the frame, get crops, and are completed
    /// without a trace in the matte.
    case prominence
    /// People of still images who are taller than those with a face need one of their own if they are less certain, or around
    /// another person.
    case ownFace = "own-face"

    // MARK: Motion (MaskPropagation)

    /// Masks move along with the image instead of being computed.
    case propagation

    // MARK: Coarse coverage of each person (PersonPrior)

    /// The coarse model sees some space around a person's box.
    case personMargin = "person-margin"
    /// Detections whose coarse coverage is uncertain are no people.
    case certainPeople = "certain-people"

    // MARK: Matting (CropPlanner, MatteEstimator)

    /// The matting model sees a crop around the people.
    case crop
    /// The crop contains the last mask.
    case cropMask = "crop-mask"
    /// The crop stays while it fits the people.
    case cropKept = "crop-kept"
    /// A large crop becomes the whole frame.
    case cropFill = "crop-fill"
    /// A frame that several people fill is matted at a larger size.
    case cropGroup = "crop-group"
    /// A crop that cuts a person is widened.
    case cropRetry = "crop-retry"
    /// The person of whom the matte of a stream shows least is matted once more, alone.
    case lostPerson = "lost-person"
    /// Still images are analysed with their mirror images; only things that are a person in both are one.
    case mirrorImage = "mirror-image"
    /// The median of several passes is limited by the first pass and its mirror image's.
    case firstPass = "first-pass"
    /// The passes of a stream are spread over frames.
    case spread
    /// A tone curve removes the faint veil of mattes.
    case toneCurve = "tone-curve"

    // MARK: Fusion of matte and coarse coverage (UpperBound, PersonCompletion, MissingRegions, HoleFilling)

    /// Nothing is a person far from the coarse coverage.
    case upperBound = "upper-bound"
    /// Certain coverage of the whole frame counts for the upper bound.
    case upperFrame = "upper-frame"
    /// The upper bound has a tolerance around outlines.
    case upperTolerance = "upper-tolerance"
    /// People whom the matte has lost are completed.
    case completion
    /// Completing people who are not prominent needs a trace of them in the matte.
    case trace
    /// People of still images whose faces the matte shows are not completed.
    case shownFace = "shown-face"
    /// In still images people are completed wholly or not at all.
    case wholeInStills = "whole-in-stills"
    /// Pieces of people that the matte misses are filled in.
    case missing
    /// Pieces that were in the last masks count as missing.
    case lasting
    /// Pieces must be wider than the tolerance of outlines.
    case wide
    /// Pieces that show a part of a face count as missing.
    case faces
    /// Holes in people are filled.
    case holes
    /// Holes near outlines stay.
    case holesInside = "holes-inside"

    // MARK: MobileSAM (GroupChoice, GroupRefinement, GroupFusion, KeyFrame)

    /// MobileSAM corrects groups, small people and contradictions.
    case groups
    /// One small person whose legs are not cut off is corrected, unless the box is that of a head.
    case smallFigure = "small-figure"
    /// Several people are corrected.
    case several
    /// In streams groups are not corrected of whom the frame cuts off everybody's legs.
    case wholeFigures = "whole-figures"
    /// Passers-by behind a whole figure are not of its group.
    case passersBy = "passers-by"
    /// Still images are corrected where the models contradict each other.
    case contradiction
    /// Contradictions in boxes that are wider than high do not count.
    case headAndShoulders = "head-and-shoulders"
    /// MobileSAM is outvoted where it misses most of what the other models agree on.
    case outvoting
    /// MobileSAM opens no holes that people enclose.
    case closedHoles = "closed-holes"
    /// MobileSAM's people have sharp outlines.
    case sharpFigure = "sharp-figure"
    /// The mask stays where it mostly agrees with MobileSAM.
    case agreement
    /// MobileSAM runs on key frames only.
    case keyFrames = "key-frames"

    // MARK: Faces (BehindHead, FaceFloor)

    /// Large pieces beside the head of a still image's only person need MobileSAM, asked for face and chest.
    case behindHead = "behind-head"
    /// Faces that the mask of a still image shows in part are closed.
    case faceFloor = "face-floor"

    // MARK: Time (BackgroundMemory, InteriorPersistence, TemporalMaskFilter, SoftRegions)

    /// The mask is cleared where the image looks like remembered background.
    case background
    /// Remembered patterns clear people, too.
    case pattern
    /// Certain coarse coverage is kept before a background without pattern.
    case covered
    /// Parts inside of people last for a few masks that have lost them.
    case persistence
    /// Masks are smoothed where the image stands still.
    case smoothing
    /// Soft regions of streams that are too wide for hair or blur become a person or none.
    case softRegions = "soft-regions"
}

extension MaskStep {
    /// Returns `steps` without those whose rules are not applied.
    static func applied(_ steps: [MaskStep]) -> [MaskStep] { steps.filter { $0.rule?.isOn ?? true } }

    /// The rule that is the whole step; nil for a step without one.
    private var rule: MaskRule? {
        switch self {
        case .upperBound: .upperBound
        case .completion, .wholeCompletion: .completion
        case .missing: .missing
        case .holes: .holes
        case .groups, .wholeFigures, .contradictions: .groups
        case .behindHead: .behindHead
        case .faceFloor: .faceFloor
        case .background: .background
        case .persistence: .persistence
        case .smoothing: .smoothing
        case .softRegions: .softRegions
        case .matte, .greaterMatte, .lowerBound, .extent: nil
        }
    }
}

extension MaskRule {
    #if RULE_SWITCHES
        /// Rules that the environment variable `GST_PEOPLE_RULES_OFF` names, separated by commas.
        private static let off = Set(
            (getenv("GST_PEOPLE_RULES_OFF").map { String(cString: $0) } ?? "").split(separator: ",")
                .map(String.init))

        /// Whether the rule is applied.
        var isOn: Bool { !Self.off.contains(rawValue) }
    #else
        /// Whether the rule is applied.
        @inline(__always) var isOn: Bool { true }
    #endif
}
