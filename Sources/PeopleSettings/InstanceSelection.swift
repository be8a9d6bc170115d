package import Imaging

/// Makes the mask of the chosen people.
///
/// Fails closed: people without instance masks and people who are lost are not shown.
package final class InstanceSelection {
    /// The person selected by `instances-at`.
    private enum Pick: Equatable {
        /// No frame has been looked at yet.
        case pending
        /// The point is on the background.
        case everybody
        /// The point is on a person; nil for people without instance masks.
        case person(Int?)
    }

    private var criteria = InstanceCriteria()
    /// The source of `criteria`, and the last source that was malformed.
    private var (source, refused): (Source?, Source?) = (nil, nil)
    private var pick = Pick.pending
    private let sum = FloatImage()
    private let row = FloatImage()

    /// The properties that the criteria were read from.
    private struct Source: Equatable {
        let texts: [String?]
        /// Number of times that a point was set; setting the same point again selects again.
        let clicks: UInt

        init(_ settings: BlendSettings) {
            texts = [settings.instances, settings.instancesAt, settings.instancesExcept]
            clicks = settings.clicks
        }
    }

    /// Whether the chosen people were missing in the last frame.
    package private(set) var isLost = false

    package init() {}

    /// Whether people have been chosen.
    package var isActive: Bool { !criteria.isEmpty }

    /// Begins a stream, whose ids are its own.
    ///
    /// - Throws: when a property is malformed.
    package func start(_ settings: BlendSettings) throws(MalformedProperty) {
        (source, refused, criteria, pick, isLost) = (nil, nil, InstanceCriteria(), .pending, false)
        try follow(settings)
    }

    /// Reads the properties if they have changed.
    ///
    /// - Throws: once, when a property has become malformed; the previous criteria stay.
    package func follow(_ settings: BlendSettings) throws(MalformedProperty) {
        let source = Source(settings)
        guard source != self.source, source != refused else { return }
        refused = source
        criteria = try InstanceCriteria(settings)
        if source.clicks != self.source?.clicks { pick = .pending }
        (self.source, refused) = (source, nil)
    }

    /// Selects the person at the point again, because the next frame does not follow the last.
    package func lookAgain() { pick = .pending }

    /// Returns the mask of the chosen people, valid until the next call.
    ///
    /// - Parameter hides: whether the chosen people are replaced instead of shown.
    /// - Throws: when the frame has no instance masks, the mask's memory contradicts its fields, or a person
    ///   to be hidden is lost.
    package func mask(of frame: some SelectableMasks, hides: Bool) throws(SelectionFault) -> MaskView {
        guard let instances = frame.instances, resolvePick(in: frame, instances) else { throw .noInstances }
        let chosen = chosenIDs
        isLost = isLost(chosen, among: instances, hides: hides)
        if hides, isLost { throw .lost }
        // If all people but the exceptions are chosen, people without instance masks are hidden in either
        // case.
        let startsFull = chosen == nil && (criteria.exceptions.isEmpty || hides)
        guard begin(frame, isFull: startsFull) else { throw .malformed }
        for instance in instances {
            // Instances without an id are hidden, like people without instance masks.
            guard let id = instance.id else { continue }
            let isException = criteria.exceptions.contains(id)
            if startsFull {
                guard isException else { continue }
                guard frame.withMask(of: instance, { add($0, sign: -1) }) != nil else { throw .malformed }
            } else if !isException, chosen?.contains(id) ?? true {
                guard frame.withMask(of: instance, { add($0, sign: 1) }) != nil else { throw .malformed }
            }
        }
        guard let view = sum.view else { throw .malformed }
        return view
    }

    /// Whether one of the people to be hidden, or all people to be shown, are missing in a frame.
    private func isLost(
        _ chosen: [Int]?, among instances: [some SelectablePerson], hides: Bool
    ) -> Bool {
        guard let chosen else { return false }
        let isPresent = { (id: Int) in instances.contains { $0.id == id } }
        return hides
            ? pick == .person(nil) || !chosen.allSatisfy(isPresent) : !chosen.contains(where: isPresent)
    }

    /// Whether the last mask left people out.
    ///
    /// - Parameter hides: the value given to `mask`.
    package func hidesPeople(hides: Bool) -> Bool {
        isActive && (hides || chosenIDs != nil || !criteria.exceptions.isEmpty)
    }

    /// Whether the last mask shows a person of its frame.
    ///
    /// - Parameter hides: the value given to `mask`.
    package func shows(_ id: Int, hides: Bool) -> Bool {
        let isChosen = chosenIDs?.contains(id) ?? true
        return (isChosen && !criteria.exceptions.contains(id)) != hides
    }

    /// Ids of the chosen people; nil for all people.
    private var chosenIDs: [Int]? {
        guard criteria.point != nil else { return criteria.ids.isEmpty ? nil : criteria.ids }
        switch pick {
        case .everybody: return nil
        case .person(let id): return criteria.ids + (id.map { [$0] } ?? [])
        case .pending: return criteria.ids
        }
    }

    /// Finds the person at a new point; returns false when the frame has no label there.
    private func resolvePick<Masks: SelectableMasks>(in frame: Masks, _ instances: [Masks.Person]) -> Bool {
        guard pick == .pending, let point = criteria.point else { return true }
        guard let label = frame.label(at: point) else { return false }
        pick = label == 0 ? .everybody : .person(instances.first { $0.label == label }.flatMap(\.id))
        return true
    }

    /// Fills `sum` with the mask of all people, or with zeros.
    private func begin(_ frame: some SelectableMasks, isFull: Bool) -> Bool {
        frame.withMask { (view: MaskView) -> Void in
            sum.resize(width: view.width, height: view.height)
            row.resize(width: view.width, height: 1)
            sum.fill(0)
            if isFull { add(view, sign: 1) }
        } != nil
    }

    /// Adds a mask to `sum`; a value that is undefined in any mask stays undefined, and is hidden.
    private func add(_ mask: MaskView, sign: Float) {
        for y in 0..<sum.height {
            mask.readRow(y, undefined: .nan, into: row.base)
            let (values, target) = (row.base, sum.row(y))
            for x in 0..<sum.width {
                let total = target[x] + sign * values[x]
                target[x] = total < 0 ? 0 : total > 1 ? 1 : total
            }
        }
    }
}

