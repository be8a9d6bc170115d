public import CGStreamer

/// A `GstPeopleMask` as another program reads it: by its registered name, field by field.
public struct MaskMeta {
    /// The name under which the meta is registered.
    public static let name = "GstPeopleMask"

    private let structure: UnsafeMutablePointer<GstStructure>
    // Keeps the buffer alive that the structure belongs to.
    private let frame: Frame

    /// Reads the meta of `frame`; nil if it has none.
    public init?(_ frame: Frame) {
        guard let meta = gst_buffer_get_custom_meta(frame.buffer, Self.name),
            let structure = gst_custom_meta_get_structure(meta)
        else { return nil }
        self.structure = structure
        self.frame = frame
    }

    /// Returns the number of masks on a frame.
    public static func count(on frame: Frame) -> Int { frame.count(ofMeta: name) }

    /// Returns a whole number.
    public func int(_ field: String) -> Int? {
        var number: gint = 0
        return gst_structure_get_int(structure, field, &number) != 0 ? Int(number) : nil
    }

    /// Returns a time in nanoseconds.
    public func time(_ field: String) -> UInt64? {
        var number: guint64 = 0
        return gst_structure_get_uint64(structure, field, &number) != 0 ? UInt64(number) : nil
    }

    /// Returns a text.
    public func string(_ field: String) -> String? {
        gst_structure_get_string(structure, field).map { String(cString: $0) }
    }

    /// Returns a fraction.
    public func fraction(_ field: String) -> [Int]? {
        var (numerator, denominator): (gint, gint) = (0, 0)
        guard gst_structure_get_fraction(structure, field, &numerator, &denominator) != 0 else { return nil }
        return [Int(numerator), Int(denominator)]
    }

    /// One of the separated people.
    public struct Instance: Sendable {
        /// Id that is unique among the people of a stream.
        public let id: Int
        /// Label in the label map, from 1 on.
        public let label: Int
        /// x, y, width, height as fractions of the frame.
        public let box: [Double]
        /// Bytes of the mask.
        public let mask: [UInt8]
    }

    /// The people, in the list's order; nil if there is no list, or a field is missing.
    public var instances: [Instance]? {
        guard let list = gst_structure_get_value(structure, "instances"),
            g_type_check_value_holds(list, gst_value_list_get_type()) != 0
        else { return nil }
        let found = (0..<gst_value_list_get_size(list)).map { Instance(gst_value_list_get_value(list, $0)) }
        return found.contains { $0 == nil } ? nil : found.compactMap { $0 }
    }

    /// The label map's bytes.
    public var labels: [UInt8]? {
        gst_structure_get_value(structure, "labels").flatMap { g_value_get_boxed($0) }.map {
            Frame.bytes(of: $0.assumingMemoryBound(to: GstBuffer.self))
        }
    }

    /// The buffer of the mask.
    public var buffer: UnsafeMutablePointer<GstBuffer>? { Self.buffer(of: structure) }

    /// Returns the buffer in a mask's fields; nil if they have none.
    public static func buffer(
        of fields: UnsafeMutablePointer<GstStructure>?
    ) -> UnsafeMutablePointer<GstBuffer>? {
        guard let value = gst_structure_get_value(fields, "mask"),
            g_type_check_value_holds(value, people_type_buffer()) != 0
        else { return nil }
        return g_value_get_boxed(value)?.assumingMemoryBound(to: GstBuffer.self)
    }

    /// Coverage from 0 to 1, row by row, as the fields describe the buffer.
    public var values: [Float] {
        guard let width = int("width"), let height = int("height"), let stride = int("stride"),
            let format = string("format"), let buffer
        else { return [] }
        let bytes = Frame.bytes(of: buffer)
        return bytes.withUnsafeBytes { bytes in
            (0..<height).flatMap { y in
                (0..<width).map { x in Self.value(bytes, row: y * stride, x, format) }
            }
        }
    }

    private static func value(_ bytes: UnsafeRawBufferPointer, row: Int, _ x: Int, _ format: String) -> Float
    {
        switch format {
        case "gray8": Float(bytes[row + x]) / 255
        case "f16": Self.half(bytes.load(fromByteOffset: row + 2 * x, as: UInt16.self))
        default: bytes.load(fromByteOffset: row + 4 * x, as: Float.self)
        }
    }

    /// Returns a half float by the definition of IEEE 754; masks have no negative, infinite or undefined
    /// values.
    private static func half(_ bits: UInt16) -> Float {
        let (exponent, fraction) = (Int(bits >> 10), Float(bits & 0x3ff) / 1024)
        return exponent == 0
            ? Float(sign: .plus, exponent: -14, significand: fraction)
            : Float(sign: .plus, exponent: exponent - 15, significand: 1 + fraction)
    }
}

/// Metadata that a test attaches to a frame: a mask unless it has another name.
public struct HandMadeMask {
    /// A field's value.
    public enum Value: Sendable, Equatable {
        /// `gint`
        case int(Int)
        /// `guint64`
        case time(UInt64)
        /// `gint64`
        case long(Int64)
        /// A string.
        case text(String)
        /// `gdouble`
        case double(Double)
        /// `GstValueArray` of `gdouble`
        case numbers([Double])
        /// `GstStructure` with these fields.
        indirect case structure([String: Value])
        /// `GstFraction`
        case fraction(Int, Int)
        /// A buffer of these bytes.
        case bytes([UInt8])
        /// `GstValueList` of structures with these fields.
        indirect case list([[String: Value]])
    }

