import CGStreamer

/// The people of one frame who are told apart, as a `GstPeopleMask` with instances has them.
struct SeparatedPeople {
    /// Those who have ids, from the left.
    let people: [Person]
    private let fields: UnsafePointer<GstStructure>?
    /// What messages call them.
    private let noun: String

    /// One of the people of a frame.
    struct Person {
        /// Counted from the left, from 1 on.
        fileprivate(set) var number = 0
        /// Stays with the person in a film.
        let id: Int
        /// In the label map.
        let label: Int
        /// In shares of the frame, from its upper left corner.
        let box: (x: Double, y: Double, width: Double, height: Double)

        /// The middle of the box.
        var x: Double { box.x + box.width / 2 }
        var y: Double { box.y + box.height / 2 }
    }

    /// Reads the metadata of a buffer, which must outlive this.
    ///
    /// - Parameter noun: what messages call them; subjects of any class have such metadata as well.
    init(of buffer: UnsafeMutablePointer<GstBuffer>?, called noun: String = "people") {
        self.noun = noun
        let meta = buffer.flatMap { gst_buffer_get_custom_meta($0, "GstPeopleMask") }
        fields = meta.flatMap { gst_custom_meta_get_structure($0) }.map { UnsafePointer($0) }
        people = Self.people(fields)
    }

    /// Of the frame, in pixels; nil for a buffer without a mask.
    var frameSize: (width: Double, height: Double)? {
        var (width, height): (gint, gint) = (0, 0)
        guard let fields, gst_structure_get_int(fields, "frame-width", &width) != 0, width > 0,
            gst_structure_get_int(fields, "frame-height", &height) != 0, height > 0
        else { return nil }
        return (Double(width), Double(height))
    }

    /// The person whom a place shows; nil on the background, and on people who are not told apart.
    func person(at place: Place) -> Person? {
        guard let label = label(at: place), label > 0 else { return nil }
        return people.first { $0.label == label }
    }

    private static func people(_ fields: UnsafePointer<GstStructure>?) -> [Person] {
        guard let list = gst_structure_get_value(fields, "instances"),
            g_type_check_value_holds(list, gst_value_list_get_type()) != 0
        else { return [] }
        var people = (0..<gst_value_list_get_size(list)).compactMap { index in
            gst_value_list_get_value(list, index).flatMap { gst_value_get_structure($0) }.flatMap(Person.init)
        }
        people.sort { $0.x < $1.x }
        for index in people.indices { people[index].number = index + 1 }
        return people
    }

    private func label(at place: Place) -> Int? {
        var (width, height, stride): (gint, gint, gint) = (0, 0, 0)
        guard gst_structure_get_int(fields, "width", &width) != 0, width > 0,
            gst_structure_get_int(fields, "height", &height) != 0, height > 0,
            gst_structure_get_int(fields, "labels-stride", &stride) != 0, stride >= width,
            let value = gst_structure_get_value(fields, "labels"),
            g_type_check_value_holds(value, people_type_buffer()) != 0,
            let buffer = g_value_get_boxed(value)?.assumingMemoryBound(to: GstBuffer.self)
        else { return nil }
        let x = min(Int(place.x * Double(width)), Int(width) - 1)
        let y = min(Int(place.y * Double(height)), Int(height) - 1)
        var label: UInt8 = 0
        return gst_buffer_extract(buffer, gsize(y * Int(stride) + x), &label, 1) == 1 ? Int(label) : nil
    }
}

extension SeparatedPeople: CustomStringConvertible {
    /// For messages: who is where.
    var description: String {
        if people.isEmpty { return "no \(noun) are distinguished there" }
        let places = people.map { "\($0.number) at \($0.x.text(decimals: 2)),\($0.y.text(decimals: 2))" }
        return "its \(noun) are " + places.joined(separator: ", ")
    }
}

extension SeparatedPeople.Person {
    fileprivate init?(_ fields: UnsafePointer<GstStructure>) {
        func number(_ name: String) -> Double? {
            var number = 0.0
            return gst_structure_get_double(fields, name, &number) != 0 ? number : nil
        }
        var (id, label): (gint, gint) = (0, 0)
        guard gst_structure_get_int(fields, "id", &id) != 0,
            gst_structure_get_int(fields, "label", &label) != 0,
            let x = number("x"), let y = number("y"), let width = number("width"),
            let height = number("height")
        else { return nil }
        (self.id, self.label) = (Int(id), Int(label))
        box = (x, y, width, height)
    }
}
