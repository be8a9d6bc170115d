import CGStreamer
import TestSupport
import Testing

/// `GstPeopleMask` and `GstPeopleFaces` built by a hostile element upstream.
///
/// The masks contain no person, if they are masks at all, so a frame that is not covered completely is shown
/// by accident.
struct MaskFuzzTests {
    private static let cover: [UInt8] = [0, 177, 64]
    private static let line = "blendmask background-color=0xff00b140 silent-cover=true"
    private let frame: Frame

    init() throws {
        frame = try Frame(caps("RGB", 16, 8))
        frame.fillBytes(with: 99)
    }

    private static func isCovered(_ frame: Frame) -> Bool {
        (0..<3).allSatisfy { index in frame.samples(index).allSatisfy { $0.allSatisfy { $0 == cover[index] } }
        }
    }

    @Test func malformedMasksShowNoPixelOfTheFrame() throws {
        let harness = try Harness(Self.line, caps: frame.caps)
        let others = try ["personsegment quality=fast", "facepose draw=landmarks"].map {
            try Harness($0, caps: frame.caps)
        }
        try Fuzz(surface: "masks", usual: 500).run { generator in
            let carrying = frame.duplicate()
            for _ in 0..<generator.pick([1, 1, 2, 4]) { try attachMask(to: carrying, &generator) }
            var wrong: String?
            let faults = ReportedFaults.during {
                if generator.once(in: 4) { harness.set("keep-mask", generator.pick(["true", "false"])) }
                if generator.once(in: 4) { harness.set("max-mask-age", generator.pick(["-1", "0", "5"])) }
                wrong = fault(of: harness, carrying)
                // Analysers replace metadata of their kind; they cost more.
                guard generator.once(in: 100) else { return }
                for other in others {
                    if other.push(carrying) != GST_FLOW_OK || other.pull() == nil { wrong = "refused" }
                }
            }
            openCircles(of: carrying)
            return wrong ?? faults.first
        }
    }

    private func fault(of harness: Harness, _ carrying: Frame) -> String? {
        let flow = harness.push(carrying)
        // Streams without usable masks get a warning; no other message is allowed.
        let messages = harness.messages().filter { $0.kind == .error }
        guard flow == GST_FLOW_OK, messages.isEmpty, let result = harness.pull() else {
            return "flow \(flow.rawValue), \(messages)"
        }
        return Self.isCovered(result) ? nil : "shows \((0..<3).map { result.samples($0) })"
    }

    private func attachMask(to frame: Frame, _ generator: inout SeededGenerator) throws {
        let mask = HandMadeMask(width: 16, height: 8) { _, _ in 0 }
        try mask.attach(to: frame)
        var (state, last): (gpointer?, UnsafeMutablePointer<GstMeta>?) = (nil, nil)
        let api = gst_meta_get_info(MaskMeta.name)?.pointee.api ?? 0
        while let meta = gst_buffer_iterate_meta_filtered(frame.buffer, &state, api) { last = meta }
        guard let last, let fields = structure(of: last) else { throw SetupFailure("no mask") }
        let names =
            Array(mask.fields.keys).sorted() + [
                "frame-width", "frame-height", "pixel-aspect-ratio", "orientation", "quality", "timestamp",
                "revision",
            ]
        for _ in 0..<generator.pick([0, 1, 1, 2, 5]) {
            let name = generator.pick(names)
            if generator.once(in: 6) {
                gst_structure_remove_field(fields, name)
            } else {
                var value = generator.wildValue()
                gst_structure_take_value(fields, name, &value)
            }
        }
        if generator.once(in: 20) { closeCircle(frame, fields) }
    }

    /// Attaches a mask whose buffer carries a mask with that same buffer.
    private func closeCircle(_ frame: Frame, _ fields: UnsafeMutablePointer<GstStructure>) {
        guard let inner = gst_buffer_new_allocate(nil, 128, nil) else { return }
        gst_buffer_memset(inner, 0, 0, 128)
        let circle = gst_buffer_add_custom_meta(inner, MaskMeta.name)
        // The field's reference is taken last: only the sole owner may change metadata.
        set(inner, gst_custom_meta_get_structure(circle))
        gst_buffer_ref(inner)
        set(inner, fields)
    }

    /// Sets the field `mask`, which takes the reference over.
    private func set(_ buffer: UnsafeMutablePointer<GstBuffer>, _ fields: UnsafeMutablePointer<GstStructure>?)
    {
        var value = GValue()
        g_value_init(&value, people_type_buffer())
        g_value_take_boxed(&value, buffer)
        gst_structure_take_value(fields, "mask", &value)
    }

    /// Breaks reference cycles, which would keep themselves alive.
    private func openCircles(of frame: Frame) {
        var state: gpointer?
        let api = gst_meta_get_info(MaskMeta.name)?.pointee.api ?? 0
        while let meta = gst_buffer_iterate_meta_filtered(frame.buffer, &state, api) {
            guard let inner = MaskMeta.buffer(of: structure(of: meta)),
                let circle = gst_buffer_get_custom_meta(inner, MaskMeta.name),
                let value = gst_structure_get_value(gst_custom_meta_get_structure(circle), "mask")
            else { continue }
            // The pointer of a boxed value follows its type.
            UnsafeMutableRawPointer(mutating: value).storeBytes(
                of: nil, toByteOffset: MemoryLayout<GType>.stride, as: gpointer?.self)
            gst_buffer_unref(inner)
        }
    }

    private func structure(of meta: UnsafeMutablePointer<GstMeta>) -> UnsafeMutablePointer<GstStructure>? {
        gst_custom_meta_get_structure(
            UnsafeMutableRawPointer(meta).assumingMemoryBound(to: GstCustomMeta.self))
    }

    @Test func malformedFacesShowNoPixelOfTheFrame() throws {
        let harness = try Harness("blendmask silent-cover=true background-source=pose", caps: frame.caps)
        try Fuzz(surface: "faces", usual: 500).run { generator in
            let carrying = frame.duplicate()
            for _ in 0..<generator.pick([1, 1, 3]) {
                guard let meta = gst_buffer_add_custom_meta(carrying.buffer, FacesMeta.name) else {
                    return "no meta"
                }
                var list = GValue()
                g_value_init(&list, gst_value_list_get_type())
                for _ in 0..<generator.pick([0, 1, 3]) {
                    var face = GValue()
                    g_value_init(&face, gst_structure_get_type())
                    g_value_take_boxed(&face, generator.wildStructure(depth: 2))
                    gst_value_list_append_and_take_value(&list, &face)
                }
                if generator.once(in: 5) {
                    g_value_unset(&list)
                    list = generator.wildValue()
                }
                gst_structure_take_value(gst_custom_meta_get_structure(meta), "faces", &list)
            }
            var wrong: String?
            let faults = ReportedFaults.during {
                let flow = harness.push(carrying)
                let errors = harness.messages().filter { $0.kind == .error }
                guard flow == GST_FLOW_OK, errors.isEmpty, let result = harness.pull() else {
                    return wrong = "flow \(flow.rawValue), \(errors)"
                }
                let isPlain = (0..<3).allSatisfy { index in
                    Set(result.samples(index).joined()).count == 1
                }
                if !isPlain { wrong = "not one colour" }
            }
            return wrong ?? faults.first
        }
    }
}
