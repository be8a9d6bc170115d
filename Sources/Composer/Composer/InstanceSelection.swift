package import Imaging
import PeopleSettings
import Properties

/// The people whom a user chooses by their ids, by a point on one of them, and by exceptions.
struct PeopleChoice {
    /// The names of the properties, for messages.
    struct Properties {
        let ids, point, exceptions: String

        /// Makes `NAME`, `NAME-at` and `NAME-except`.
        init(all name: String) { self.init(ids: name, others: name) }

        /// Makes the name of the ids, and `NAME-at` and `NAME-except`.
        init(ids: String, others name: String) {
            (self.ids, point, exceptions) = (ids, "\(name)-at", "\(name)-except")
        }
    }

    /// The values of the properties.
    struct Texts: Equatable {
        let ids, point, exceptions: String?
        /// Number of times that the point was set; setting the same point again selects again.
        let clicks: UInt
    }

    /// The person at the point.
    private enum Pick: Equatable {
        /// No frame has been looked at yet.
        case pending
        /// The point is on the background.
        case everybody
        /// The point is on a person; nil for people without instance masks.
        case person(Int?)
    }

    private let properties: Properties
    private var criteria = Criteria() { didSet { ids = chosen } }
    /// The source of `criteria`, and the last source that was malformed.
    private var (source, refused): (Texts?, Texts?) = (nil, nil)
    private var pick = Pick.pending { didSet { ids = chosen } }
    /// Ids of the chosen people; nil for all people.
    private(set) var ids: [Int]?

    /// Creates a choice whose properties are not set.
    init(_ properties: Properties) { self.properties = properties }

    /// Whether no property is set.
    var isEmpty: Bool { criteria.isEmpty }
    /// Ids of people who are excepted.
    var exceptions: [Int] { criteria.exceptions }
    /// Whether the point is on a person whose id is not known.
    var isOfUnknownPerson: Bool { pick == .person(nil) }

    private var chosen: [Int]? {
        guard criteria.point != nil else { return criteria.ids.isEmpty ? nil : criteria.ids }
        switch pick {
        case .everybody: return nil
        case .person(let id): return criteria.ids + (id.map { [$0] } ?? [])
        case .pending: return criteria.ids
        }
    }

    /// Begins a stream, whose ids are its own.
    ///
    /// - Throws: when a property is malformed.
    mutating func start(_ texts: Texts) throws(MalformedProperty) {
        (source, refused, criteria, pick) = (nil, nil, Criteria(), .pending)
        try follow(texts)
    }

    /// Reads the properties if they have changed.
    ///
    /// - Throws: once, when a property has become malformed; the previous choice stays.
    mutating func follow(_ texts: Texts) throws(MalformedProperty) {
        guard texts != source, texts != refused else { return }
        refused = texts
        criteria = try Criteria(texts, properties)
        if texts.clicks != source?.clicks { pick = .pending }
        (source, refused) = (texts, nil)
    }

    /// Selects the person at the point again, because the next frame does not follow the last.
    mutating func lookAgain() { pick = .pending }

    /// Finds the person at a new point; returns false when the frame has no label there.
    mutating func resolvePoint<Masks: SelectableMasks>(
        in frame: Masks, _ instances: [Masks.Person]
    ) -> Bool {
        guard pick == .pending, let point = criteria.point else { return true }
        guard let label = frame.label(at: point) else { return false }
        pick = label == 0 ? .everybody : .person(instances.first { $0.label == label }.flatMap(\.id))
        return true
    }
}

/// The values of the properties, parsed.
private struct Criteria: Equatable {
    /// Ids of people; empty for none.
    var ids: [Int] = []
    /// A point on a person, normalised to 0...1 of the frame as stored.
    var point: Point?
    /// Ids of people who are excepted.
    var exceptions: [Int] = []

    /// Whether no property is set.
    var isEmpty: Bool { ids.isEmpty && point == nil && exceptions.isEmpty }

    /// Makes empty criteria.
    init() {}

