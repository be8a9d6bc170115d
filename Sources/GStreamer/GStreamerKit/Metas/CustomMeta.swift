import CGStreamer

/// A kind of metadata that any application can read by name (`gst_meta_register_custom`).
///
/// It follows the image through copies, format conversion and scaling. Other changes of the image (cropping,
/// turning, a scale that adds borders) drop the metadata, because they would no longer fit.
public struct CustomMeta: Sendable {
    /// The registered name: `GstPeopleMask`.
    public let name: StaticString

    /// Names a kind of metadata; `register` makes it known.
    public init(_ name: StaticString) { self.name = name }

    /// Registers the name with GStreamer; does nothing the second time.
    public func register() {
        name.withCString { name in
            guard gst_meta_get_info(name) == nil else { return }
            // Registration may keep the strings, so they are never freed.
            let names: [String] = ["video", "size", "orientation"]
            var tags = names.map { UnsafePointer<CChar>(g_strdup($0)) } + [nil]
            _ = gst_meta_register_custom(name, &tags, transformMeta, nil, nil)
        }
    }
}

extension VideoFrame {
    /// Attaches an empty `kind` that replaces those that the frame already has, and returns its fields for
    /// writing; nil when GStreamer refuses.
    public func attach(_ kind: CustomMeta) -> StructureWriter? {
        remove(kind)
        return kind.name.withCString { name in
            guard let meta = gst_buffer_add_custom_meta(buffer, name) else { return nil }
            return gst_custom_meta_get_structure(meta).map(StructureWriter.init)
        }
    }

    /// Returns the fields of the frame's `kind`; nil if the frame has none.
    public func read(_ kind: CustomMeta) -> StructureReader? {
        kind.name.withCString { name in
            guard let meta = gst_buffer_get_custom_meta(buffer, name) else { return nil }
            return gst_custom_meta_get_structure(meta).map(StructureReader.init)
        }
    }

    /// Calls `body` for each `kind` of the frame, in the order in which they were attached.
    public func forEach(_ kind: CustomMeta, _ body: (StructureReader) -> Void) {
        guard let api = kind.name.withCString({ gst_meta_get_info($0) })?.pointee.api else { return }
        var state: gpointer?
        while let meta = gst_buffer_iterate_meta_filtered(buffer, &state, api) {
            let custom = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstCustomMeta.self)
            if let structure = gst_custom_meta_get_structure(custom) {
                body(StructureReader(structure: structure))
            }
        }
    }

    /// Calls `body` for each structure in a list of the frame's `kind`, for reading and for writing.
    ///
    /// The fields belong to the frame and can be written.
    public func edit(
        _ kind: CustomMeta, _ list: StaticString, _ body: (StructureReader, StructureWriter) -> Void
    ) {
        read(kind)?.edit(list, body)
    }

    /// Removes the structures of a list of the frame's `kind` for which `isKept` returns false; removes the
    /// metadata if none is left.
    public func keep(_ kind: CustomMeta, _ list: StaticString, where isKept: (StructureReader) -> Bool) {
        guard let fields = read(kind), fields.keep(list, where: isKept) > 0 else { return remove(kind) }
    }

    /// Returns a number that is higher for metadata attached later; nil if the frame has no `kind`.
    public func position(of kind: CustomMeta) -> UInt64? {
        kind.name.withCString { name in
            gst_buffer_get_custom_meta(buffer, name).map {
                UInt64(gst_meta_get_seqnum(UnsafeMutableRawPointer($0).assumingMemoryBound(to: GstMeta.self)))
            }
        }
    }

    /// Removes every `kind` of the frame.
    public func remove(_ kind: CustomMeta) {
        kind.name.withCString { name in
            while let meta = gst_buffer_get_custom_meta(buffer, name) {
                let base = UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstMeta.self)
                // A locked meta stays; another attempt would not end.
                guard gst_buffer_remove_meta(buffer, base) != 0 else { return }
            }
        }
    }
}

// MARK: - Elements that attach it

extension VideoElement {
    /// Whether an element upstream attaches `kind`.
    public func isAttachedUpstream(_ kind: CustomMeta) -> Bool {
        guard let structure = kind.name.withCString({ gst_structure_new_empty($0) }),
            let query = GStreamer.Query(gst_query_new_custom(GST_QUERY_CUSTOM, structure))
        else { return false }
        return gst_pad_peer_query(gstTransform.pointee.sinkpad, query.pointer()) != 0
    }

    /// Whether `query` asks for a kind of metadata that this element attaches.
    func attachesMeta(of query: UnsafeMutablePointer<GstQuery>) -> Bool {
        guard people_query_type(query) == GST_QUERY_CUSTOM, let structure = gst_query_get_structure(query)
        else { return false }
        return Self.attachedMetas.contains { kind in
            kind.name.withCString { gst_structure_has_name(structure, $0) } != 0
        }
    }
}

// MARK: - Changes of the image

private let transformMeta: GstCustomMetaTransformFunction = { target, meta, source, type, data, _ in
    guard let target, let meta, staysTrue(under: type, data),
        let name = gst_structure_get_name(gst_custom_meta_get_structure(meta)),
        let copy = gst_buffer_add_custom_meta(target, name),
        let destination = gst_custom_meta_get_structure(copy)
    else { return 0 }
    // Fields are copied by value; a mask's buffer is shared by reference.
    let copyField: GstStructureForeachFunc = { field, value, destination in
        gst_structure_id_set_value(destination?.assumingMemoryBound(to: GstStructure.self), field, value)
        return 1
    }
    return gst_structure_foreach(gst_custom_meta_get_structure(meta), copyField, destination)
}

private func staysTrue(under type: GQuark, _ data: UnsafeMutableRawPointer?) -> Bool {
    if people_transform_is_copy(type) != 0 {
        // A part of the bytes is not a part of the image.
        return data?.assumingMemoryBound(to: GstMetaTransformCopy.self).pointee.region == 0
    }
    guard people_transform_is_scale(type) != 0, let data else { return false }
    let scale = data.assumingMemoryBound(to: GstVideoMetaTransform.self).pointee
    guard let input = scale.in_info, let output = scale.out_info else { return false }
    return keepsDisplayAspect(from: input.pointee, to: output.pointee)
}

/// Whether an image scaled from one size to the other needs no borders, to the nearest pixel.
func keepsDisplayAspect(from input: GstVideoInfo, to output: GstVideoInfo) -> Bool {
    let aspect = { (info: GstVideoInfo) in
        Double(info.width) * Double(max(1, info.par_n))
            / (Double(max(1, info.height)) * Double(max(1, info.par_d)))
    }
    let (wanted, got) = (aspect(input), aspect(output))
    // One pixel more or less on the shorter side comes from rounding, not from a border.
    let pixel = 1 / Double(max(1, min(output.width, output.height)))
    return abs(got / wanted - 1) <= pixel
}
