import CGStreamer
import TestSupport
import Testing

/// personbackground: the same as its two elements, with the properties of both.
struct PersonBackgroundTests {
    private let portrait: Frame

    init() throws { portrait = try astronaut(256, 256, "I420") }

    private func result(_ line: String) throws -> Frame {
        let harness = try Harness(line, caps: portrait.caps)
        return try harness.transform(portrait)
    }

    @Test(arguments: [
        ("background-color=0xff00ff00", ""), ("blur=40", "feather=2"), ("show=mask", "expand=3"),
    ])
    func isTheChainOfBothElements(_ blend: String, _ segment: String) throws {
        let one = try result("personbackground quality=fast \(segment) \(blend)")
        let both = try result("personsegment quality=fast \(segment) ! blendmask \(blend)")
        #expect(one.hasSameSamples(as: both) && !one.hasSameSamples(as: portrait))
        #expect(one.count(ofMeta: MaskMeta.name) == 0)
    }

    /// The elements are reached by their names, both ways lead to the same values, and nobody else finds them.
    @Test func offersTheValuesOfItsElements() throws {
        let pipeline = try Pipeline(
            "fakesrc ! personbackground name=bin segment::feather=3 blend::blur=17 ! fakesink")
        #expect(pipeline.text("bin", "feather") == "3" && pipeline.text("bin", "blur") == "17")
        let result = try script("check_bin.py", [])
        #expect(result.status == 0, "\(result.output)")
    }

    @Test func offersEachPropertyOnce() throws {
        let elements = try PluginDescription.read().elements
        func names(_ element: String) -> Set<String> {
            Set((elements[element]?.properties ?? [:]).filter { !$0.value.isDeprecated }.keys)
        }
        let hidden: Set = [
            "mask-format", "overflow", "no-mask", "max-mask-age", "keep-mask", "silent-cover",
        ]
        let both = names("personsegment").union(names("blendmask"))
        #expect(names("personbackground") == both.subtracting(hidden))
    }

    /// Controllers of the bin act on each frame, as they do on elements.
    @Test func followsControllers() throws {
        let harness = try Harness(
            "personbackground quality=fast background-source=original", caps: portrait.caps)
        harness.control("exposure", [(0, 0), (1, -10)])
        func brightness(at seconds: Double) throws -> Float {
            portrait.buffer.pointee.pts = UInt(seconds * 1e9)
            return try harness.transform(portrait).samples(0).joined().reduce(0) { $0 + Float($1) }
        }
        let (bright, dark) = (try brightness(at: 0), try brightness(at: 1))
        #expect(dark < 0.9 * bright)
    }

    @Test func storesPresets() throws {
        let scratch = try Scratch()
        let result = try script("check_presets.py", [], environment: ["XDG_DATA_HOME": scratch.url.path])
        #expect(result.status == 0, "\(result.output)")
    }

    /// Messages of its elements come from the bin, too.
    @Test func postsTheErrorsOfItsElements() throws {
        let pipeline = try Pipeline(
            "videotestsrc ! personbackground quality=fast background=/nowhere.png ! fakesink")
        let message = try #require(pipeline.play().last)
        #expect(message.is(.error, gst_resource_error_quark(), GST_RESOURCE_ERROR_OPEN_READ.rawValue))
    }
}
