package import Imaging

/// Makes one mask of the people and of other things that stand out of a stream's frames.
///
/// If the detector finds people, their own mask determines their outlines: the saliency model sees people
/// less well, and its outlines are coarse. Parts of the saliency beside them are left out if they are as
/// narrow as the difference of two outlines. The rest is fitted to the image's edges.
final class SubjectSegmenter {
    /// Rules for parts of the saliency beside people that are more than the difference of two outlines.
    private struct PartLimits {
        /// Minimum saliency that counts, 0...1.
        let above: Float
        /// Distance of people's outlines in the saliency outside of those in their mask, as a share of a
        /// side.
        let margin: Double
        /// Half of the parts' minimum width, as a share of a side.
        let openingRadius: Double

        /// Rules for things that people hold, or that stand beside them.
        static let things = PartLimits(above: 0.5, margin: 0.02, openingRadius: 0.02)
        /// Rules for parts that the saliency model is certain of, down to a raised arm that people's mask has
        /// lost.
        static let certain = PartLimits(above: 0.9, margin: 0.01, openingRadius: 0.006)
    }

    /// Half of the minimum width of a thing beside people, as a share of a side.
    static let thingRadius = PartLimits.things.openingRadius
    /// Minimum share of the frame that people's boxes cover in an image of people.
    ///
    /// There the saliency is for things beside the people. Softening it makes no difference to street photos,
    /// and finds more things behind portraits.
    private static let largePeople = 0.1
    /// Reach of a subject's faint edge, as a share of a side.
    private static let faintEdge = 0.02
    /// Windows of 3 values of the coarse grid; the variance of brightness (0...1) is that of sensor noise.
    ///
    /// Chosen with `tone` on 31 images with true outlines among radii of 1 to 4 and variances of 0.0001 and
    /// 0.001: mean difference x 10^-3 along the outlines from 56 to 39 on portraits, 92 to 71 on street
    /// photos.
    private let guide = GuidedFilter(radius: 1, flatness: 0.001)
    /// Tone curve of the mask: the model's outlines are softer than the subjects'.
    private static let tone = LinearStep(from: 0.3, to: 0.7)

    /// The last frame's mask, upright, of the size of the people's mask.
    let mask = FloatImage()
    /// Coverage by people and other subjects in the model's coarse image of the frame.
    let coarse = FloatImage()
    /// Coverage by people in the same coarse image.
    let people = FloatImage()
    /// The subjects of `coarse`.
    let components = ConnectedComponents()
    /// Number of people who were subjects when the saliency was last computed.
    var peopleCount: Int { chosen.count }
    /// A refinement that moves seams to the edges of the last frame.
    var seams: SeamRefinement { SeamRefinement(coarse: saliency.brightness, fine: brightness.values) }
    /// Whether the saliency of the frame that was observed last is to be computed.
    private var isDue = true
    /// Number of scenes that the stream has shown.
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
    /// Coverage beside people that the saliency is certain of.
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

    /// Forgets the last frame, as the next one does not follow it.
    func reset() {
        stillness.reset()
        forget()
    }

    private func forget() {
        temporal.reset()
        propagation.reset()
        scene &+= 1
    }

    /// Looks at the next frame, before `segment`.
    ///
    /// - Parameter limits: limits within which the saliency moves along instead of being computed.
    /// - Returns: whether the saliency is to be computed, for which each person's coverage is needed.
    func observe(
        _ frame: InputFrame, _ limits: MotionLimits?
    ) throws(VisionError) -> Bool {
        propagation.limits = limits
        try saliency.sample(frame.image, orientation: frame.orientation)
        halved.copy(halfOf: saliency.brightness)
        if !stillness.update(halved) { forget() }
        motion.follow(saliency.coverage, to: saliency.brightness)
        isDue = !propagation.follows(people: chosen.count)
        return isDue
    }

    /// Segments the frame that was observed last.
    ///
    /// - Parameters:
    ///   - people: the people of the frame, with each one's coverage if the saliency is to be computed.
    ///   - smoothing: 0...1; the weight of the past where the image stands still.
    func segment(_ frame: InputFrame, people: SegmentedFrame, smoothing: Float) throws(VisionError) {
        try updateSaliency(people.people)
        chosen.confine(people.mask, into: peopleMask)
        try segment(frame.image, frame.orientation)
        temporal.smooth(self.mask, still: stillness.grid, strength: smoothing)
        for y in 0..<self.mask.height { self.mask.raise(row: y, to: peopleMask.row(y)) }
    }