/// The masks of a frame, from which people are chosen.
package protocol SelectableMasks {
    associatedtype Person: SelectablePerson

    /// The people with masks of their own; nil if there is only one mask of all people.
    var instances: [Person]? { get }
    /// Lends the mask of all people to `body`; nil when it cannot be read.
    func withMask<Result>(_ body: (MaskView) -> Result) -> Result?
    /// Lends a person's mask to `body`, in the size of the whole mask; nil when it cannot be read.
    func withMask<Result>(of person: Person, _ body: (MaskView) -> Result) -> Result?
    /// Returns the label at a point, normalised to 0...1 of the frame as stored; 0 for the background, nil when
    /// the label map cannot be read.
    func label(at point: Point) -> Int?
}

/// A person with a mask of his or her own.
package protocol SelectablePerson {
    /// The number that stays with the person; nil if unknown.
    var id: Int? { get }
    /// The number in the label map.
    var label: Int { get }
}

/// The reason why the chosen people have no mask.
package enum SelectionFault: Error {
    /// There is only one mask of all people.
    case noInstances
    /// A mask cannot be read.
    case malformed
    /// The chosen people are not in the frame.
    case lost
}

/// The people whom the user chooses: the properties `instances`, `instances-at` and `instances-except`,
/// parsed.
struct InstanceCriteria: Equatable {
    /// Ids of people; empty for none.
    var ids: [Int] = []
    /// A point on a person, normalised to 0...1 of the frame as stored.
    var point: Point?
    /// Ids of people who are excepted.
    var exceptions: [Int] = []

    /// Whether no property is set.
    var isEmpty: Bool { ids.isEmpty && point == nil && exceptions.isEmpty }

    /// Parses the properties.
    ///
    /// - Throws: when a property is malformed.
    init(_ settings: BlendSettings) throws(MalformedProperty) {
        ids = try PeopleIDs.read(settings.instances, of: "instances")
        exceptions = try PeopleIDs.read(settings.instancesExcept, of: "instances-except")
        guard let text = settings.instancesAt, !text.isEmpty else { return }
        let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Self.share($0) }
        guard numbers.count == 2, let x = numbers[0], let y = numbers[1] else {
            throw PeopleIDs.malformed(
                "instances-at", text, wanted: "a point as fractions of the frame, such as 0.4,0.5")
        }
        point = Point(x: x, y: y)
    }

    /// Makes empty criteria.
    init() {}

    private static func share(_ text: Substring) -> Double? {
        Double(PeopleIDs.trimmed(text)).flatMap { (0...1).contains($0) ? $0 : nil }
    }
}
