import CommandKit
import GStreamerKit
import Imaging
import PeopleVision
import Properties

/// The people of one frame who have instance masks, read from a `GstPeopleMask` with instances.
struct SeparatedPeople {
    /// The people in the order of their ids; in a still image and in the first frame of a video, from the
    /// left.
    let people: [Person]
    private let label: (Place) -> Int?
    /// The word for the people in messages.
    private let noun: String

    /// One of the people of a frame.
    struct Person {
        /// Number in the order of the ids, from 1 on; in a still image it is the id.
        fileprivate(set) var number = 0
        /// The id, which stays with the person in a video.
        let id: Int
        /// The person's label in the label map.
        let label: Int
        /// The box in fractions of the frame, from its upper left corner.
        let box: Rectangle

        /// The centre of the box.
        var x: Double { box.center.x }
        var y: Double { box.center.y }
    }

    /// Reads the metadata of a buffer; for a borrowed buffer, valid as long as the buffer.
    ///
    /// - Parameter noun: the word for the people in messages; subjects of any class have such metadata as
    ///   well.
    init(of buffer: GStreamer.BufferView?, called noun: String = "people") {
        let fields = buffer?.fields(ofMeta: "GstPeopleMask")
        var people: [Person] = []
        fields?.forEach("instances") { fields in
            if let person = Person(fields) { people.append(person) }
        }
        self.init(people, called: noun) { place in fields?.label(at: place) }
    }

    /// Makes the people of a picture.
    ///
    /// - Parameter label: returns the label at a place; nil where that is not known.
    init(_ instances: [MaskInstance], called noun: String, label: @escaping (Place) -> Int?) {
        self.init(
            instances.map { Person(id: $0.id, label: $0.label, box: $0.boundingBox) }, called: noun,
            label: label)
    }

    private init(_ people: [Person], called noun: String, label: @escaping (Place) -> Int?) {
        (self.noun, self.label) = (noun, label)
        var people = people.sorted { $0.id < $1.id }
        for index in people.indices { people[index].number = index + 1 }
        self.people = people
    }

    /// Returns the person at a place; nil for the background, and for people without instance masks.
    func person(at place: Place) -> Person? {
        guard let label = label(place), label > 0 else { return nil }
        return people.first { $0.label == label }
    }
}

extension StructureReader {
    /// Returns the label at a place of a `GstPeopleMask`.
    fileprivate func label(at place: Place) -> Int? {
        guard let width = int("width"), width > 0, let height = int("height"), height > 0,
            let stride = int("labels-stride"), stride >= width
        else { return nil }
        let x = min(Int(place.x * Double(width)), width - 1)
        let y = min(Int(place.y * Double(height)), height - 1)
        return withBytes("labels") { labels in
            let index = y * stride + x
            return labels.indices.contains(index) ? Int(labels[index]) : nil
        } ?? nil
    }
}

extension SeparatedPeople: CustomStringConvertible {
    /// The people and their places, for messages.
    var description: String {
        if people.isEmpty { return "no \(noun) are distinguished there" }
        let places = people.map { "\($0.number) at \($0.x.text(decimals: 2)),\($0.y.text(decimals: 2))" }
        return "its \(noun) are " + places.joined(separator: ", ")
    }
}

extension SeparatedPeople.Person {
    fileprivate init?(_ fields: StructureReader) {
        // These are the ids that blendmask's `instances` accepts.
        guard let id = fields.int("person") ?? fields.int("id"), let label = fields.int("label"),
            let box = fields.box
        else {
            return nil
        }
        (self.id, self.label, self.box) = (id, label, box)
    }
}

/// A place in an image, in fractions of its sides from the upper left corner.
struct Place: CustomStringConvertible {
    let x: Double
    let y: Double

    /// Parses `X,Y`.
    ///
    /// - Parameter option: name of the option with this value.
    init(_ text: String, of option: String) throws(ToolError) {
        guard let point = PropertyText.point(text) else {
            throw .usage("--\(option) takes a place such as 0.4,0.5, not \(text)")
        }
        (x, y) = point
    }

    /// The place as a text that `blendmask` parses.
    var description: String { "\(x),\(y)" }
}