    /// Computes the saliency of the frame and chooses its people, or moves the saliency of the frame before.
    private func updateSaliency(_ found: SegmentedPeople?) throws(VisionError) {
        guard isDue, let people = found?.people else { return propagation.write(into: saliency.coverage) }
        propagation.begin()
        try saliency.estimate(isSoftened: SubjectPeople.area(of: people) < Self.largePeople)
        propagation.finish(saliency.coverage)
        chosen.choose(people, saliency.coverage, minimumPart: CoverageLimits.minimumPart)
    }

    private func segment(_ image: ImageView, _ orientation: ImageOrientation) throws(VisionError) {
        found.copy(saliency.coverage)
        people.resize(width: found.width, height: found.height)
        peopleRows.resize(peopleMask, into: people)
        if people.extent(above: 0.5) != nil { keepBesidePeople() }
        findComponents()
        try refine(image, orientation, width: peopleMask.width, height: peopleMask.height)
    }

    /// Removes people and their outlines from `found`.
    private func keepBesidePeople() {
        keep(.things, in: found)
        certain.copy(saliency.coverage)
        keep(.certain, in: certain)
        for y in 0..<found.height { found.raise(row: y, to: certain.row(y)) }
    }

    /// Clears parts too narrow to be objects, and people, from `image`, a copy of the saliency.
    private func keep(_ parts: PartLimits, in image: FloatImage) {
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
        // The erosion leaves nothing of a part that is narrow everywhere.
        components.forEach { if $0.sum > 0 { isEmpty = false } }
        guard !isEmpty else { return image.fill(0) }
        // The parts extend up to the people: things that people hold touch them.
        components.keep(distance: margin + length(Self.faintEdge), in: image) { $0.sum > 0 }
    }

    /// Returns a share of a side of the model's image, in values.
    private func length(_ share: Double) -> Int { Int((share * Double(people.width)).rounded()) }

    /// Finds the subjects, and clears small components and faint areas from `found`.
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

    /// Fills `mask` with `found`, fitted to the frame's edges.
    private func refine(
        _ image: ImageView, _ orientation: ImageOrientation, width: Int, height: Int
    ) throws(VisionError) {
        try brightness.sample(
            image, region: .orientation(orientation), width: width, height: height)
        guide.refine(found, coarse: saliency.brightness, guide: brightness.values, into: mask)
        sharpen()
    }

    /// Sharpens the outlines of `mask` near places that the saliency model is certain of.
    ///
    /// Elsewhere soft values are not outlines, but doubts.
    private func sharpen() {
        certain.resize(width: found.width, height: found.height)
        let (values, seen) = (certain.base, found.base)
        for i in 0..<found.count { values[i] = seen[i] > PartLimits.certain.above ? 1 : 0 }
        morphology.dilate(certain, radius: length(Self.faintEdge))
        certainRows.begin(certain, width: mask.width, height: mask.height)
        for y in 0..<mask.height {
            let (row, near) = (mask.row(y), certainRows.row(y, of: certain))
            for x in 0..<mask.width { row[x] += near[x] * (Self.tone.value(row[x]) - row[x]) }
        }
    }
}

