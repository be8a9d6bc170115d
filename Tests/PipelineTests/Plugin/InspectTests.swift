import Foundation
import TestSupport
import Testing

/// What `gst-inspect-1.0` tells about every property.
struct InspectTests {
    struct Expectation: Sendable {
        let element: String
        /// Property name to what its range line must hold, default included.
        let ranges: [String: String]
    }

    static let elements = [
        Expectation(
            element: "personsegment",
            ranges: [
                "quality": #"Enum "GstPeopleQuality" Default: 1, "balanced""#,
                "revision": "Range: 0 - 1 Default: 0",
                "mask-format": #"Enum "GstPeopleMaskFormat" Default: 0, "gray8""#,
                "inference-interval": "Range: 1 - 1000 Default: 1",
                "device": #"String. Default: "CPU""#,
                "threads": "Range: 0 - 256 Default: 0",
                "model-path": "String. Default: null",
                "precision": #"Enum "GstPeoplePrecision" Default: 0, "auto""#,
                "smoothing": "Range:               0 -               1 Default:            0.95",
                "threshold": "Range:               0 -               1 Default:               0",
                "feather": "Range:               0 -              20 Default:               0",
                "expand": "Range:             -20 -              20 Default:               0",
                "min-area": "Range:               0 -             100 Default:               0",
            ]),
        Expectation(
            element: "blendmask",
            ranges: [
                "background-source": #"Enum "GstPeopleBackgroundSource" Default: 0, "auto""#,
                "background": "String. Default: null",
                "mirror": "Boolean. Default: false",
                "background-fit": #"Enum "GstPeopleBackgroundFit" Default: 0, "cover""#,
                "background-color": "Default: 4278190080",
                "blur": "Range:               0 -             100 Default:               0",
                "exposure": "Range:             -10 -              10 Default:               0",
                "desaturate": "Range:               0 -               1 Default:               0",
                "shadow-opacity": "Range:               0 -               1 Default:               0",
                "shadow-x": "Range:            -100 -             100 Default:               1",
                "shadow-y": "Range:            -100 -             100 Default:               1",
                "shadow-radius": "Range:               0 -              50 Default:               2",
                "halo-width": "Range:               0 -              20 Default:               0",
                "halo-color": "Default: 4294967295",
                "decontaminate": #"Enum "GstPeopleDecontamination" Default: 2, "auto""#,
                "light-wrap": "Range:               0 -               1 Default:               0",
                "invert": "Boolean. Default: false",
                "premultiply": "Boolean. Default: false",
                "show": #"Enum "GstPeopleShown" Default: 0, "result""#,
                "no-mask": #"Enum "GstPeopleNoMaskPolicy" Default: 0, "cover""#,
                "max-mask-age": "Range: -1 - 9223372036854775807 Default: -1",
                "keep-mask": "Boolean. Default: false",
            ]),
    ]

    @Test(arguments: elements)
    func documentsEveryProperty(_ expected: Expectation) throws {
        let text = try Subprocess.run("gst-inspect-1.0", [expected.element]).output
        let properties = Self.properties(in: text)
        let inherited = ["name", "parent", "qos"]
        #expect(Set(properties.keys) == Set(expected.ranges.keys).union(inherited))
        for (name, range) in expected.ranges {
            let lines = properties[name] ?? []
            #expect((lines.first?.count ?? 0) > 20, "\(name) has no description")
            #expect(lines.contains { $0.contains("flags: readable, writable") }, "\(name) has no flags")
            #expect(lines.contains { $0.contains("changeable") }, "\(name) does not say when it may change")
            #expect(lines.contains { $0.contains(range) }, "\(name): \(lines)")
        }
    }

    @Test func printsColoursAsTheyAreTyped() throws {
        let text = try Subprocess.run("gst-inspect-1.0", ["blendmask"]).output
        let properties = Self.properties(in: text)
        for (name, color) in [("background-color", "0xff000000"), ("halo-color", "0xffffffff")] {
            #expect(properties[name]?.first?.hasSuffix("0xAARRGGBB, \(color) by default") == true)
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
