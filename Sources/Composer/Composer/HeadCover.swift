import Imaging
import PeopleSettings
package import PeopleVision

/// A head that an analyser has found in a frame.
package struct FoundHead {
    package let place: HeadPlace
    /// The person's id in all metadata of the frame; nil if unknown.
    package let person: Int?

    package init(_ place: HeadPlace, of person: Int?) { (self.place, self.person) = (place, person) }
}

extension HeadPlace {
    /// Finds the head of a face or body.
    package init?(_ part: PersonPart, up: Point, aspectRatio: Double) {
        switch part.kind {
        case .face: self.init(face: part.box, up: up, aspectRatio: aspectRatio)
        case .body: self.init(joints: part.joints, aspectRatio: aspectRatio)
        case .outline, .hand: return nil
        }
    }
}

/// Makes the mask of the heads that are to be hidden.
///
/// Fails closed. Of a person whose head is not found, everything is covered that the masks show of him or her;
/// so is everything that belongs to no person with a mask. A head that is lost stays covered for a while. A
/// head is shown only if it is known whose it is, and that this person is not to be hidden.
final class HeadCover {
    /// A hidden head of an earlier frame.
    private struct Last {
        let head: FoundHead
        /// Seconds since it was found.
        var unseen = 0.0
    }

    /// Seconds for which a head stays covered that is not found any more: bodies are searched for every half
    /// second.
    private static let retention = 0.5
    /// Minimum coverage at which a mask shows a person.
    private static let visible: Float = 0.5
    /// Minimum coverage that is covered above heads, and where a head is not found: softer edges show no features.
    private static let faint: Float = 0.25
    /// Width by which such covers reach beyond the mask, as a share of its longer side: hair that the mask misses.
    private static let margin = 0.015
    /// Assumed radius of a head that is not found, as a share of the shorter side of what is covered, and its
    /// largest value in frame heights.
    private static let assumedRadius = (share: 0.5, largest: 0.3)

    private var choice = PeopleChoice(PeopleChoice.Properties(ids: "heads-of", others: "heads"))
    /// Whether the chosen people are not known in this frame, so that everybody is hidden.
    private var isChoiceUnknown = false
    /// Chosen people (x) and other people (y) who have been in one frame: they are not the same person.
    private var together: Set<SIMD2<Int>> = []
    private var last: [Last] = []
    private var clock = FrameClock()
    private let field = FloatImage()
    private let people = FloatImage()
    private let row = FloatImage()
    private let morphology = MorphologyFilter()

    /// Radius of the largest hidden head of the last mask, in frame heights; 0 without any.
    private(set) var largestRadius = 0.0

    /// Begins a stream, whose ids are its own.
    ///
    /// - Throws: when a property is malformed.
    func start(_ settings: BlendSettings) throws(MalformedProperty) {
        together.removeAll()
        interrupt()
        try choice.start(settings.hiddenHeads)
    }

    /// Reads the properties if they have changed.
    ///
    /// - Throws: once, when a property has become malformed; the previous choice stays.
    func follow(_ settings: BlendSettings) throws(MalformedProperty) {
        try choice.follow(settings.hiddenHeads)
    }

    /// Handles a frame that does not follow the last one.
    func interrupt() {
        last.removeAll(keepingCapacity: true)
        clock.interrupt()
    }

    /// Begins an image that shares nothing with those before it, ids included.
    func beginScene() {
        interrupt()
        together.removeAll(keepingCapacity: true)
        choice.lookAgain()
    }

    /// Returns the mask of the heads to be hidden, valid until the next call; nil when memory contradicts its
    /// fields.
    ///
    /// - Parameters:
    ///   - heads: the heads that were found in the frame; a person may have several, from faces and bodies.
    ///   - aspectRatio: width of the displayed frame divided by its height.
    ///   - time: the frame's time in nanoseconds.
    func mask(
        of frame: some SelectableMasks, _ heads: [FoundHead], aspectRatio: Double, at time: UInt64?
    ) -> MaskView? {
        let instances = frame.instances ?? []
        isChoiceUnknown = !choice.resolvePoint(in: frame, instances) || choice.isOfUnknownPerson
        meet(instances, heads)
        largestRadius = 0
        guard begin(frame) else { return nil }
        people.copy(field)
        for person in instances where !mustCoverAll(of: person, in: frame, heads, aspectRatio) {
            guard frame.withMask(of: person, subtract) != nil else { return nil }
        }
        coverRest(aspectRatio)
        follow(heads, to: time, aspectRatio)
        for head in last { cover(head.head.place, aspectRatio) }
        return field.view
    }