/// Decides which of a frame's people are subjects, and confines the mask of all people to them.
///
/// A person is a subject if the saliency model covers a part of that person: spectators are none. If it
/// covers no part of anyone, all people are subjects, unless it covers something larger than all of them,
/// such as a car beside which they stand.
package final class SubjectPeople {
    /// Reach of the people's own mask beyond their box, as a share of its size: hands, and things that they
    /// hold.
    ///
    /// Elsewhere it does not count: models of people find some in patterns and animals.
    private static let boxMargin = 0.2
    /// Minimum saliency of a place that counts as covered, 0...1.
    private static let seen: Float = 0.5

    /// Minimum share of a person that the saliency covers, from which on that person's own coverage counts
    /// beside others.
    private static let wellSeen = 0.7
    /// Reach of a subject beyond the saliency, as a share of a side, where people beside it are no subjects.
    private static let margin = 0.02

    /// Number of people who are subjects.
    package var count: Int { reach.count }
    /// Boxes around the subjects, and things that they may hold.
    private var reach: [Rectangle] = []
    /// The share of each person that the saliency covers.
    private var parts: [Double] = []
    /// Places where people who are subjects may be, and coverage by others; at the saliency's size.
    private let (subjects, others) = (FloatImage(), FloatImage())
    /// Coverage by people who are subjects, at the saliency's size.
    private let chosen = FloatImage()
    private var hasOthers = false
    private let crops = CropResizer()
    private let salience = FloatImage()
    private let paste = FeatheredPaste()
    private let morphology = MorphologyFilter()
    private let (subjectRows, otherRows) = (LinearResizer(), LinearResizer())
    private let chosenRows = LinearResizer()

    /// Creates an object without people.
    package init() {}

    /// Chooses subjects among a frame's people.
    ///
    /// - Parameters:
    ///   - saliency: coverage by everything that stands out of the frame.
    ///   - minimumPart: the minimum share of a person that the saliency covers.
    package func choose(
        _ people: ArraySlice<PersonPrior.Person>, _ saliency: FloatImage, minimumPart: Double
    ) {
        parts.removeAll(keepingCapacity: true)
        for person in people {
            parts.append(person.person.isDetected ? part(of: person, seenIn: saliency) : 0)
        }
        let isAnyoneSeen = (parts.max() ?? 0) >= minimumPart
        let least = isAnyoneSeen ? minimumPart : 0
        begin(saliency)
        if !isAnyoneSeen, isLarger(saliency, than: people) { return }
        for (person, part) in zip(people, parts) where person.person.isDetected {
            if part >= least {
                reach.append(person.person.box.grown(by: Self.boxMargin))
                add(person, to: chosen)
                if part >= Self.wellSeen { add(person, to: subjects) }
            } else {
                hasOthers = true
                add(person, to: others)
            }
        }
    }

    /// Returns the share of the frame that boxes of detected people cover together.
    static func area(of people: ArraySlice<PersonPrior.Person>) -> Double {
        people.reduce(0) { $0 + ($1.person.isDetected ? $1.person.box.area : 0) }
    }

    /// Whether the saliency covers more of the frame than the boxes of all people together.
    private func isLarger(_ saliency: FloatImage, than people: ArraySlice<PersonPrior.Person>) -> Bool {
        var seen = 0
        for i in 0..<saliency.count where saliency.base[i] > Self.seen { seen &+= 1 }
        return Double(seen) > Self.area(of: people) * Double(saliency.count)
    }

    private func begin(_ saliency: FloatImage) {
        hasOthers = false
        reach.removeAll(keepingCapacity: true)
        subjects.copy(saliency)
        for i in 0..<subjects.count { subjects.base[i] = subjects.base[i] > Self.seen ? 1 : 0 }
        morphology.dilate(subjects, radius: Int((Self.margin * Double(saliency.width)).rounded()))
        for image in [chosen, others] {
            image.resize(width: saliency.width, height: saliency.height)
            image.fill(0)
        }
    }

    private func add(_ person: PersonPrior.Person, to image: FloatImage) {
        let coverage = person.coverage
        paste.add(
            UnsafeBufferPointer(coverage.values), width: coverage.width, height: coverage.height,
            crop: person.crop, to: image)
    }

    /// Returns the share of a person that the saliency covers, 0...1.
    private func part(of person: PersonPrior.Person, seenIn saliency: FloatImage) -> Double {
        let coverage = person.coverage
        salience.resize(width: coverage.width, height: coverage.height)
        crops.resize(person.crop, of: saliency, into: salience)
        var (all, seen) = (0, 0)
        let (values, salient, count) = (coverage.base, salience.base, coverage.count)
        for i in 0..<count where values[i] > 0.5 {
            all &+= 1
            seen &+= salient[i] > Self.seen ? 1 : 0
        }
        return all > 0 ? Double(seen) / Double(all) : 0
    }

    /// Writes the subjects' part of `mask`, the mask of all people, into `target`.
    package func confine(_ mask: FloatImage, into target: FloatImage) {
        target.resize(width: mask.width, height: mask.height)
        target.fill(0)
        for box in reach {
            let area = PixelRect(box, width: mask.width, height: mask.height)
            for y in area.y..<(area.y + area.height) {
                (target.row(y) + area.x).update(from: mask.row(y) + area.x, count: area.width)
            }
        }
        if hasOthers { removeOthers(from: target) }
    }

    /// Clears values of another person, or of a person who is no subject.
    ///
    /// Saliency alone makes no part of another person a subject: that part would end at a side of `reach`.
    private func removeOthers(from target: FloatImage) {
        subjectRows.begin(subjects, width: target.width, height: target.height)
        chosenRows.begin(chosen, width: target.width, height: target.height)
        otherRows.begin(others, width: target.width, height: target.height)
        for y in 0..<target.height {
            let (row, possible) = (target.row(y), subjectRows.row(y, of: subjects))
            let (own, other) = (chosenRows.row(y, of: chosen), otherRows.row(y, of: others))
            for x in 0..<target.width { row[x] *= max(0, possible[x] - max(0, other[x] - own[x])) }
        }
    }
}