    /// Parses the properties.
    ///
    /// - Throws: when a property is malformed.
    init(_ texts: PeopleChoice.Texts, _ properties: PeopleChoice.Properties) throws(MalformedProperty) {
        ids = try PeopleIDs.read(texts.ids, of: properties.ids)
        exceptions = try PeopleIDs.read(texts.exceptions, of: properties.exceptions)
        point = try PeopleIDs.point(texts.point, of: properties.point)
    }
}

extension BlendSettings {
    /// The choice of the people who are shown.
    var shownPeople: PeopleChoice.Texts {
        PeopleChoice.Texts(ids: instances, point: instancesAt, exceptions: instancesExcept, clicks: clicks)
    }

    /// The choice of the people whose heads are hidden.
    var hiddenHeads: PeopleChoice.Texts {
        PeopleChoice.Texts(ids: headsOf, point: headsAt, exceptions: headsExcept, clicks: headClicks)
    }
}

/// Makes the mask of the chosen people.
///
/// Fails closed: people without instance masks and people who are lost are not shown.
final class InstanceSelection {
    private var choice = PeopleChoice(PeopleChoice.Properties(all: "instances"))
    private let sum = FloatImage()
    private let row = FloatImage()

    /// Whether the chosen people were missing in the last frame.
    private(set) var isLost = false

    /// Whether people have been chosen.
    var isActive: Bool { !choice.isEmpty }

    /// Begins a stream, whose ids are its own.
    ///
    /// - Throws: when a property is malformed.
    func start(_ settings: BlendSettings) throws(MalformedProperty) {
        isLost = false
        try choice.start(settings.shownPeople)
    }

    /// Reads the properties if they have changed.
    ///
    /// - Throws: once, when a property has become malformed; the previous choice stays.
    func follow(_ settings: BlendSettings) throws(MalformedProperty) {
        try choice.follow(settings.shownPeople)
    }

    /// Selects the person at the point again, because the next frame does not follow the last.
    func lookAgain() { choice.lookAgain() }

    /// Returns the mask of the chosen people, valid until the next call.
    ///
    /// - Parameter hides: whether the chosen people are replaced instead of shown.
    /// - Throws: when the frame has no instance masks, the mask's memory contradicts its fields, or a person
    ///   to be hidden is lost.
    func mask(of frame: some SelectableMasks, hides: Bool) throws(SelectionFault) -> MaskView {
        guard let instances = frame.instances, choice.resolvePoint(in: frame, instances) else {
            throw .noInstances
        }
        let chosen = choice.ids
        isLost = isLost(chosen, among: instances, hides: hides)
        if hides, isLost { throw .lost }
        // If all people but the exceptions are chosen, people without instance masks are hidden in either
        // case.
        let startsFull = chosen == nil && (choice.exceptions.isEmpty || hides)
        guard begin(frame, isFull: startsFull) else { throw .malformed }
        for instance in instances {
            // Instances without an id are hidden, like people without instance masks.
            guard let id = instance.id else { continue }
            let isException = choice.exceptions.contains(id)
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
        func isPresent(_ id: Int) -> Bool { instances.contains { $0.id == id } }
        return hides
            ? choice.isOfUnknownPerson || !chosen.allSatisfy(isPresent) : !chosen.contains(where: isPresent)
    }

    /// Whether the last mask left people out.
    ///
    /// - Parameter hides: the value given to `mask`.
    func hidesPeople(hides: Bool) -> Bool {
        isActive && (hides || choice.ids != nil || !choice.exceptions.isEmpty)
    }

    /// Whether the last mask shows a person of its frame.
    ///
    /// - Parameter hides: the value given to `mask`.
    func shows(_ id: Int, hides: Bool) -> Bool {
        let isChosen = choice.ids?.contains(id) ?? true
        return (isChosen && !choice.exceptions.contains(id)) != hides
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
    /// Whether the mask has the fine, soft edges of a matte.
    var isMatte: Bool { get }
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
enum SelectionFault: Error {
    /// There is only one mask of all people.
    case noInstances
    /// A mask cannot be read.
    case malformed
    /// The chosen people are not in the frame.
    case lost
}
