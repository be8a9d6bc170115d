package import Imaging
import PeopleSettings

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
