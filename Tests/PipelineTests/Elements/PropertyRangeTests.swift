import CGStreamer
import TestSupport
import Testing

/// Every property at the limits of its range, while frames flow.
struct PropertyRangeTests {
    /// Properties whose models take seconds to load, or that refuse frames on purpose.
    private static let others = ["quality", "precision", "no-mask"]

    @Test(arguments: ElementCase.all)
    func takesTheEndsOfEachRange(_ element: ElementCase) throws {
        let frame = try ElementCase.grayFrame()
        let harness = try element.harness(frame.caps)
        let properties = PropertyDescription.all(of: element.name)
        #expect(properties.count >= 3)
        for property in properties where !Self.others.contains(property.name) {
            for value in property.ends {
                harness.set(property.name, value)
                #expect(harness.push(frame) == GST_FLOW_OK, "\(property.name)=\(value)")
                harness.drain()
                #expect(harness.pull() != nil)
            }
        }
    }
}

extension PropertyDescription {
    /// The limits of the range, with the default last.
    fileprivate var ends: [String] {
        switch kind {
        case .number(let minimum, let maximum, let usual): [minimum, maximum, usual]
        case .choice(let words, let usual): words + [usual]
        case .text: []
        }
    }
}