    /// The fields that `attach` writes.
    public var fields: [String: Value]
    /// The name of the metadata.
    private let name: String

    /// Makes metadata with another name.
    public init(named name: String, _ fields: [String: Value]) { (self.name, self.fields) = (name, fields) }

    /// Makes a gray8 mask; `coverage` receives column and row.
    public init(width: Int, height: Int, _ coverage: (Int, Int) -> UInt8) {
        let bytes = (0..<height).flatMap { y in (0..<width).map { coverage($0, y) } }
        name = MaskMeta.name
        fields = Self.fields(width, height, stride: width, "gray8", bytes)
    }

    /// Makes a float mask; `coverage` receives column and row.
    public init(floats width: Int, height: Int, _ coverage: (Int, Int) -> Float) {
        let bytes = (0..<height).flatMap { y in
            (0..<width).flatMap { x in withUnsafeBytes(of: coverage(x, y)) { Array($0) } }
        }
        name = MaskMeta.name
        fields = Self.fields(width, height, stride: 4 * width, "f32", bytes)
    }

    private static func fields(
        _ width: Int, _ height: Int, stride: Int, _ format: String, _ bytes: [UInt8]
    ) -> [String: Value] {
        [
            "mask": .bytes(bytes), "width": .int(width), "height": .int(height), "stride": .int(stride),
            "format": .text(format), "age": .int(0), "interval": .time(40_000_000),
        ]
    }

    /// Returns a copy with a changed field; nil removes the field.
    public func with(_ field: String, _ value: Value?) -> HandMadeMask {
        var copy = self
        copy.fields[field] = value
        return copy
    }

    /// Attaches the metadata to `frame`.
    public func attach(to frame: Frame) throws {
        guard let meta = gst_buffer_add_custom_meta(frame.buffer, name),
            let structure = gst_custom_meta_get_structure(meta)
        else { throw SetupFailure("no meta called \(name)") }
        for (name, value) in fields { value.write(to: structure, name) }
    }
}

extension HandMadeMask.Value {
    fileprivate func write(to structure: UnsafeMutablePointer<GstStructure>, _ name: String) {
        var value = GValue()
        switch self {
        case .int(let number):
            g_value_init(&value, GType(people_g_type_int))
            g_value_set_int(&value, gint(truncatingIfNeeded: number))
        case .time(let time):
            g_value_init(&value, GType(people_g_type_uint64))
            g_value_set_uint64(&value, guint64(time))
        case .long(let number):
            g_value_init(&value, g_type_from_name("gint64"))
            g_value_set_int64(&value, gint64(number))
        case .fraction(let numerator, let denominator):
            g_value_init(&value, people_type_fraction())
            gst_value_set_fraction(&value, gint(numerator), gint(denominator))
        case .double(let number):
            g_value_init(&value, GType(people_g_type_double))
            g_value_set_double(&value, number)
        case .numbers(let numbers):
            g_value_init(&value, gst_value_array_get_type())
            for number in numbers {
                var item = GValue()
                g_value_init(&item, GType(people_g_type_double))
                g_value_set_double(&item, number)
                gst_value_array_append_and_take_value(&value, &item)
            }
        case .structure(let fields):
            g_value_init(&value, gst_structure_get_type())
            g_value_take_boxed(&value, Self.structure(fields))
        case .text(let text):
            g_value_init(&value, GType(people_g_type_string))
            g_value_set_string(&value, text)
        case .bytes(let bytes):
            g_value_init(&value, people_type_buffer())
            let buffer = gst_buffer_new_allocate(nil, gsize(bytes.count), nil)
            gst_buffer_fill(buffer, 0, bytes, gsize(bytes.count))
            g_value_take_boxed(&value, buffer)
        case .list(let items):
            g_value_init(&value, gst_value_list_get_type())
            for fields in items {
                var item = GValue()
                g_value_init(&item, gst_structure_get_type())
                g_value_take_boxed(&item, Self.structure(fields))
                gst_value_list_append_and_take_value(&value, &item)
            }
        }
        gst_structure_take_value(structure, name, &value)
    }

    private static func structure(_ fields: [String: Self]) -> UnsafeMutablePointer<GstStructure>? {
        guard let structure = gst_structure_new_empty("instance") else { return nil }
        for (name, field) in fields { field.write(to: structure, name) }
        return structure
    }
}

extension MaskMeta.Instance {
    fileprivate init?(_ value: UnsafePointer<GValue>?) {
        guard let value, let fields = gst_value_get_structure(value),
            let mask = MaskMeta.buffer(of: UnsafeMutablePointer(mutating: fields))
        else { return nil }
        let names = ["id", "label", "x", "y", "width", "height", "confidence"]
        let numbers = names.compactMap { number(UnsafeMutablePointer(mutating: fields), $0) }
        guard numbers.count == names.count else { return nil }
        self.init(
            id: Int(numbers[0]), label: Int(numbers[1]), box: Array(numbers[2...5]),
            mask: Frame.bytes(of: mask))
    }
}
