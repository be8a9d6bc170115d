package import Imaging

/// Limits within which an image of an earlier frame, moved along, takes the place of a new one.
///
/// `MovingImage.isUsable` applies them, to masks (`MaskPropagation`), mattes (`MatteEstimator`) and MobileSAM's figures
/// (`KeyFrame`). Two moving images need none: what `MaskHistory` remembers never takes the place of a mask, and
/// `LookaheadSegmenter` moves masks by a frame or two, and uses the frame's own value where the image does not match.
package struct MotionLimits: Equatable, Sendable {
    /// Maximum number of frames since the image's own.
    var frames = Int.max
    /// Time since the image's own frame, in seconds of the stream, at which the image is too old.
    ///
    /// Thirty frames a second are assumed where the stream has no times.
    var seconds = Double.infinity
    /// Maximum share of the points along the last mask's edges that have been lost since the image's own frame, or
    /// have moved farther than `distance`.
    let lost: Double
    /// Maximum distance that a point may move, in pixels of the images that the motion was found in.
    var distance = Float.infinity
}

extension MotionLimits {
    /// Limits of masks in the place of computed ones: every second mask is computed.
    ///
    /// Points are lost that move by more than 1 % of the frame, 5 of 512 pixels: with 6 the flicker of a girl's hair grows
    /// by a quarter. On the green-screen clip moving adds 3 % to the error and 5 % to its change from frame to frame;
    /// where people move by 20 of 640 pixels a frame hardly a mask is moved. Chosen on four clips among losses of 0.05 to
    /// 0.2.
    static let mask = MotionLimits(frames: 1, lost: 0.1, distance: 5)
    /// Limits of such masks at `accurate`, whose passes cost more: people hardly move.
    ///
    /// Points are lost that move by more than a pixel of 512. Fourteen clips with truth: MAE +1.2 % on average, for half of the
    /// time where people rest; with 2 pixels it is +4.6 %.
    static let restingMask = MotionLimits(frames: mask.frames, lost: figure.lost, distance: 1)
    /// Limits of coverage by subjects of any kind, at `balanced` and at `fast`.
    static let (subjects, fastSubjects) = (
        MotionLimits(frames: 3, lost: mask.lost), MotionLimits(frames: 7, lost: mask.lost)
    )
    /// Limits of mattes beside the frame's own, which alone counts at a lost point.
    static let matte = MotionLimits(lost: 0.3)
    /// Limits of MobileSAM's figures: people change their shape, and errors of one frame must not last.
    ///
    /// Encoding a 16:9 frame takes 0.3 s of a core in int8, 0.6 s in floats. In front of a pattern that stands still,
    /// blocks at an edge follow the edge too slowly, so that the distance counts: 2 of 512 pixels along the longer side.
    static let figure = MotionLimits(seconds: 1.5, lost: 0.05, distance: 2)
    /// Limits of MobileSAM's figures in the first frame after their own.
    ///
    /// In fast motion each second frame lies between two key frames, whose masks correct it with lookahead. With
    /// these limits for three frames, hands are lost and pieces of a pattern come in.
    static let newFigure = MotionLimits(seconds: figure.seconds, lost: matte.lost)
}

extension MovingImage {
    /// Whether the image, moved to the last frame, may take the place of a new one.
    ///
    /// - Parameters:
    ///   - matcher: the motion to the last frame, along the edges of the mask of the frame before.
    ///   - now: the time of the last frame, in nanoseconds of the stream; nil if unknown.
    package func isUsable(
        within limits: MotionLimits, along matcher: BlockMatcher, at now: UInt64? = nil
    ) -> Bool {
        if age == 0 { return true }
        guard age <= limits.frames, isYounger(than: limits.seconds, at: now) else { return false }
        return lostShare(along: matcher, beyond: limits.distance) <= limits.lost
    }

    private func isYounger(than seconds: Double, at now: UInt64?) -> Bool {
        guard let now, let time else { return Double(age) * InputFrame.usualSeconds < seconds }
        return now >= time && Double(now - time) < seconds * 1e9
    }
}
