import Imaging

/// Makes one mask of the people and of what else stands out of a stream's frames.
///
/// Where the detector finds people, their own mask decides about their outlines: the saliency model sees people less well, and
/// its outlines are coarse. Parts of the saliency beside them that are as narrow as the difference of two outlines are left
/// out. The rest is made to follow the image's edges.
final class SubjectSegmenter {
    /// Which parts of the saliency beside people are no mere difference of two outlines.
    private struct Beside {
        /// Saliency that counts, 0...1.
        let above: Float
        /// How far people's outlines in the saliency may lie outside of those in their mask, as a share of a side.
        let margin: Double
        /// The parts are wider than twice this, as a share of a side.
        let openingRadius: Double

        /// Things that people hold, or that stand beside them.
        static let things = Beside(above: 0.5, margin: 0.02, openingRadius: 0.02)
        /// What the saliency model is certain of, down to a raised arm that people's mask has lost.
        static let certain = Beside(above: 0.9, margin: 0.01, openingRadius: 0.006)
    }

    /// Share of the frame that people's boxes cover together from which on the image is of them: there the saliency is for
    /// what is beside them, and softening it makes no difference to street photos and finds more things behind portraits.
    private static let largePeople = 0.1
    /// How far a subject's faint edge may reach, as a share of a side.
    private static let faintEdge = 0.02
    /// Windows of 3 values of the coarse grid, and the variance of brightness (0...1) that is that of sensor noise.
    ///
    /// Chosen with `tone` on 31 images with true outlines among radii of 1 to 4 and variances of 0.0001 and 0.001: mean
    /// difference x 10^-3 along the outlines from 56 to 39 on portraits, 92 to 71 on street photos.
    private let guide = GuidedFilter(radius: 1, flatness: 0.001)
    /// The model's outlines are softer than the subjects'.
    private static let tone = LinearStep(from: 0.3, to: 0.7)

    /// The last frame's mask, upright, of the size of the people's.
    let mask = FloatImage()
    /// Coverage by people and other subjects in the model's coarse image of the frame.
    let coarse = FloatImage()
    /// Coverage by people in it.
    let people = FloatImage()
    /// The subjects of `coarse`.
    let components = ConnectedComponents()
    /// Scenes that the stream has shown.
    private(set) var scene = 0

    let saliency: SaliencyEstimator
    private let brightness = FrameBrightness()
    private let halved = FloatImage()
    private let stillness = StillnessMap()
    private let temporal = TemporalMaskFilter()
    private let motion = BlockMatcher()
    private let propagation: MaskPropagation
    /// The people who were subjects when the saliency was last computed.
    private let chosen = SubjectPeople()
    private let morphology = MorphologyFilter()
    /// The saliency without people.
    private let found = FloatImage()
    /// What the saliency is certain of beside people.
    private let certain = FloatImage()
    private let beside = FloatImage()
    private let opened = FloatImage()
    private let peopleMask = FloatImage()
    private let peopleRows = LinearResizer()
    private let certainRows = LinearResizer()

    /// Loads the model.
    init(_ setup: ModelSetup) throws(VisionError) {
        saliency = try SaliencyEstimator(setup)
        propagation = MaskPropagation(nil, motion)
    }

    /// The next frame does not follow the last.
    func reset() {
        stillness.reset()
        forget()
    }

    private func forget() {
        temporal.reset()
        propagation.reset()
        scene &+= 1
    }

    /// Segments the next frame.
    ///
    /// - Parameters:
    ///   - people: the mask of all people.
    ///   - smoothing: 0...1; the weight of the past where the image stands still.
    func segment(_ frame: InputFrame, people: SegmentedFrame, smoothing: Float) throws(VisionError) {
        propagation.limits = people.plan.profile.subjectPropagation
        try updateSaliency(frame, people.segmenter, people.plan.profile.minimumPart)
        chosen.confine(people.mask, into: peopleMask)
        try segment(frame.image, frame.orientation)
        temporal.smooth(self.mask, still: stillness.grid, strength: smoothing)
        for y in 0..<self.mask.height { self.mask.raise(row: y, to: peopleMask.row(y)) }
    }

