import Imaging

/// The sizes and passes of a quality level.
///
/// Numbers of a rule stand with the rule, and those of several rules in `CoverageLimits`.
package struct QualityProfile: Equatable, Sendable {
    /// Maximum length of the longer side of masks, in pixels; nil for the size of the coarse model.
    let longestMaskSide: Double?
    /// Passes of the matting model, the coarsest first; none where the coarse segmentation is the mask.
    let passes: [MattePass]
    /// Rules for frames that get only some of the passes; nil where every frame gets all.
    var spread: PassSchedule?
    /// Whether a camera's frames go on while their masks are computed beside the stream.
    var computesBesideCamera = false
    /// Limits within which a mask is moved from the frame before; nil where every mask is computed.
    package var propagation: MotionLimits?
    /// Limits within which coverage by subjects of any kind is moved likewise; nil where it is always computed.
    var subjectPropagation: MotionLimits?
    /// Steps that masks of streams do without.
    var omitted: [MaskStep] = []

    /// Streaming: the coarse model alone.
    package static let fast = QualityProfile(
        longestMaskSide: nil, passes: [], subjectPropagation: .fastSubjects)
    /// Video, frame by frame: one pass.
    ///
    /// MobileSAM corrects still images only. In key frames of videos it leaves pieces of a pattern in the masks where people walk
    /// in front of it, and three of six clips of crossing portraits get worse (MAE 12 to 53, 17 to 18, 8 to 19).
    package static let balanced = QualityProfile(
        longestMaskSide: 768, passes: [.coarse], computesBesideCamera: true, propagation: .mask,
        subjectPropagation: .subjects, omitted: [.wholeFigures])
    /// Photography: five passes, whose sizes and views have different errors.
    ///
    /// Their median rejects already what a memory of the background would.
    package static let accurate = QualityProfile(
        longestMaskSide: 2048, passes: [.medium.mirroredToo, .fine.mirroredToo.ofEachFrame, .whole],
        spread: PassSchedule(), propagation: .restingMask, omitted: [.background])

    /// A pass of the matting model, MODNet.
    ///
    /// The time of a pass is in proportion to its pixels.
    struct MattePass: Equatable, Sendable {
        let region: Region
        /// Whether the mirror image is a pass of its own.
        ///
        /// Errors that depend on places in the input differ between the two passes, so they flicker less.
        var isMirroredToo = false

        /// This pass, with another pass of the mirror image.
        var mirroredToo: MattePass {
            var both = self
            both.isMirroredToo = true
            return both
        }

        /// Whether each frame of a stream gets this pass or that of its mirror image, in turns, where
        /// `PassSchedule` omits others.
        var isOfEachFrame = false

        /// This pass, for each frame of a stream.
        var ofEachFrame: MattePass {
            var pass = self
            pass.isOfEachFrame = true
            return pass
        }

        /// Part of the frame that a pass shows, and the size at which the model sees it.
        enum Region: Equatable, Sendable {
            /// A crop around the people, or the frame that one person fills, of so many pixels.
            ///
            /// The shorter side of the frame that several people fill has `groupSide` pixels: each of them is smaller than one
            /// person would be.
            case people(pixels: Double, groupSide: Double)
            /// The frame, whose shorter side has so many pixels; long strips count as 16:9.
            case frame(shortSide: Double)
        }

        /// 92 000 pixels are 120 ms of one core; 84 000 add 0.8 to the error (MAE x 10^-3) on street photos and
        /// 1.0 on portraits.
        ///
        /// A whole frame with several people at 288 costs half as much again; with 92 000 pixels a man of the packaged clip
        /// loses an arm and his hips (13.2 s on).
        static let coarse = MattePass(region: .people(pixels: 92_000, groupSide: 288))
        /// The first of several passes: the mask may not reach far beyond the people of this pass
        /// and those of its mirror image.
        ///
        /// Without that limit the error where something dark stands behind a head (a moving clip) is larger
        /// by 1.3; with the first pass alone as the limit a helmet is lost. 92 000 pixels add 4.2 on that
        /// clip, 0.3 on portraits before strange backgrounds and 0.2 on videos, and save a tenth of the time.
        static let medium = MattePass(region: .people(pixels: 150_000, groupSide: 352))
        /// The second of several passes: the crop of `medium` at a larger size.
        static let fine = MattePass(region: .people(pixels: 262_000, groupSide: 416))
        /// The whole frame at the size that the authors train and test with.
        static let whole = MattePass(region: .frame(shortSide: 512))
    }

    /// Rules for passes that only some frames of a stream get; their mattes move along with the image.
    ///
    /// The `fine` pass alone errs as little as the median of all five, except for things that it wrongly
    /// takes for a person. The other passes outvote these, and need not be of the same frame.
    struct PassSchedule: Equatable, Sendable {
        /// Frames from one of the passes that not every frame has to the next; these passes take turns.
        ///
        /// With 1, errors and their change from frame to frame are the same within 1 %.
        let interval = 2
        /// The same, where edges move slowly.
        ///
        /// Two of all five passes in each frame, in turns, cost 1.4 times as much, and flicker more.
        let slowInterval = 3
    }
}
