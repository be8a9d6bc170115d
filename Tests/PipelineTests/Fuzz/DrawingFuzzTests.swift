import CGStreamer
import TestSupport
import Testing

/// Drawings of faces, bodies and hands that a hostile element upstream has written.
struct DrawingFuzzTests {
    /// Kinds of metadata, and the names of their lists: `GstPeopleFaces` has `faces`.
    private static let kinds = ElementCase.lists.map { ($0, $0.dropFirst("GstPeople".count).lowercased()) }

    @Test func malformedMetadataBreaksNothing() throws {
        let frame = try Frame(caps("A420", 16, 8))
        let harness = try Harness("poseoverlay bodies=all hands=all", caps: frame.caps)
        try Fuzz(surface: "drawings", usual: 500).run { generator in
            let carrying = frame.duplicate()
            for (kind, name) in Self.kinds {
                guard let meta = gst_buffer_add_custom_meta(carrying.buffer, kind) else { return "no meta" }
                var list = GValue()
                g_value_init(&list, gst_value_list_get_type())
                for _ in 0..<generator.pick([0, 1, 3]) {
                    var thing = GValue()
                    g_value_init(&thing, gst_structure_get_type())
                    g_value_take_boxed(&thing, generator.wildStructure(depth: 3))
                    gst_value_list_append_and_take_value(&list, &thing)
                }
                gst_structure_take_value(gst_custom_meta_get_structure(meta), name, &list)
            }
            var wrong: String?
            let faults = ReportedFaults.during {
                let flow = harness.push(carrying)
                if flow != GST_FLOW_OK || harness.pull() == nil { wrong = "flow \(flow.rawValue)" }
            }
            return wrong ?? faults.first
        }
    }
}
