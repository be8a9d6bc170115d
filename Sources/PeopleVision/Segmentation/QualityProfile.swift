import Imaging

/// Every size, number of passes and threshold of a quality level.
///
/// Shares of a side refer to the longer side of the image that a value applies to; boxes are in the frame's unit
/// square. "Chosen on" names the images on which alternatives were compared: portraits with true mattes,
/// street photos (Clothing Co-Parsing) and everyday photos (COCO), each kept only where no set got worse.
package struct QualityProfile: Equatable, Sendable {
    /// The longer side of masks at most, in pixels; nil for the size of the coarse model.
    let longestMaskSide: Double?
    /// Runs of the matting model, the coarsest first; none where the coarse segmentation is the mask.
    let passes: [MattePass]
    /// When only some of the passes are made of a frame; nil for never.
    var spread: Spread?
    /// When a mask is taken from the one before; nil for never.
    package var propagation: Propagation?
    /// When the coverage by subjects of any kind is; nil for never.
    var subjectPropagation: Propagation?
    /// How people in groups and small people are corrected by a model that sees their boxes; nil for not at all.
    package var groups: Groups?

    /// Streaming: the coarse model alone.
    package static let fast = QualityProfile(
        longestMaskSide: nil, passes: [], subjectPropagation: Propagation(maximumFrames: 7))
    /// Video, frame by frame: one pass.
    package static let balanced = QualityProfile(
        longestMaskSide: 768, passes: [.coarse], propagation: Propagation(),
        subjectPropagation: Propagation(maximumFrames: 3), groups: Groups(needsStill: true))
    /// Photography: five passes, whose sizes and views err differently.
    package static let accurate = QualityProfile(
        longestMaskSide: 2048, passes: [.medium.mirroredToo, .fine.mirroredToo.ofEachFrame, .whole],
        spread: Spread(), groups: Groups())

    /// One run of the matting model, MODNet.
    ///
    /// Its time is in proportion to its pixels.
    struct MattePass: Equatable, Sendable {
        /// Pixels of a crop around the people; nil where the pass always covers the whole frame.
        let cropPixels: Double?
        /// Shorter side of a whole frame, in pixels; long strips count as 16:9.
        let frameSide: Double
        /// Whether the mirror image is a pass of its own.
        ///
        /// Errors that depend on places in the input differ between both: less of them flickers.
        var isMirroredToo = false

        /// This pass, with one more of the mirror image.
        var mirroredToo: MattePass {
            var both = self
            both.isMirroredToo = true
            return both
        }

        /// Whether each frame of a stream gets this pass or its mirror image's, in turns, where `Spread` leaves others out.
        var isOfEachFrame = false

        /// This pass, for each frame of a stream.
        var ofEachFrame: MattePass {
            var pass = self
            pass.isOfEachFrame = true
            return pass
        }

        /// 92 000 pixels are 120 ms of one core; 84 000 add 0.8 to the error (MAE x 10^-3) on street photos and
        /// 1.0 on portraits.
        ///
        /// A whole frame with several people at 288 costs half as much again.
        static let coarse = MattePass(cropPixels: 92_000, frameSide: 288)
        /// The first of several passes: the mask may not reach far beyond its people and those of its mirror image.
        ///
        /// Without that limit the error where something dark stands behind a head (a moving clip) is larger by 1.3, with
        /// the first pass alone as the limit a helmet is lost. 92 000 pixels add 4.2 on that clip, 0.3 on portraits before
        /// strange backgrounds and 0.2 on videos, and save a tenth of the time.
        static let medium = MattePass(cropPixels: 150_000, frameSide: 352)
        /// The second of several passes: the crop of `medium` at a larger size.
        static let fine = MattePass(cropPixels: 262_000, frameSide: 416)
        /// The whole frame at the size that the authors train and test with.
        static let whole = MattePass(cropPixels: nil, frameSide: 512)
    }

    /// When passes are made of some frames of a stream only, and their mattes move along with the image.
    ///
    /// By itself the `fine` pass errs as little as the median of all five, but for what it takes for a person wrongly; that the
    /// others outvote, and they need not be of the same frame. Where edges move slowly, two of all five take turns.
    struct Spread: Equatable, Sendable {
        /// Frames from one of the passes that not each frame has to the next; they take turns.
        ///
        /// With 1, errors and their change from frame to frame are the same within 1 %.
        let interval = 2
        /// Share of the points along the mask's edges that may be lost since the oldest of the mattes: where a point is lost, only
        /// the frame's own matte counts.
        let maximumLost = 0.3
    }

    /// Which masks move along with the image instead of being computed.
    package struct Propagation: Equatable, Sendable {
        /// Masks that are computed at the start of a scene, until the mean over time hardly depends on the first.
        let settling = 8
        /// Frames in a row; with 1 every second mask is computed.
        var maximumFrames = 1
        /// Share of the points along the mask's edges that may move by more than 1 % of the frame, or look different.
        ///
        /// On the green-screen clip it adds 3 % to the error and 5 % to its change from frame to frame; where people
        /// move by 20 of 640 pixels a frame hardly a mask is propagated. Chosen on four clips among 0.05 to 0.2.
        let maximumLost = 0.1
    }

    /// How people are found and followed.
    struct People: Equatable, Sendable {
        /// Frames from one detection to the next: a detection takes a sixth of a matting pass, and at 8 frames
        /// a second a person who enters waits half a second.
        let detectionInterval = 4
        /// Frames from one quarter of the frame that is searched for small people to the next: all are in a second.
        let searchInterval = 8
        /// Maximum number of people who are segmented each in a crop of their own; those with the largest
        /// boxes are kept.
        ///
        /// Each costs 2 ms.
        let maximumCount = 12
        /// A box starts a track at a score of 0.4 (0...1); overlaps are intersection over union.
        ///
        /// One missed detection in a row is tolerated, so that scores near the threshold do not make masks
        /// flicker.
        let tracking = BoxTracker.Limits(
            entryScore: 0.4, sameOverlap: 0.3, stillOverlap: 0.85, maximumMisses: 1)
        /// Crops are made for prominent people, and where the matte has lost one, the prior completes it.
        ///
        /// Chosen on street and everyday photos among 0.65 to 0.8; without regard to the frame's height, 0.6 adds 2 to the
        /// error on street photos and 0.7 takes 0.02 of IoU from everyday ones.
        let prominence = Prominence(share: 0.75)
    }

    /// Which people of a frame stand out.
    ///
    /// A person of height h does from h >= share * t * t on, where t is the tallest person's height, both as shares of the
    /// frame's: where one person fills the frame, only people of about that height do, and in a wide shot all do.
    struct Prominence: Equatable, Sendable {
        let share: Double

        /// Whether someone in `box` does, beside someone whose box is `tallest` of the frame high.
        func includes(_ box: Rectangle, tallest: Double) -> Bool { box.height >= share * tallest * tallest }
    }

    /// What coverage, 0...1, says of a place; chosen on all three kinds of images.
    struct Coverage: Equatable, Sendable {
        /// A person may be there, from not at all to fully.
        let possible = LinearStep(from: 0.1, to: 0.4)
        /// A person is certainly there.
        let certain = LinearStep(from: 0.6, to: 0.95)
        /// A person's outline in the coarse coverage, which is too soft, made as sharp as a mask's.
        var outline: LinearStep { LinearStep(from: possible.low, to: certain.high) }
        /// A person's outline in MobileSAM's coverage, which is less than 1 far inside people: they would be see-through.
        var figure: LinearStep { LinearStep(from: possible.middle, to: certain.middle) }
    }

    /// How a crop is laid around people, and when it stays.
    struct Crop: Equatable, Sendable {
        /// Space around the people, as a share of their extent.
        let margin = 0.05
        /// Space around one person's box for a pass of the coarse model, as a share of the box.
        ///
        /// 0.05 takes 0.008 of IoU from everyday photos.
        let personMargin = 0.1
        /// People keep this share of the crop away from its edges, or it is laid out again.
        let leeway = 0.03
        /// People extend over this share of the crop, in width and height, or it is laid out again; and a crop of more
        /// than this share of the frame's area becomes the whole frame, whose surroundings help the model.
        let fill = 0.6
        /// How far an edge that cuts a person moves outwards, as a share of the crop.
        let step = 0.3
        /// Times that a frame is matted again with a larger crop; after that the next frame has the larger one.
        let maximumRetries = 2
    }

    /// When and how MobileSAM, which is shown people's boxes, corrects a mask.
    ///
    /// It is better than MODNet on groups and on whole figures that fill little of the frame, and worse on portraits, where
    /// it takes patterns behind a head for hair (error 5 to 23 on 20 portraits). Chosen on everyday photos, with portraits
    /// and street photos kept as they are.
    package struct Groups: Equatable, Sendable {
        /// Who is one of a group; a person alone is small below this share of the frame's height.
        ///
        /// Passers-by in the background of street photos are mostly lower. 0.3 gains 0.004 of IoU on large everyday people, and
        /// concerns 27 of 101 street photos instead of 8.
        let prominence = Prominence(share: 0.5)
        /// A person alone up to this share of the frame's height is small as well where the frame does not cut the legs
        /// off: portraits are cut, and models of street photos are taller.
        let whole = 0.8
        /// The least share of the frame's height below the feet of a whole figure; with less, the frame cuts the legs off.
        ///
        /// With 0.03, figures whose feet are near the frame's edge count as cut, and passers-by behind them come in: one of
        /// 101 and four of 201 street photos (IoU 0.956 to 0.954 and 0.953 to 0.949); photos of COCO are equal.
        let ground = 0.01
        /// By how much of the frame's height the feet of people may be above those of a whole figure that is taller than `whole`,
        /// to be one of a group: farther up they are passers-by behind a model.
        let depth = 0.1
        /// Which frames MobileSAM looks at.
        let keyFrames = KeyFrames()
        /// Whether only images that stand by themselves are corrected.
        ///
        /// At `balanced`, key frames of videos leave pieces of a pattern in the masks where people walk in front of it, and
        /// three of six clips of crossing portraits get worse (MAE 12 to 53, 17 to 18, 8 to 19).
        var needsStill = false
        /// Share of a person's crop that the coarse coverage and the matte must agree on, to outvote a coverage that misses
        /// most of that: a head without its body.
        ///
        /// Worth 0.011 of IoU on large everyday people.
        let minimumAgreed: Float = 0.14
        /// Share of what the coarse coverage and the matte agree on that MobileSAM's coverage has to keep, of a person
        /// whose legs the frame cuts off; `minimumPart` of others.
        ///
        /// Such people are what the matting model was trained on. IoU on large everyday people goes from 0.783 to 0.789
        /// and from 0.704 to 0.705; it is the same within 0.003 from 0.5 to 1.
        let minimumKeptOfCut: Float = 0.7
    }

    /// For how long MobileSAM's coverage of a frame moves along with the image, instead of being computed again.
    ///
    /// Encoding a 16:9 frame takes 0.3 s of a core in int8, 0.6 s in floats.
    package struct KeyFrames: Equatable, Sendable {
        /// Seconds of the stream: people change their shape, and errors of one frame must not last.
        let maximumSeconds = 1.5
        /// Frames, where the stream tells no times: the same at 30 a second.
        package let maximumFrames = 45
        /// Frames from one key frame to the next at least, unless a person is new or the image changes.
        ///
        /// In fast motion each second frame lies between two key frames, whose masks correct its own where frames are
        /// looked ahead to. With 4, hands are lost and pieces of a pattern come in.
        package let minimumFrames = 2
        /// Share of the points along the mask's edges that the motion may have lost before then: that of `Spread`.
        let maximumLostAtFirst = Spread().maximumLost
        /// How far the mask's edges may have moved, in pixels of 512 along the longer side.
        ///
        /// In front of a pattern that stands still, blocks at an edge follow it too slowly.
        let maximumDistance: Float = 2
        /// Share of the points along the mask's edges that the motion may have lost, or that have moved farther.
        let maximumLost = 0.05
        /// Intersection over union of a person's boxes in a frame and the one before: less is another person.
        let minimumOverlap = 0.5

        /// The limits of all levels.
        package init() {}
    }

    /// How mattes and the coarse prior make a mask.
    struct Fusion: Equatable, Sendable {
        /// Takes a faint veil off the background and off people, for which MODNet leaves up to 0.05.
        let matte = LinearStep(from: 1.0 / 22, to: 21.0 / 22)
        /// Share of a person held by the matte: below the first value the coarse coverage completes it wholly,
        /// above the second not at all.
        let held = LinearStep(from: 0.5, to: 0.65)
        /// Share of a person who is not prominent held by the matte, as in `held`: the matte must hold a trace.
        ///
        /// A wider step, 0.1 to 0.4, adds 1.2 to the error on everyday photos.
        let trace = LinearStep(from: 0.1, to: 0.2)
        /// The share of the outline of a region that the matte misses which is bounded by what the matte holds, or by the
        /// frame's edge: a dark shirt before a dark wall.
        let bounded: Float = 0.7
        /// The mean of the last masks in a region that the matte misses, from which on it has been there for a while: it was in the
        /// masks of 25 frames.
        ///
        /// With one frame before as the measure, an object that a person walks past stays in the masks.
        let lasting: Float = 0.8

        /// The share of a detected face that a region holds which the matte misses, from which on it is filled in whatever its outline
        /// and size.
        ///
        /// With any overlap at all, fur and furniture behind a head that touch the face come in: MAE of five of 85 portraits grows
        /// from 3...30 to 12...61. On 40 of them 0.1 to 0.3 are equal.
        let partOfFace: Float = 0.1

        /// How far another model's coverage of a person counts where a rule says `share`, 0...1.
        ///
        /// In a still image it counts wholly or not at all, so that no person is partially transparent; in a video a person would
        /// appear from one frame to the next.
        func weight(_ share: Float, isStill: Bool) -> Float { isStill ? share.rounded() : share }
    }

    let people = People()
    let coverage = Coverage()
    let crop = Crop()
    let fusion = Fusion()
    /// How far outlines of coarse coverage may be off, as a share of the longer side: hair and hands beyond them, and gaps
    /// between legs, or between an arm and a body, within.
    ///
    /// Chosen on all three kinds of images among 0.01 to 0.06.
    let outlineTolerance = 0.015
    /// The tolerance in values of an image.
    func outlineTolerance(of image: FloatImage) -> Double {
        outlineTolerance * Double(max(image.width, image.height))
    }
    /// The least part of something that speaks for it: of a person's possible coverage that which is certain, and of what
    /// two models agree on that which a third one has.
    ///
    /// More outvotes coverage that is right, from 0.45 on.
    let minimumPart = 0.3
    /// Components of the coarse coverage that show no person, and holes and regions that the matte misses wrongly.
    ///
    /// Holes are compared with the frame, pieces with the area of the people.
    let smallComponents = SmallComponents(shareOfFrame: 0.02, shareOfLargest: 0.1)
}

/// Components that are too small to be anything.
struct SmallComponents: Equatable, Sendable {
    /// Share of the frame's area; they are smaller than this, and than `shareOfLargest`.
    let shareOfFrame: Double
    /// Share of the largest component's area.
    let shareOfLargest: Double

    /// Values that a component needs not to be one, beside one of `largest` values in an image of `count`.
    func smallestArea(beside largest: Int, of count: Int) -> Int {
        let share = min(shareOfLargest * Double(largest), shareOfFrame * Double(count))
        return max(1, Int(share.rounded(.up)))
    }
}

extension Rectangle {
    /// The extent of a component of an image of `width` x `height`, in its unit square.
    init(_ component: ConnectedComponents.Component, width: Int, height: Int) {
        let (w, h) = (Double(width), Double(height))
        self.init(
            x: Double(component.left) / w, y: Double(component.top) / h,
            width: Double(component.right - component.left) / w,
            height: Double(component.bottom - component.top) / h)
    }
}