    /// Finds what stands out of the frame, and who is in it; or lets both be as in the frame before, moved along.
    private func updateSaliency(
        _ frame: InputFrame, _ segmenter: any Segmenter, _ minimumPart: Double
    ) throws(VisionError) {
        try saliency.sample(frame.image, orientation: frame.orientation)
        halved.copy(halfOf: saliency.brightness)
        if !stillness.update(halved) { forget() }
        motion.follow(saliency.coverage, to: saliency.brightness)
        if propagation.follows(people: chosen.count) {
            return propagation.write(into: saliency.coverage)
        }
        propagation.begin()
        let people = try segmenter.people(of: frame).people
        try saliency.estimate(isSoftened: SubjectPeople.area(of: people) < Self.largePeople)
        propagation.finish(saliency.coverage)
        chosen.choose(people, saliency.coverage, minimumPart: minimumPart)
    }

    private func segment(_ image: ImageView, _ orientation: ImageOrientation) throws(VisionError) {
        found.copy(saliency.coverage)
        people.resize(width: found.width, height: found.height)
        peopleRows.resize(peopleMask, into: people)
        if people.extent(above: 0.5) != nil { keepBesidePeople() }
        findComponents()
        try refine(image, orientation, width: peopleMask.width, height: peopleMask.height)
    }

    /// Takes from `found` what is people, and their outlines.
    private func keepBesidePeople() {
        keep(.things, in: found)
        certain.copy(saliency.coverage)
        keep(.certain, in: certain)
        for y in 0..<found.height { found.raise(row: y, to: certain.row(y)) }
    }

    /// Clears from `image`, a copy of the saliency, what is no such part beside people.
    private func keep(_ parts: Beside, in image: FloatImage) {
        let margin = length(parts.margin)
        beside.copy(people)
        morphology.dilate(beside, radius: margin)
        let (values, seen) = (beside.base, saliency.coverage.base)
        for i in 0..<beside.count { values[i] = values[i] <= 0.5 && seen[i] > parts.above ? 1 : 0 }
        opened.copy(beside)
        morphology.erode(opened, radius: length(parts.openingRadius))
        components.find(in: beside, above: 0.5)
        components.measure(opened)
        var isEmpty = true
        // Of a part that is narrow everywhere the erosion leaves nothing.
        components.forEach { if $0.sum > 0 { isEmpty = false } }
        guard !isEmpty else { return image.fill(0) }
        // Up to where the people begin: things that they hold touch them.
        components.keep(distance: margin + length(Self.faintEdge), in: image) { $0.sum > 0 }
    }

    /// A share of a side of the model's image, in values.
    private func length(_ share: Double) -> Int { Int((share * Double(people.width)).rounded()) }

    /// Finds the subjects, and clears from `found` what is none: small components, and what is faint everywhere.
    private func findComponents() {
        coarse.copy(found)
        for y in 0..<coarse.height { coarse.raise(row: y, to: people.row(y)) }
        components.find(in: coarse, above: 0.5)
        components.measure(coarse)
        guard components.largestArea > 0 else { return found.fill(0) }
        let smallest = SubjectPartition.smallComponents.smallestArea(
            beside: components.largestArea, of: coarse.count)
        components.keep(distance: length(Self.faintEdge), in: found) { $0.area >= smallest }
    }

    /// Fills `mask` with `found`, made to follow the frame's edges.
    private func refine(
        _ image: ImageView, _ orientation: ImageOrientation, width: Int, height: Int
    ) throws(VisionError) {
        try brightness.sample(image, orientation: orientation, width: width, height: height)
        guide.refine(found, coarse: saliency.brightness, guide: brightness.values, into: mask)
        sharpen()
    }

    /// Sharpens the outlines of `mask`; far from everything that the saliency model is certain of there are no outlines, but
    /// doubts.
    private func sharpen() {
        certain.resize(width: found.width, height: found.height)
        let (values, seen) = (certain.base, found.base)
        for i in 0..<found.count { values[i] = seen[i] > Beside.certain.above ? 1 : 0 }
        morphology.dilate(certain, radius: length(Self.faintEdge))
        certainRows.begin(certain, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, near) = (mask.row(y), certainRows.row(y, of: certain))
            for x in 0..<mask.width { row[x] += near[x] * (Self.tone.value(row[x]) - row[x]) }
        }
    }
}
