import Imaging

/// The sizes, numbers of passes and thresholds of a quality level.
///
/// Shares of a side refer to the longer side of the image that a value applies to; boxes are in the frame's
/// unit square. "Chosen on" names the images on which alternatives were compared: portraits with true mattes,
/// street photos (Clothing Co-Parsing) and everyday photos (COCO). A value was kept only where no set got
/// worse.
package struct QualityProfile: Equatable, Sendable {
    /// Maximum length of the longer side of masks, in pixels; nil for the size of the coarse model.
    let longestMaskSide: Double?
    /// Passes of the matting model, the coarsest first; none where the coarse segmentation is the mask.
    let passes: [MattePass]
    /// Rules for frames that get only some of the passes; nil where every frame gets all.
    var spread: PassSchedule?
    /// Limits within which a mask is moved from the frame before; nil where every mask is computed.
    package var propagation: Propagation?
    /// Limits within which coverage by subjects of any kind is moved likewise; nil where it is always computed.
    var subjectPropagation: Propagation?
    /// Rules for the correction of groups and small people by a model that sees their boxes; nil for no
    /// correction.
    package var groups: Groups?

    /// Streaming: the coarse model alone.
    package static let fast = QualityProfile(
        longestMaskSide: nil, passes: [], subjectPropagation: Propagation(maximumFrames: 7))
    /// Video, frame by frame: one pass.
    package static let balanced = QualityProfile(
        longestMaskSide: 768, passes: [.coarse], propagation: Propagation(),
        subjectPropagation: Propagation(maximumFrames: 3), groups: Groups(needsStill: true))
    /// Photography: five passes, whose sizes and views have different errors.
    package static let accurate = QualityProfile(
        longestMaskSide: 2048, passes: [.medium.mirroredToo, .fine.mirroredToo.ofEachFrame, .whole],
        spread: PassSchedule(), groups: Groups())

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
    /// takes for a person. The other passes outvote these, and need not be of the same frame. Where edges
    /// move slowly, two of all five passes take turns.
    struct PassSchedule: Equatable, Sendable {
        /// Frames from one of the passes that not every frame has to the next; these passes take turns.
        ///
        /// With 1, errors and their change from frame to frame are the same within 1 %.
        let interval = 2
        /// Maximum share of the points along the mask's edges that are lost since the oldest of the mattes.
        ///
        /// At a lost point, only the frame's own matte counts.
        let maximumLost = 0.3
    }

    /// Limits within which a mask moves along with the image instead of being computed.
    package struct Propagation: Equatable, Sendable {
        /// Number of masks computed at the start of a scene, until the mean over time hardly depends on the
        /// first.
        let settling = 8
        /// Maximum number of moved masks in a row; with 1 every second mask is computed.
        var maximumFrames = 1
        /// Maximum share of the points along the mask's edges that move by more than 1 % of the frame, or
        /// look different.
        ///
        /// On the green-screen clip it adds 3 % to the error and 5 % to its change from frame to frame; where
        /// people move by 20 of 640 pixels a frame hardly a mask is propagated. Chosen on four clips among
        /// 0.05 to 0.2.
        let maximumLost = 0.1
    }

    /// Rules for finding and following people.
    struct People: Equatable, Sendable {
        /// Frames from one detection to the next.
        ///
        /// A detection takes a sixth of a matting pass, and at 8 frames a second a person who enters waits
        /// half a second.
        let detectionInterval = 4
        /// Frames from one search of a quarter of the frame for small people to the next; a second has all
        /// quarters.
        let searchInterval = 8
        /// Maximum number of people with a crop of their own; those with the largest boxes are kept.
        ///
        /// Each costs 2 ms.
        let maximumCount = 12
        /// Limits of tracks: a box starts a track at a score of 0.4 (0...1); overlaps are intersection over
        /// union.
        ///
        /// One missed detection in a row is tolerated, so that scores near the threshold do not make masks
        /// flicker.
        let tracking = BoxTracker.Limits(
            entryScore: 0.4, sameOverlap: 0.3, stillOverlap: 0.85, maximumMisses: 1)
        /// Prominence of people who get crops, and whom the prior completes where the matte has lost them.
        ///
        /// Chosen on street and everyday photos among 0.65 to 0.8; without regard to the frame's height, 0.6
        /// adds 2 to the error on street photos and 0.7 takes 0.02 of IoU from everyday ones.
        let prominence = Prominence(share: 0.75)
    }

    /// The rule for people who stand out in a frame.
    ///
    /// A person of height h stands out if h >= share * t * t, where t is the tallest person's height, both as
    /// shares of the frame's height. Where one person fills the frame, only people of about the same height
    /// stand out; in a wide shot all do.
    struct Prominence: Equatable, Sendable {
        let share: Double

        /// Whether a person in `box` stands out next to a person whose box is `tallest` of the frame high.
        func includes(_ box: Rectangle, tallest: Double) -> Bool { box.height >= share * tallest * tallest }
    }

    /// Thresholds of coverage, 0...1; chosen on all three kinds of images.
    struct Coverage: Equatable, Sendable {
        /// Possible presence of a person, from not at all to fully.
        let possible = LinearStep(from: 0.1, to: 0.4)
        /// Certain presence of a person.
        let certain = LinearStep(from: 0.6, to: 0.95)
        /// The outline of a person in the coarse coverage, which is too soft, made as sharp as a mask's.
        var outline: LinearStep { LinearStep(from: possible.low, to: certain.high) }
        /// The outline of a person in MobileSAM's coverage.
        ///
        /// The coverage is less than 1 far inside people, who would be see-through without this step.
        var figure: LinearStep { LinearStep(from: possible.middle, to: certain.middle) }
    }

    /// Rules for placing a crop around people, and for keeping it.
    struct Crop: Equatable, Sendable {
        /// Space around the people, as a share of their extent.
        let margin = 0.05
        /// Space around one person's box for a pass of the coarse model, as a share of the box.
        ///
        /// 0.05 takes 0.008 of IoU from everyday photos.
        let personMargin = 0.1
        /// Minimum distance of people from the crop's edges, as a share of the crop; with less, the crop is
        /// replaced.
        let leeway = 0.03
        /// Minimum extent of people as a share of the crop, in width and height; with less, the crop is
        /// replaced.
        ///
        /// A crop of more than this share of the frame's area becomes the whole frame, whose surroundings
        /// help the model.
        let fill = 0.6
        /// Distance by which an edge that cuts a person moves outwards, as a share of the crop.
        let step = 0.3
        /// Maximum number of times that a frame is matted again with a larger crop; then the next frame has
        /// the larger one.
        let maximumRetries = 2
    }

    /// Rules for the correction of a mask by MobileSAM, which gets people's boxes.
    ///
    /// MobileSAM is better than MODNet on groups and on whole figures that fill little of the frame, and
    /// worse on portraits, where it takes patterns behind a head for hair (error 5 to 23 on 20 portraits).
    /// Chosen on everyday photos, with portraits and street photos kept as they are.
    package struct Groups: Equatable, Sendable {
        /// Prominence of a member of a group.
        ///
        /// Passers-by in the background of street photos are mostly lower. 0.3 gains 0.004 of IoU on large
        /// everyday people, and concerns 27 of 101 street photos instead of 8.
        let prominence = Prominence(share: 0.5)
        /// Height up to which a single person counts as small where the frame does not cut the legs off, as a
        /// share of the frame's.
        ///
        /// Portraits are cut, and models of street photos are taller.
        let whole = 0.8
        /// Minimum share of the frame's height below the feet of a whole figure; with less, the frame cuts
        /// the legs off.
        ///
        /// With 0.03, figures whose feet are near the frame's edge count as cut, and passers-by behind them
        /// come in: one of 101 and four of 201 street photos (IoU 0.956 to 0.954 and 0.953 to 0.949);
        /// photos of COCO are equal.
        let ground = 0.01
        /// Maximum distance of a group member's feet above those of a whole figure taller than `whole`, as a
        /// share of the frame's height.
        ///
        /// People farther up are passers-by behind a model.
        let depth = 0.1
        /// Rules for the frames that MobileSAM sees.
        let keyFrames = KeyFrames()
        /// Whether only still images are corrected.
        ///
        /// At `balanced`, key frames of videos leave pieces of a pattern in the masks where people walk in
        /// front of it, and three of six clips of crossing portraits get worse (MAE 12 to 53, 17 to 18, 8 to
        /// 19).
        var needsStill = false
        /// Minimum share of a person's crop on which the coarse coverage and the matte agree, to outvote
        /// another coverage.
        ///
        /// The outvoted coverage misses most of the agreed one: a head without its body. Worth 0.011 of IoU
        /// on large everyday people.
        let minimumAgreed: Float = 0.14
        /// Minimum share of the agreed coverage that MobileSAM's keeps, for a person whose legs the frame
        /// cuts off.
        ///
        /// For others it is `minimumPart`. The matting model was trained on people who are cut off. IoU on
        /// large everyday people goes from 0.783 to 0.789 and from 0.704 to 0.705; it is the same within
        /// 0.003 from 0.5 to 1.
        let minimumKeptOfCut: Float = 0.7
    }

    /// Limits within which MobileSAM's coverage of a frame moves along with the image instead of being
    /// computed again.
    ///
    /// Encoding a 16:9 frame takes 0.3 s of a core in int8, 0.6 s in floats.
    package struct KeyFrames: Equatable, Sendable {
        /// Maximum age in seconds of the stream: people change their shape, and errors of one frame must not
        /// last.
        let maximumSeconds = 1.5
        /// Maximum age in frames, where the stream has no times: the same at 30 a second.
        package let maximumFrames = 45
        /// Minimum number of frames from one key frame to the next, unless a person is new or the image
        /// changes.
        ///
        /// In fast motion each second frame lies between two key frames, whose masks correct it with
        /// lookahead. With 4, hands are lost and pieces of a pattern come in.
        package let minimumFrames = 2
        /// Maximum share of the points along the mask's edges that the motion loses before
        /// `minimumFrames`: that of `PassSchedule`.
        let maximumLostAtFirst = PassSchedule().maximumLost
        /// Maximum motion of the mask's edges, in pixels of 512 along the longer side.
        ///
        /// In front of a pattern that stands still, blocks at an edge follow the edge too slowly.
        let maximumDistance: Float = 2
        /// Maximum share of the points along the mask's edges that the motion loses, or that move farther
        /// than `maximumDistance`.
        let maximumLost = 0.05
        /// Minimum intersection over union of a person's boxes in a frame and the one before; with less it is
        /// another person.
        let minimumOverlap = 0.5

        /// Creates the limits of all levels.
        package init() {}
    }

    /// Rules for combining mattes and the coarse prior into a mask.
    struct Fusion: Equatable, Sendable {
        /// Tone curve that removes a faint veil from the background and from people, up to 0.05 in MODNet's
        /// mattes.
        let matte = LinearStep(from: 1.0 / 22, to: 21.0 / 22)
        /// Share of a person in the matte: below the first value the coarse coverage completes it wholly,
        /// above the second not at all.
        let shareInMatte = LinearStep(from: 0.5, to: 0.65)
        /// Share of a person who is not prominent in the matte, as in `shareInMatte`: the matte must have a trace of
        /// the person.
        ///
        /// A wider step, 0.1 to 0.4, adds 1.2 to the error on everyday photos.
        let trace = LinearStep(from: 0.1, to: 0.2)
        /// Minimum share of a missing region's outline that is bounded by the matte or by the frame's edge: a
        /// dark shirt before a dark wall.
        let bounded: Float = 0.7
        /// Minimum mean of the last masks in a missing region that has been there for a while: it was in the
        /// masks of 25 frames.
        ///
        /// With one frame before as the measure, an object that a person walks past stays in the masks.
        let lasting: Float = 0.8

        /// Minimum share of a detected face in a missing region that is filled in whatever its outline and
        /// size.
        ///
        /// With any overlap at all, fur and furniture behind a head that touch the face come in: MAE of
        /// five of 85 portraits grows from 3...30 to 12...61. On 40 of them 0.1 to 0.3 are equal.
        let partOfFace: Float = 0.1

        /// Returns the weight of another model's coverage of a person for which a rule gives `share`, 0...1.
        ///
        /// In a still image the weight is 0 or 1, so that no person is partially transparent; in a video a
        /// person would then appear from one frame to the next.
        func weight(_ share: Float, isStill: Bool) -> Float {
            isStill && MaskRule.wholeInStills.isOn ? share.rounded() : share
        }
    }

    let people = People()
    let coverage = Coverage()
    let crop = Crop()
    let fusion = Fusion()
    /// Tolerance of outlines of coarse coverage, as a share of the longer side.
    ///
    /// Hair and hands lie beyond the outlines; gaps between legs, or between an arm and a body, within.
    /// Chosen on all three kinds of images among 0.01 to 0.06.
    let outlineTolerance = 0.015
    /// Returns the tolerance in values of an image.
    func outlineTolerance(of image: FloatImage) -> Double {
        outlineTolerance * Double(max(image.width, image.height))
    }
    /// Minimum supporting fraction.
    ///
    /// It applies to the certain part of a person's possible coverage, and to a third model's part of the
    /// coverage on which two models agree. Higher values outvote coverage that is right, from 0.45 on.
    let minimumPart = 0.3
    /// Limits of components of the coarse coverage that show no person, and of holes and regions that the
    /// matte misses wrongly.
    ///
    /// Holes are compared with the frame, pieces with the area of the people.
    let smallComponents = SmallComponents(shareOfFrame: 0.02, shareOfLargest: 0.1)
}

/// Limits of components that are treated as noise.
struct SmallComponents: Equatable, Sendable {
    /// Share of the frame's area; noise is smaller than this, and than `shareOfLargest`.
    let shareOfFrame: Double
    /// Share of the largest component's area.
    let shareOfLargest: Double

    /// Returns the smallest area that is not treated as noise, next to one of `largest` values in an image of
    /// `count`.
    func smallestArea(beside largest: Int, of count: Int) -> Int {
        let share = min(shareOfLargest * Double(largest), shareOfFrame * Double(count))
        return max(1, Int(share.rounded(.up)))
    }
}

extension Rectangle {
    /// Creates the extent of a component of an image of `width` x `height`, in its unit square.
    init(_ component: ConnectedComponents.Component, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(
            x: Double(component.left) / w, y: Double(component.top) / h,
            width: Double(component.right - component.left) / w,
            height: Double(component.bottom - component.top) / h)
    }
}
