import CGStreamer
package import Imaging

// Metadata of a frame on another frame, which shows a part of the first at another size. Maps are from the unit square of
// the first frame to that of the other.

extension VideoFrame {
    /// Attaches copies of each `kind` of another frame; those for which `change` returns false are left out.
    package func attachCopies(
        of kind: CustomMeta, from frame: borrowing VideoFrame,
        _ change: (StructureReader, StructureWriter) -> Bool
    ) {
        let target = buffer
        frame.forEach(kind) { fields in
            kind.name.withCString { name in
                guard let meta = gst_buffer_add_custom_meta(target, name),
                    let structure = gst_custom_meta_get_structure(meta)
                else { return }
                fields.copy(to: structure)
                let copy = (StructureReader(structure: structure), StructureWriter(structure: structure))
                guard !change(copy.0, copy.1) else { return }
                let base = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstMeta.self)
                gst_buffer_remove_meta(target, base)
            }
        }
    }

    /// Attaches copies of the regions of interest of another frame, except those that this frame does not show.
    package func attachRegions(of frame: borrowing VideoFrame, movedBy map: FrameTransform) {
        let api = gst_video_region_of_interest_meta_api_get_type()
        let size = Size(width: frame.info.width, height: frame.info.height)
        var state: gpointer?
        while let meta = gst_buffer_iterate_meta_filtered(frame.buffer, &state, api) {
            let region = UnsafeMutableRawPointer(meta).assumingMemoryBound(
                to: GstVideoRegionOfInterestMeta.self)
            attach(region.pointee, of: size, movedBy: map)
        }
    }

    private func attach(_ region: GstVideoRegionOfInterestMeta, of size: Size, movedBy map: FrameTransform) {
        let place = Rectangle(
            x: Double(region.x) / size.width, y: Double(region.y) / size.height,
            width: Double(region.w) / size.width,
            height: Double(region.h) / size.height)
        let pixels = PixelRect(map.map(place), width: info.width, height: info.height)
        guard pixels.width > 0, pixels.height > 0,
            let moved = gst_buffer_add_video_region_of_interest_meta_id(
                buffer, region.roi_type, guint(clamping: pixels.x), guint(clamping: pixels.y),
                guint(clamping: pixels.width), guint(clamping: pixels.height))
        else { return }
        (moved.pointee.id, moved.pointee.parent_id) = (region.id, region.parent_id)
        var node = region.params
        while let item = node?.pointee {
            if let fields = item.data?.assumingMemoryBound(to: GstStructure.self),
                let copy = gst_structure_copy(fields)
            {
                StructureWriter(structure: copy).moveEdges(by: map)
                gst_video_region_of_interest_meta_add_param(moved, copy)
            }
            node = item.next
        }
    }
}

extension StructureReader {
    fileprivate func copy(to target: UnsafeMutablePointer<GstStructure>) {
        for index in 0..<gst_structure_n_fields(structure) {
            guard let name = gst_structure_nth_field_name(structure, guint(index)),
                let value = gst_structure_get_value(structure, name)
            else { continue }
            gst_structure_set_value(target, name, value)
        }
    }

    /// Calls `body` with each structure of a list, for reading and for writing.
    ///
    /// The fields belong to a frame and can be written.
    package func edit(_ list: StaticString, _ body: (StructureReader, StructureWriter) -> Void) {
        forEach(list) { body($0, StructureWriter(structure: $0.structure)) }
    }
}

extension StructureWriter {
    /// Moves the box of the fields `x`, `y`, `width` and `height`.
    package func moveBox(by map: FrameTransform) {
        guard let box = StructureReader(structure: structure).box else { return }
        let moved = map.map(box)
        set("x", moved.x)
        set("y", moved.y)
        set("width", moved.width)
        set("height", moved.height)
    }

    /// Moves the box of the fields of a region's `detection`.
    fileprivate func moveEdges(by map: FrameTransform) {
        let fields = StructureReader(structure: structure)
        guard let left = fields.double("x_min"), let top = fields.double("y_min"),
            let right = fields.double("x_max"),
            let bottom = fields.double("y_max")
        else { return }
        let moved = map.map(Rectangle(x: left, y: top, width: right - left, height: bottom - top))
        set("x_min", moved.x)
        set("y_min", moved.y)
        set("x_max", moved.x + moved.width)
        set("y_max", moved.y + moved.height)
    }

    /// Moves the points of all arrays of a structure inside this one: x, y and confidence follow each other.
    package func movePoints(of field: StaticString, by map: FrameTransform) {
        guard let inner = StructureReader(structure: structure).structure(field)?.structure else { return }
        for index in 0..<gst_structure_n_fields(inner) {
            guard let name = gst_structure_nth_field_name(inner, guint(index)) else { continue }
            Self.movePoints(gst_structure_get_value(inner, name), by: map, depth: 1)
        }
    }

    /// Moves the points of an array: x, y and depth follow each other.
    ///
    /// - Parameter depth: factor of the depths.
    package func movePoints(ofArray field: StaticString, by map: FrameTransform, depth: Double) {
        Self.movePoints(field.withCString { gst_structure_get_value(structure, $0) }, by: map, depth: depth)
    }

    private static func movePoints(_ array: UnsafePointer<GValue>?, by map: FrameTransform, depth: Double) {
        guard let array, g_type_check_value_holds(array, gst_value_array_get_type()) != 0 else { return }
        let count = gst_value_array_get_size(array)
        for first in stride(from: guint(0), to: count - count % 3, by: 3) {
            guard let x = number(first, of: array), let y = number(first + 1, of: array),
                let z = number(first + 2, of: array)
            else { continue }
            let point = map.map(Point(x: g_value_get_double(x), y: g_value_get_double(y)))
            g_value_set_double(x, point.x)
            g_value_set_double(y, point.y)
            if depth != 1 { g_value_set_double(z, g_value_get_double(z) * depth) }
        }
    }

    private static func number(_ index: guint, of array: UnsafePointer<GValue>) -> UnsafeMutablePointer<
        GValue
    >? {
        guard let value = gst_value_array_get_value(array, index),
            g_type_check_value_holds(value, GType(people_g_type_double)) != 0
        else { return nil }
        return UnsafeMutablePointer(mutating: value)
    }
}