    // MARK: - Choice

    /// Notes which people are in the frame together with the chosen ones.
    private func meet(_ instances: [some SelectablePerson], _ heads: [FoundHead]) {
        let isPresent = { (id: Int) in
            instances.contains { $0.id == id } || heads.contains { $0.person == id }
        }
        for chosen in choice.ids ?? [] where isPresent(chosen) {
            for person in instances { meet(chosen, person.id) }
            for head in heads { meet(chosen, head.person) }
        }
    }

    private func meet(_ chosen: Int, _ other: Int?) {
        if let other, other != chosen { together.insert(SIMD2(chosen, other)) }
    }

    /// Whether the head of a person is hidden.
    ///
    /// A chosen person who is lost may be back under another id. Who was never in a frame together with that
    /// person is therefore hidden, too.
    private func hides(_ person: Int?) -> Bool {
        guard let person else { return true }
        if choice.exceptions.contains(person) { return false }
        guard !isChoiceUnknown, let chosen = choice.ids, !chosen.contains(person) else { return true }
        return !chosen.allSatisfy { together.contains(SIMD2($0, person)) }
    }

    // MARK: - People without heads

    /// Whether everything must be covered that a person's mask shows: no head was found where the mask is.
    private func mustCoverAll<Masks: SelectableMasks>(
        of person: Masks.Person, in frame: Masks, _ heads: [FoundHead], _ aspectRatio: Double
    ) -> Bool {
        guard hides(person.id) else { return false }
        guard let id = person.id else { return true }
        return !heads.contains { head in
            head.person == id
                && head.place.isSeen(aspectRatio: aspectRatio) { point in
                    frame.withMask(of: person) { coverage(of: $0, at: point) >= Self.visible } ?? false
                }
        }
    }

    private func coverage(of mask: MaskView, at point: Point) -> Float {
        row.resize(width: mask.width, height: 1)
        mask.readRow(min(Int(point.y * Double(mask.height)), mask.height - 1), into: row.base)
        return row.base[min(Int(point.x * Double(mask.width)), mask.width - 1)]
    }

    /// Fills `field` with the mask of all people.
    private func begin(_ frame: some SelectableMasks) -> Bool {
        frame.withMask { (view: MaskView) -> Void in
            field.resize(width: view.width, height: view.height)
            // A value that is no number hides.
            for y in 0..<view.height { view.readRow(y, undefined: 1, into: field.row(y)) }
        } != nil
    }

    private func subtract(_ mask: MaskView) {
        row.resize(width: mask.width, height: 1)
        for y in 0..<min(field.height, mask.height) {
            mask.readRow(y, undefined: 0, into: row.base)
            let (values, target) = (row.base, field.row(y))
            for x in 0..<min(field.width, mask.width) { target[x] -= values[x] }
        }
    }

    /// Covers what is left of the mask of all people.
    private func coverRest(_ aspectRatio: Double) {
        var isCovered = false
        for y in 0..<field.height {
            let row = field.row(y)
            for x in 0..<field.width {
                let isLeft = row[x] > Self.faint
                row[x] = isLeft ? 1 : 0
                isCovered = isCovered || isLeft
            }
        }
        guard isCovered else { return }
        if let box = field.extent(above: Self.visible) {
            let side = min(box.width * aspectRatio, box.height)
            largestRadius = min(Self.assumedRadius.share * side, Self.assumedRadius.largest)
        }
        morphology.dilate(
            field, radius: Int((Self.margin * Double(max(field.width, field.height))).rounded(.up)))
    }

    // MARK: - Heads

    /// Replaces `last` by the hidden heads of a frame, and those that are not found any more for a while.
    private func follow(_ heads: [FoundHead], to time: UInt64?, _ aspectRatio: Double) {
        let seconds = clock.step(to: time)
        for index in last.indices { last[index].unseen += seconds }
        last.removeAll { last in
            last.unseen > Self.retention || last.head.person.map { !hides($0) } ?? false
                || heads.contains { isSame($0, last.head, aspectRatio) }
        }
        for head in heads where hides(head.person) { last.append(Last(head: head)) }
    }

    private func isSame(_ head: FoundHead, _ other: FoundHead, _ aspectRatio: Double) -> Bool {
        if let person = head.person, let other = other.person { return person == other }
        return head.place.contains(other.place.center, aspectRatio: aspectRatio) && hides(head.person)
    }

    private func cover(_ head: HeadPlace, _ aspectRatio: Double) {
        head.fill(field, people: people, visible: Self.faint, aspectRatio: aspectRatio)
        largestRadius = max(largestRadius, head.radius)
    }
}
