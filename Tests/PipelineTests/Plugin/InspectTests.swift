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

    /// Hosts choose effects by their class, and show icons and pages.
    @Test(arguments: ElementCase.all.map(\.name))
    func isDescribedForHosts(_ name: String) throws {
        let element = try #require(try PluginDescription.read().elements[name])
        let effects: Set = ["autoframe", "blendmask", "personbackground"]
        #expect(element.class.contains("Video"))
        #expect(element.class.contains("Effect") == effects.contains(name))
        #expect(element.icon == "org.gst_people.studio")
        let told = ProcessInfo.processInfo.environment["GST_PEOPLE_DOCUMENTATION"]
        let page = told ?? "file:///usr/share/doc/gst-people/docs/elements.md"
        #expect(element.documentation == "\(page)#\(name)")
        #expect(element.interfaces.contains("GstPreset"))
    }

    /// A host can control each number, word and flag, except those that load models, and `hide-room`.
    @Test(arguments: ElementCase.all.map(\.name))
    func canBeControlled(_ name: String) throws {
        let properties = try #require(try PluginDescription.read().elements[name]).properties
        let others: Set = ["quality", "revision", "precision", "threads", "hide-room"]
        for (name, property) in properties where !["gchararray", "gint64"].contains(property.type) {
            #expect(property.isControllable == !others.contains(name), "\(name)")
            #expect(property.changesWhilePlaying, "\(name)")
        }
    }

    /// An effect with both elements would have two properties of one name and different types.
    @Test func namesOfBothElementsDiffer() throws {
        let elements = try PluginDescription.read().elements
        let names = ["personsegment", "blendmask"].map { name in
            Set((elements[name]?.properties ?? [:]).filter { !$0.value.isDeprecated }.keys)
        }
        #expect(names[0].isDisjoint(with: names[1]) && !names[0].isEmpty)
    }

    @Test func qualityHasThreeLevels() throws {
        let quality = try #require(
            PropertyDescription.all(of: "personsegment").first { $0.name == "quality" })
        guard case .choice(let levels, _) = quality.kind else { throw SetupFailure("quality is no choice") }
        #expect(levels == ["fast", "balanced", "accurate"])
    }
}
