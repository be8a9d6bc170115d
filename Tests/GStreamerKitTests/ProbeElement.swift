import CGStreamer
import GStreamerKit
import Imaging
import TestSupport

/// An analyser that writes a note about each frame, and fails as its properties say.
final class ProbeElement: VideoElement {
    static let note = CustomMeta("GstPeopleTestNote")

    override class var metadata: Metadata {
        Metadata(
            factoryName: "peopletestprobe", typeName: "GstPeopleTestProbe", longName: "Probe",
            klass: "Filter/Analyzer/Video", description: "Notes what it sees")
    }

    enum Fruit: String, PropertyChoice {
        case apple, pear, quince

        static var name: String { "TestFruit" }
        var blurb: String { "A fruit that is called \(rawValue)" }
    }

    /// The place at which the element fails.
    enum Failing: String, PropertyChoice {
        case never, start, caps, frame, warning, worker

        static var name: String { "TestFailing" }
        var blurb: String { "Fail here: \(rawValue)" }
    }

    struct Settings: ElementSettings {
        var number: Int32 = 7
        var ratio = 0.25
        var color: UInt32 = 0xff12_3456
        var isOn = true
        var name: String? = "first"
        var empty: String?
        var fruit = Fruit.pear
        var failing = Failing.never
        var delay: Int32 = 0
        var lookahead: Int32 = 0
        var counts = false

        static var properties: [Property<Settings>] {
            [
                .int("number", "A whole number", in: -5...100, \.number, .whilePlaying),
                .double("ratio", "A real number", in: 0...1, \.ratio),
                .color("color", "A colour", \.color),
                .bool("on", "On or off", \.isOn, .untilReady),
                .string("label", "A text", \.name),
                .string("empty", "A text that is unset", \.empty),
                .choice("fruit", "A fruit", \.fruit),
                .choice("failing", "Where to fail", \.failing),
                .int("delay", "Milliseconds that a frame takes at least", in: 0...1000, \.delay),
                .int("ahead", "Frames that each frame waits for", in: 0...2, \.lookahead),
                .bool("counts", "Count frames in `label`, which changes while they are analysed", \.counts),
            ]
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    private var discontinuities = 0
    private var orientation = ImageOrientation.up

    /// The error that the tests look for; they vary its `code`.
    static let failure = ElementError(.resourceSettings, "The probe failed as asked.", debug: "details")

    override func start() throws(ElementError) { try fail(.start) }

    override func capsChanged(to info: VideoInfo) throws(ElementError) { try fail(.caps) }

    override func discontinuity() { discontinuities += 1 }

    override func orientationChanged(to orientation: ImageOrientation) { self.orientation = orientation }

    override var lookahead: Int { Int(settings.current.lookahead) }

    /// The numbers before and after the change that the last `lookAhead` has made.
    private var ahead: (before: Int, after: Int) = (0, 0)

    override func lookAhead(to frame: borrowing VideoFrame) throws(ElementError) { ahead = count() }

    /// Changes `label` as an application might, and returns the frame's number before and after that.
    private func count() -> (before: Int, after: Int) {
        func number(_ settings: Settings) -> Int { settings.name.flatMap { Int($0) } ?? 0 }
        let before = number(settings.current)
        if settings.current.counts { set("label", to: "\(number(settings.snapshot()) + 1)") }
        return (before, number(settings.current))
    }

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        try fail(.frame)
        let settings = settings.current
        let number = count()
        if settings.delay > 0 { g_usleep(gulong(settings.delay) * 1000) }
        if settings.failing == .warning { post(warning: Self.failure) }
        if settings.failing == .worker {
            runAsynchronously { () throws(ElementError) in throw Self.failure }
        }
        guard let note = frame.attach(Self.note) else { throw Self.failure }
        let image = frame.image
        note.set("width", image.width)
        note.set("height", image.height)
        note.set("sum", (0..<image.format.layout.colorCount).reduce(0) { $0 + sum(of: $1, in: image) })
        note.set("discontinuities", discontinuities)
        note.set("orientation", orientation.rawValue)
        note.set("colorimetry", "\(image.colorimetry.matrix) \(image.colorimetry.range)")
        note.set("ahead", ahead.before)
        note.set("ahead-after", ahead.after)
        note.set("number", number.before)
        note.set("number-after", number.after)
        note.set("time", frame.presentationTime.map { Double($0) / 1e9 } ?? -1)
    }

    private func fail(_ place: Failing) throws(ElementError) {
        if settings.current.failing == place { throw Self.failure }
    }

    private func sum(of index: Int, in image: ImageView) -> Int {
        let layout = image.format.layout
        let part = layout.component(index)
        var sum = 0
        for y in 0..<part.sampleHeight(image.height) {
            let row = image.plane(part.plane).row(y) + part.offset
            for x in 0..<part.sampleWidth(image.width) {
                let sample = row + x * part.pixelStride
                let value = layout.bytesPerSample == 1 ? Int(sample[0]) : Int(sample[0]) | Int(sample[1]) << 8
                sum += value >> (layout.shift + layout.depth - 8)
            }
        }
        return sum
    }
}

/// Whether GStreamer has registered the probe in this process.
let hasProbe: Bool = {
    TestedPlugin.load()
    ProbeElement.note.register()
    let origin = ElementOrigin(authors: "Nobody", documentation: "file:///nowhere", icon: "none")
    return register(ProbeElement.self, origin, in: nil)
}()

/// Makes a harness around a probe.
func probe(_ properties: String, caps: String, isLive: Bool = false) throws -> Harness {
    guard hasProbe else { throw SetupFailure("the probe was not registered") }
    return try Harness("peopletestprobe \(properties)", caps: caps, isLive: isLive)
}

/// The probe's note on a frame.
struct Note {
    private let structure: UnsafeMutablePointer<GstStructure>
    private let frame: Frame

    init?(_ frame: Frame) {
        guard let meta = gst_buffer_get_custom_meta(frame.buffer, "GstPeopleTestNote"),
            let structure = gst_custom_meta_get_structure(meta)
        else { return nil }
        (self.structure, self.frame) = (structure, frame)
    }

    func int(_ field: String) -> Int? {
        var number: gint = 0
        return gst_structure_get_int(structure, field, &number) != 0 ? Int(number) : nil
    }

    func double(_ field: String) -> Double? {
        var number = 0.0
        return gst_structure_get_double(structure, field, &number) != 0 ? number : nil
    }

    func string(_ field: String) -> String? {
        gst_structure_get_string(structure, field).map { String(cString: $0) }
    }
}
