import CGStreamer
import TestSupport
import Testing

/// Texts as values of properties, before the start and while frames flow.
struct PropertyFuzzTests {
    /// Properties that wait for other machines, or for seconds.
    private static let patient = ["quality", "precision"]

    @Test func noTextBreaksAProperty() throws {
        let properties = ElementCase.all.flatMap { element in
            PropertyDescription.all(of: element.name).map { (element, $0) }
        }
        try Fuzz(surface: "properties", usual: 80).run { generator in
            let (element, property) = generator.pick(properties)
            let text = generator.wildText()
            let reported = try ReportedFaults.during {
                let bare = try BareElement(element.name, element.properties + [(property.name, text)])
                // Reading files and models takes longer, and may fail with a message.
                if generator.once(in: 10), !Self.patient.contains(property.name) {
                    if !bare.enter(GST_STATE_PAUSED), bare.message == nil {
                        Issue.record("\(element.name) is silent")
                    }
                }
                if !bare.dispose() { Issue.record("\(element.name) stays alive") }
            }
            // GLib 2.84 reports refused values, which earlier versions pass on.
            let faults = reported.filter { !$0.contains("invalid or out of range for property") }
            return faults.first.map { "\(element.name) \(property.name)=\(text.debugDescription): \($0)" }
        }
    }

    @Test func noTextStopsAStream() throws {
        let frame = try ElementCase.grayFrame()
        let streams = try ElementCase.all.map { element in
            let others = ["device", "model-path", "background", "no-mask"] + Self.patient
            let known = PropertyDescription.all(of: element.name).filter { !others.contains($0.name) }
            return (element, known, try element.harness(frame.caps))
        }
        try Fuzz(surface: "streams", usual: 60).run { generator in
            let (element, properties, harness) = generator.pick(streams)
            let (property, text) = (generator.pick(properties), generator.wildText())
            // GLib warns of values that are out of the property's range.
            _ = ReportedFaults.during { harness.set(property.name, text) }
            let flow = harness.push(frame)
            let isThere = harness.pull() != nil
            if case .number(_, _, let usual) = property.kind { harness.set(property.name, usual) }
            guard flow == GST_FLOW_OK, isThere else {
                return "\(element.name) \(property.name)=\(text.debugDescription): flow \(flow.rawValue)"
            }
            return nil
        }
    }
}
