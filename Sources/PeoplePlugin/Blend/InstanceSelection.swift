import GStreamerKit
import Imaging

/// Makes the mask of the people whom a user asks for.
///
/// Fails closed: of people without instance masks, or who are lost, nothing is shown.
final class InstanceSelection {
    /// Where a point has led.
    private enum Pick: Equatable {
        /// No frame was looked at yet.
        case pending
        /// To the background.
        case everybody
        /// To a person, or with nil to people without instance masks.
        case person(Int?)
    }

    private var criteria = InstanceCriteria()
    /// What `criteria` were read from, and what was malformed last.
    private var (source, refused): (Source?, Source?) = (nil, nil)
    private var pick = Pick.pending
    private let sum = FloatImage()
    private let row = FloatImage()

    /// The properties that the criteria were read from.
    private struct Source: Equatable {
        let texts: [String?]
        /// Counts what was asked for: a point that is asked for again is looked at again.
        let clicks: UInt

        init(_ settings: BlendSettings) {
            texts = [settings.instances, settings.instancesAt, settings.instancesExcept]
            clicks = settings.clicks
        }
    }

    /// Whether the people who are chosen were not in the last frame.
    private(set) var isLost = false

    /// Whether people are chosen.
    var isActive: Bool { !criteria.isEmpty }

    /// Begins a stream, with ids of its own.
    ///
    /// - Throws: when a property is malformed.
    func start(_ settings: BlendSettings) throws(ElementError) {
        (source, refused, criteria, pick, isLost) = (nil, nil, InstanceCriteria(), .pending, false)
        try follow(settings)
    }

    /// Follows the properties.
    ///
    /// - Throws: once, when one of them has become malformed; what was asked for before stays.
    func follow(_ settings: BlendSettings) throws(ElementError) {
        let source = Source(settings)
        guard source != self.source, source != refused else { return }
        refused = source
        criteria = try InstanceCriteria(settings)
        if source.clicks != self.source?.clicks { pick = .pending }
        (self.source, refused) = (source, nil)
    }

    /// The next frame does not follow the last: the person at the point is another one.
    func lookAgain() { pick = .pending }

    /// The mask of the chosen people, valid until the next call.
    ///
    /// - Parameter hides: whether those who are chosen are replaced instead of shown.
    /// - Throws: when the frame has no instance masks, the mask does not hold what its fields say, or a person who
    ///   is to be hidden is lost.
    func mask(of frame: PeopleMaskMeta.Reader, hides: Bool) throws(PeopleMaskMeta.Fault) -> MaskView {
        guard let instances = frame.instances, resolvePick(in: frame, instances) else { throw .noInstances }
        let chosen = chosenIDs
        isLost = isLost(chosen, among: instances, hides: hides)
        if hides, isLost { throw .lost }
        // Where all are chosen but some, people without instance masks are hidden in either case.
        let startsFull = chosen == nil && (criteria.exceptions.isEmpty || hides)
        guard begin(frame, isFull: startsFull) else { throw .malformed }
        for instance in instances {
            // Of whom it is not known who they are, that is hidden like people without instance masks.
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

    /// Whether one of those who are to be hidden, or all who are to be shown, are not in a frame.
    private func isLost(
        _ chosen: [Int]?, among instances: [PeopleMaskMeta.Reader.Instance], hides: Bool
    ) -> Bool {
        guard let chosen else { return false }
        let isHere = { (id: Int) in instances.contains { $0.id == id } }
        return hides ? pick == .person(nil) || !chosen.allSatisfy(isHere) : !chosen.contains(where: isHere)
    }

    /// Whether the last mask was not of everybody.
    ///
    /// - Parameter hides: as given to `mask`.
    func hidesPeople(hides: Bool) -> Bool {
        isActive && (hides || chosenIDs != nil || !criteria.exceptions.isEmpty)
    }

    /// Whether the last mask shows a person of its frame.
    ///
    /// - Parameter hides: as given to `mask`.
    func shows(_ id: Int, hides: Bool) -> Bool {
        let isChosen = chosenIDs?.contains(id) ?? true
        return (isChosen && !criteria.exceptions.contains(id)) != hides
    }

    /// Ids of the chosen people; nil for everybody.
    private var chosenIDs: [Int]? {
        guard criteria.point != nil else { return criteria.ids.isEmpty ? nil : criteria.ids }
        switch pick {
        case .everybody: return nil
        case .person(let id): return criteria.ids + (id.map { [$0] } ?? [])
        case .pending: return criteria.ids
        }
    }

    /// Finds the person at a new point; returns false when the frame does not say who is where.
    private func resolvePick(
        in frame: PeopleMaskMeta.Reader, _ instances: [PeopleMaskMeta.Reader.Instance]
    ) -> Bool {
        guard pick == .pending, let point = criteria.point else { return true }
        guard let label = frame.label(at: point) else { return false }
        pick = label == 0 ? .everybody : .person(instances.first { $0.label == label }.flatMap(\.id))
        return true
    }

    /// Starts with the mask of all people, or an empty one.
    private func begin(_ frame: PeopleMaskMeta.Reader, isFull: Bool) -> Bool {
        frame.withMask { (view: MaskView) -> Void in
            sum.resize(width: view.width, height: view.height)
            row.resize(width: view.width, height: 1)
            sum.fill(0)
            if isFull { add(view, sign: 1) }
        } != nil
    }

    /// What is not a number in any of the masks stays so, and is hidden.
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

/// Whom a user asks for: the properties `instances`, `instances-at` and `instances-except`, read once.
struct InstanceCriteria: Equatable {
    /// Ids of people; empty for none.
    var ids: [Int] = []
    /// A point on a person, normalised to 0...1 of the frame as stored.
    var point: Point?
    /// Ids of people who are left out.
    var exceptions: [Int] = []

    /// Whether anything is asked for.
    var isEmpty: Bool { ids.isEmpty && point == nil && exceptions.isEmpty }

    /// Reads the properties.
    ///
    /// - Throws: when one of them is malformed.
    init(_ settings: BlendSettings) throws(ElementError) {
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

    /// Nothing is asked for.
    init() {}

    private static func share(_ text: Substring) -> Double? {
        Double(PeopleIDs.trimmed(text)).flatMap { (0...1).contains($0) ? $0 : nil }
    }
}
