import CGStreamer

/// A `GstPeopleBodies` as another program sees it: by its registered name, field by field.
public struct BodiesMeta {
    /// The name under which the meta is registered.
    public static let name = "GstPeopleBodies"

    /// One person of the list; normalised.
    public struct Body: Sendable {
        /// Tells people of a stream apart.
        public let id: Int
        /// x, y, width, height.
        public let box: [Double]
        /// Confidence, 0 to 1.
        public let confidence: Double
        /// x, y and confidence of each joint by its name.
        public let joints: [String: [Double]]
    }

    /// All people, in the list's order.
    public let bodies: [Body]

    /// The meta of `frame`, if it carries one with all its fields.
    public init?(_ frame: Frame) {
        guard let meta = gst_buffer_get_custom_meta(frame.buffer, Self.name),
            let structure = gst_custom_meta_get_structure(meta),
            let list = gst_structure_get_value(structure, "bodies")
        else { return nil }
        let items = (0..<gst_value_list_get_size(list)).map { Body(gst_value_list_get_value(list, $0)) }
        bodies = items.compactMap { $0 }
        guard bodies.count == items.count else { return nil }
    }
}

extension BodiesMeta.Body {
    init?(_ value: UnsafePointer<GValue>?) {
        guard let value, let structure = gst_value_get_structure(value),
            let joints = gst_structure_get_value(structure, "joints").flatMap({ gst_value_get_structure($0) })
        else { return nil }
        let pointer = UnsafeMutablePointer(mutating: structure)
        let names = ["id", "x", "y", "width", "height", "confidence"]
        let numbers = names.compactMap { number(pointer, $0) }
        guard numbers.count == names.count else { return nil }
        self.init(
            id: Int(numbers[0]), box: Array(numbers[1...4]), confidence: numbers[5],
            joints: Self.arrays(joints))
    }

    private static func arrays(_ structure: UnsafePointer<GstStructure>) -> [String: [Double]] {
        var arrays: [String: [Double]] = [:]
        for index in 0..<gst_structure_n_fields(structure) {
            guard let name = gst_structure_nth_field_name(structure, guint(index)),
                let array = gst_structure_get_value(structure, name)
            else { continue }
            arrays[String(cString: name)] = (0..<gst_value_array_get_size(array)).map {
                g_value_get_double(gst_value_array_get_value(array, $0))
            }
        }
        return arrays
    }
}
