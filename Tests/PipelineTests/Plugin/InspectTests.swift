import Foundation
import TestSupport
import Testing

/// Plugin, elements and properties as `gst-inspect-1.0` and other programs read them.
struct InspectTests {
    @Test(arguments: ElementCase.all.map(\.name))
    func describesEveryProperty(_ element: String) throws {
        let properties = try #require(try PluginDescription.read().elements[element]).properties
        #expect(properties.count >= 3, "\(properties.keys)")
        for (name, property) in properties {
            #expect(property.blurb.count > 15, "\(name) has no description")
            #expect(property.isReadable && property.isWritable, "\(name)")
            #expect(property.saysWhenItChanges, "\(name)")
        }
    }

    /// Ranges, defaults, choices and descriptions are those of `docs/elements.md`.
    @Test func matchesTheDocuments() throws {
        let script = Checkout.root.appendingPathComponent("docs/update-elements").path
        let result = try Subprocess.run("/usr/bin/python3", [script, "--check"])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func printsColoursAsTheyAreTyped() throws {
        let properties = try #require(try PluginDescription.read().elements["blendmask"]).properties
        for (name, color) in [("background-color", "0xff000000"), ("halo-color", "0xffffffff")] {
            let numbers = properties[name]?.blurb.matches(of: #/0x[0-9a-f]{8}/#).map { String($0.0) }
            #expect(numbers == [color])
        }
    }

    /// The origin is the one given by the maker of a package at build time, or a default.
    @Test func namesItsOrigin() throws {
        let told = ProcessInfo.processInfo.environment
        let plugin = try PluginDescription.read()
        let authors = Set(plugin.elements.values.map(\.author))
        #expect(authors == [told["GST_PEOPLE_AUTHORS"] ?? "The gst-people authors"])
        #expect(plugin.package == told["GST_PEOPLE_PACKAGE_NAME"] ?? "gst-people")
        #expect(plugin.origin == told["GST_PEOPLE_PACKAGE_ORIGIN"] ?? "Unknown package origin")
    }

    /// No element has a rank, by which GStreamer could choose it unasked.
    @Test func elementsHaveTheirClassAndNoRank() throws {
        let elements = try PluginDescription.read().elements
        #expect(elements["personsegment"]?.class == "Filter/Analyzer/Video")
        #expect(elements["blendmask"]?.class == "Filter/Effect/Video")
        #expect(elements.values.allSatisfy { $0.rank == 0 })
    }

    @Test func qualityHasThreeLevels() throws {
        let quality = try #require(
            PropertyDescription.all(of: "personsegment").first { $0.name == "quality" })
        guard case .choice(let levels, _) = quality.kind else { throw SetupFailure("quality is no choice") }
        #expect(levels == ["fast", "balanced", "accurate"])
    }
}
