import CGStreamer

/// A `GstPeopleBodies` or `GstPeopleHands` as another program reads it: by its registered name, field by
/// field.
public struct JointsMeta {
    /// The kinds of metadata, with the names under which they are registered.
    public enum Kind: String, Sendable {
        case bodies = "GstPeopleBodies"
        case hands = "GstPeopleHands"

        /// The name of the list.
        var list: String { self == .bodies ? "bodies" : "hands" }
    }

    /// One person or hand of the list; normalised.
    public struct Item: Sendable {
        /// Id that is unique among the items of a stream.
        public let id: Int
        /// x, y, width, height.
        public let box: [Double]
        /// Confidence, 0 to 1.
        public let confidence: Double
        /// x, y and confidence of each joint by its name.
        public let joints: [String: [Double]]
        /// `left` or `right` for a hand, else nil.
        public let chirality: String?
        /// The 3-D body, with `pose-3d`.
        public let space: Space?
    }

    /// A body in space, in metres.
    public struct Space: Sendable {
        /// x, y and z of each joint by its name.
        public let joints: [String: [Double]]
        /// Position of the camera.
        public let camera: [Double]
        /// Height of the standing person.
        public let height: Double
        /// The way in which the height was estimated.
        public let estimation: String
    }

    /// All items, in the list's order.
    public let items: [Item]

    /// Reads the meta of `frame`; nil if it has none, or a field is missing.
    public init?(_ frame: Frame, _ kind: Kind) {
        guard let meta = gst_buffer_get_custom_meta(frame.buffer, kind.rawValue),
            let structure = gst_custom_meta_get_structure(meta),
            let list = gst_structure_get_value(structure, kind.list)
        else { return nil }
        let items = (0..<gst_value_list_get_size(list)).map { Item(gst_value_list_get_value(list, $0)) }
        self.items = items.compactMap { $0 }
        guard self.items.count == items.count else { return nil }
    }
}

extension JointsMeta.Item {
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
            joints: Self.arrays(joints),
            chirality: gst_structure_get_string(pointer, "chirality").map { String(cString: $0) },
            space: Self.space(pointer))
    }

    private static func space(_ structure: UnsafeMutablePointer<GstStructure>) -> JointsMeta.Space? {
        guard
            let joints = gst_structure_get_value(structure, "joints-3d").flatMap({
                gst_value_get_structure($0)
            }),
            let camera = gst_structure_get_value(structure, "camera-position"),
            let height = number(structure, "body-height"),
            let estimation = gst_structure_get_string(structure, "height-estimation")
        else { return nil }
        return JointsMeta.Space(
            joints: arrays(joints), camera: numbers(camera), height: height,
            estimation: String(cString: estimation))
    }

    private static func arrays(_ structure: UnsafePointer<GstStructure>) -> [String: [Double]] {
        var arrays: [String: [Double]] = [:]
        for index in 0..<gst_structure_n_fields(structure) {
            guard let name = gst_structure_nth_field_name(structure, guint(index)),
                let array = gst_structure_get_value(structure, name)
            else { continue }
            arrays[String(cString: name)] = numbers(array)
        }
        return arrays
    }

    private static func numbers(_ array: UnsafePointer<GValue>) -> [Double] {
        (0..<gst_value_array_get_size(array)).map { g_value_get_double(gst_value_array_get_value(array, $0)) }
    }
}
