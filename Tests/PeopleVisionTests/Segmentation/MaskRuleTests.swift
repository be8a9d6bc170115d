import Foundation
import PeopleVision
import TestSupport
import Testing

/// Tests of the list of rules.
struct MaskRuleTests {
    /// The walkthrough of a mask in docs/design.md names every rule, in the order in which they are applied.
    @Test func theDesignNamesTheRulesInTheirOrder() throws {
        let page = Checkout.root.appendingPathComponent("docs/design.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let start = try #require(text.range(of: "### From the frame to its mask"))
        let end = try #require(text.range(of: "### Other levels and sources"))
        let named = text[start.upperBound..<end.lowerBound].matches(of: #/`([a-z-]+)`/#).compactMap {
            MaskRule(rawValue: String($0.1))
        }
        #expect(named == MaskRule.allCases)
    }
}
