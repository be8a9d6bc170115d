import CGStreamer
import TestSupport
import Testing

/// An element and its settings for the tests of this folder, which hold for every element of the plugin.
struct ElementCase: Sendable, CustomTestStringConvertible {
    let name: String
    /// Names and values of properties that make the element fast.
    let properties: [(name: String, value: String)]
    let work: Work

    /// The effect of an element on a frame of these tests.
    enum Work {
        /// Attaches metadata of this name.
        case attaches(String)
        /// Hides the frame, since it has no mask, or no people.
        case covers
        /// No effect, since there is nothing to draw.
        case draws
        /// The very same frame, since it says nothing about people.
        case passes
    }

    /// The metadata that the element attaches to each frame; nil for an element that changes pixels instead.
    var meta: String? { if case .attaches(let name) = work { name } else { nil } }

    /// Whether the element passes the buffer itself on.
    var passesBuffers: Bool { if case .passes = work { true } else { false } }

    /// Elements that attach metadata.
    static let analyzers = all.filter { $0.meta != nil }
    /// Elements that read every buffer. (Swift 6.0 crashes at a closure in the arguments of a test.)
    static let readers = all.filter { !$0.passesBuffers }

    /// All elements of the plugin; a new one is a row here.
    static let all = [
        ElementCase("personsegment", .attaches(MaskMeta.name), [("quality", "fast")]),
        ElementCase("subjectsegment", .attaches(MaskMeta.name), [("quality", "fast")]),
        ElementCase("facepose", .attaches(FacesMeta.name)),
        ElementCase("bodypose", .attaches("GstPeopleBodies")),
        ElementCase("handpose", .attaches("GstPeopleHands")),
        ElementCase("blendmask", .covers, [("silent-cover", "true")]),
        ElementCase("poseoverlay", .draws),
        ElementCase("personbackground", .covers, [("quality", "fast")]),
        ElementCase("autoframe", .passes),
    ]

    /// The kinds of metadata that list findings, such as `GstPeopleFaces`.
    static let lists = all.compactMap(\.meta).filter { $0 != MaskMeta.name }

    private init(_ name: String, _ work: Work, _ properties: [(name: String, value: String)] = []) {
        (self.name, self.properties, self.work) = (name, properties, work)
    }

    var testDescription: String { name }

    /// The element in a pipeline description.
    var line: String { properties.reduce(name) { "\($0) \($1.name)=\($1.value)" } }

    /// Keeps models loaded for all tests: elements share models as long as one of the elements lives.
    ///
    /// Wide and less wide frames have different models.
    static let keepModels: Void = {
        for element in all where element.meta != nil {
            for (width, height) in [(64, 48), (64, 36)] {
                guard let harness = try? Harness(element.line, caps: caps("I420", width, height)) else {
                    continue
                }
                _ = Unmanaged.passRetained(harness)
            }
        }
    }()

    func harness(_ caps: String, downstream: String? = nil, isLive: Bool = false) throws -> Harness {
        Self.keepModels
        return try Harness(line, caps: caps, downstream: downstream, isLive: isLive)
    }

    /// Returns a frame that shows the effect of each element: grey, without faces or people, and without a
    /// mask.
    static func grayFrame(_ format: String = "I420", _ width: Int = 64, _ height: Int = 48) throws -> Frame {
        let frame = try Frame(caps(format, width, height))
        frame.fillBytes(with: 128)
        return frame
    }

    /// Whether `result`, a gray frame, shows the element's effect.
    func hasWorked(on result: Frame) -> Bool {
        switch work {
        case .attaches(let meta): result.count(ofMeta: meta) == 1
        case .covers: result.samples(0).allSatisfy { $0.allSatisfy { $0 < 32 } }
        case .draws, .passes: true
        }
    }

    /// Returns the errors and warnings, except the warning that frames say nothing about people, which is expected here.
    func complaints(_ messages: [BusMessage]) -> [BusMessage] {
        messages.filter { !$0.isOfMissingMasks }
    }

    /// Pushes a frame and checks the element's effect on the output.
    func works(_ harness: Harness, on frame: Frame) throws -> Bool {
        hasWorked(on: try harness.transform(frame))
    }
}

extension BusMessage {
    /// Whether the message is the warning of blendmask or autoframe that frames have no masks or no metadata about people.
    var isOfMissingMasks: Bool {
        self.is(.warning, gst_stream_error_quark(), GST_STREAM_ERROR_FAILED.rawValue)
    }
}

struct ElementTableTests {
    /// An element that is in the plugin's file but not in the table would not be tested by this folder.
    @Test func listsEveryElementOfThePlugin() throws {
        TestedPlugin.load()
        var names: Set<String> = []
        let features = gst_registry_get_feature_list_by_plugin(gst_registry_get(), "people")
        defer { gst_plugin_feature_list_free(features) }
        var node = features
        while let feature = node?.pointee.data?.assumingMemoryBound(to: GstObject.self) {
            names.insert(String(cString: feature.pointee.name))
            node = node?.pointee.next
        }
        #expect(names == Set(ElementCase.all.map(\.name)))
    }
}
