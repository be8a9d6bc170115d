import Imaging
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
