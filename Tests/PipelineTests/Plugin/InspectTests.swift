import Foundation
import TestSupport
import Testing

/// What `gst-inspect-1.0` tells about every property.
struct InspectTests {
    @Test(arguments: ElementCase.all.map(\.name))
    func describesEveryProperty(_ element: String) throws {
        let properties = Self.properties(in: try Subprocess.run("gst-inspect-1.0", [element]).output)
        let own = properties.filter { !["name", "parent", "qos"].contains($0.key) }
        #expect(own.count >= 3, "\(own.keys)")
        for (name, lines) in own {
            #expect((lines.first?.count ?? 0) > 15, "\(name) has no description")
            #expect(lines.contains { $0.contains("flags: readable, writable") }, "\(name) has no flags")
            #expect(lines.contains { $0.contains("changeable") }, "\(name) does not say when it may change")
        }
    }

    /// Ranges, defaults, choices and descriptions are those of `docs/elements.md`.
    @Test func isWhatTheDocumentsSay() throws {
        let script = Checkout.root.appendingPathComponent("docs/update-elements").path
        let result = try Subprocess.run("/usr/bin/python3", [script, "--check"])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func printsColoursAsTheyAreTyped() throws {
        let text = try Subprocess.run("gst-inspect-1.0", ["blendmask"]).output
        let properties = Self.properties(in: text)
        for (name, color) in [("background-color", "0xff000000"), ("halo-color", "0xffffffff")] {
            #expect(properties[name]?.first?.hasSuffix("0xAARRGGBB, \(color) by default") == true)
        }
    }

    /// What the maker of a package has told when it was built, or that nobody has.
    @Test func tellsWhereItComesFrom() throws {
        let told = ProcessInfo.processInfo.environment
        let text = try Subprocess.run("gst-inspect-1.0", ["personsegment"]).output
        for (label, name, usual) in [
            ("Author", "AUTHORS", "The gst-people authors"),
            ("Binary package", "PACKAGE_NAME", "gst-people"),
            ("Origin URL", "PACKAGE_ORIGIN", "Unknown package origin"),
        ] {
            let line = text.split(separator: "\n").first { $0.hasPrefix("  \(label) ") }
            #expect(line?.hasSuffix("  " + (told["GST_PEOPLE_\(name)"] ?? usual)) == true, "\(label)")
        }
    }

    @Test func sitsInTheRightClass() throws {
        let segment = try Subprocess.run("gst-inspect-1.0", ["personsegment"]).output
        #expect(segment.contains("Filter/Analyzer/Video"))
        #expect(segment.contains("none (0)"))
        for quality in ["fast", "balanced", "accurate"] { #expect(segment.contains("): \(quality) ")) }
        let blend = try Subprocess.run("gst-inspect-1.0", ["blendmask"]).output
        #expect(blend.contains("Filter/Effect/Video"))
    }

    /// The lines about each property, by its name.
    private static func properties(in text: String) -> [String: [String]] {
        var properties: [String: [String]] = [:]
        var name: String?
        let section = text.components(separatedBy: "Element Properties:").last ?? ""
        for line in section.split(separator: "\n").map(String.init) {
            // A property's first line is "  name       : blurb", its others are indented further.
            if line.hasPrefix("  "), !line.hasPrefix("   "), let colon = line.range(of: ": ") {
                let found = line[..<colon.lowerBound].trimmingCharacters(in: .whitespaces)
                name = found
                properties[found] = [String(line[colon.upperBound...])]
            } else if let name {
                properties[name]?.append(line)
            }
        }
        return properties
    }
}
