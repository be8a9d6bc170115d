/// A step from the evidence of a frame to its mask.
package enum MaskStep: Sendable {
    /// The mask begins as the matte.
    case matte
    /// Nothing is a person far from the coarse coverage.
    case upperBound
    /// People whom the matte has lost are completed by their coarse coverage: by degrees, or wholly or not at all.
    case completion, wholeCompletion
    /// Things that only one of two mattes shows count where the coarse coverage is certain.
    case greaterMatte
    /// Pieces and holes of people that the matte misses are filled.
    case missing, holes
    /// The mask is raised to what completion, mattes, pieces and holes have gathered, whatever the upper bound is.
    case lowerBound
    /// MobileSAM decides about groups and small people, or only about those with a whole figure.
    case groups, wholeFigures
    /// MobileSAM decides about people on whom matte and coarse coverage contradict each other.
    case contradictions
    /// MobileSAM decides about things beside the head of the only person.
    case behindHead
    /// Faces that the mask shows in part are closed.
    case faceFloor
    /// Places that look like the background seen before are cleared.
    case background
    /// The extent of the people is measured, for the crop of the next frame.
    case extent
    /// Parts inside of people stay that the masks before have shown for a while.
    case persistence
    /// The mask is smoothed where the image stands still.
    case smoothing
    /// Wide soft regions become a person or none.
    case softRegions

    /// The steps of a still image, which may take longer, and before which there is nothing.
    ///
    /// The later one of two steps that contradict each other decides.
    package static let ofStills = applied([
        .matte, .upperBound,
        .wholeCompletion, .greaterMatte, .missing, .holes, .lowerBound,
        .groups, .contradictions, .behindHead, .faceFloor,
    ])

    /// The steps of a frame of a stream; `QualityProfile.omitted` names those that a level does without.
    package static let ofStreams = applied([
        .matte, .upperBound,
        .completion, .missing, .holes, .lowerBound,
        .wholeFigures, .background, .extent, .persistence, .smoothing, .softRegions,
    ])
}
