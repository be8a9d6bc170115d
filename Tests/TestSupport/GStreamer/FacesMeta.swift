import CGStreamer

/// A `GstPeopleFaces` as another program reads it: by its registered name, field by field.
public struct FacesMeta {
    /// The name under which the meta is registered.
    public static let name = "GstPeopleFaces"

    /// One face of the list; box normalised, angles in radians.
    public struct Face: Sendable {
        /// Id that is unique among the faces of a stream.
        public let id: Int
        /// x, y, width, height.
        public let box: [Double]
        /// Confidence, 0 to 1.
        public let confidence: Double
        /// Positive counter-clockwise.
        public let roll: Double
        /// Positive to the right of the image.
        public let yaw: Double
        /// Positive down.
        public let pitch: Double
    }

    /// All faces, in the list's order.
    public let faces: [Face]
    /// `frame-width` and `frame-height`.
    public let frameSize: [Int]

    /// Reads the meta of `frame`; nil if it has none, or a field is missing.
    public init?(_ frame: Frame) {
        guard let meta = gst_buffer_get_custom_meta(frame.buffer, Self.name),
            let structure = gst_custom_meta_get_structure(meta),
            let list = gst_structure_get_value(structure, "faces")
        else { return nil }
        let items = (0..<gst_value_list_get_size(list)).map { Face(gst_value_list_get_value(list, $0)) }
        faces = items.compactMap { $0 }
        frameSize = ["frame-width", "frame-height"].map { number(structure, $0).map { Int($0) } ?? 0 }
        guard faces.count == items.count else { return nil }
    }
}

extension FacesMeta.Face {
    init?(_ value: UnsafePointer<GValue>?) {
        guard let value, let structure = gst_value_get_structure(value) else { return nil }
        let pointer = UnsafeMutablePointer(mutating: structure)
        let names = ["id", "x", "y", "width", "height", "confidence", "roll", "yaw", "pitch"]
        let numbers = names.compactMap { number(pointer, $0) }
        guard numbers.count == names.count else { return nil }
        self.init(
            id: Int(numbers[0]), box: Array(numbers[1...4]), confidence: numbers[5], roll: numbers[6],
            yaw: numbers[7], pitch: numbers[8])
    }
}

/// Returns the value of a field with either type of number.
func number(_ structure: UnsafeMutablePointer<GstStructure>, _ field: String) -> Double? {
    var (real, whole): (gdouble, gint) = (0, 0)
    if gst_structure_get_double(structure, field, &real) != 0 { return real }
    return gst_structure_get_int(structure, field, &whole) != 0 ? Double(whole) : nil
}

/// A region of interest as encoders and other plugins read it, in pixels.
public struct Region: Sendable, Equatable {
    /// The kind of thing in the region.
    public let kind: String
    /// x, y, width, height.
    public let box: [Int]
    /// Id of the tracked object.
    public let id: Int

    /// Returns all regions of `frame`.
    public static func all(of frame: Frame) -> [Region] {
        var (regions, state): ([Region], gpointer?) = ([], nil)
        let type = gst_video_region_of_interest_meta_api_get_type()
        while let meta = gst_buffer_iterate_meta_filtered(frame.buffer, &state, type) {
            let region = UnsafeMutableRawPointer(meta)
                .assumingMemoryBound(to: GstVideoRegionOfInterestMeta.self).pointee
            regions.append(
                Region(
                    kind: String(cString: g_quark_to_string(region.roi_type)),
                    box: [region.x, region.y, region.w, region.h].map { Int($0) }, id: Int(region.id)))
        }
        return regions
    }
}

/// Faces that a test attaches to a frame.
public struct HandMadeFaces {
    private let faces: [[String: Double]]

    /// Makes faces of their fields, which are written as doubles.
    public init(_ faces: [[String: Double]]) { self.faces = faces }

    /// Attaches the faces to `frame`.
    public func attach(to frame: Frame) throws {
        guard let meta = gst_buffer_add_custom_meta(frame.buffer, FacesMeta.name),
            let structure = gst_custom_meta_get_structure(meta)
        else { throw SetupFailure("no meta called \(FacesMeta.name)") }
        var list = GValue()
        g_value_init(&list, gst_value_list_get_type())
        for face in faces {
            let item = gst_structure_new_empty("face")
            for (name, number) in face {
                var value = GValue()
                g_value_init(&value, GType(people_g_type_double))
                g_value_set_double(&value, number)
                gst_structure_take_value(item, name, &value)
            }
            var value = GValue()
            g_value_init(&value, gst_structure_get_type())
            g_value_take_boxed(&value, item)
            gst_value_list_append_and_take_value(&list, &value)
        }
        gst_structure_take_value(structure, "faces", &list)
    }
}
