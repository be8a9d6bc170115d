import GStreamerKit
import Glibc
import JSON
import Synchronization

/// Counts masks, and reads the people of the last frame, at a pad.
final class MaskMeter: Sendable {
    struct Reading {
        var frames = 0
        /// Number of frames with a mask of their own at the wanted level.
        var own = 0
        /// Age of the last mask, in nanoseconds.
        var age: UInt64 = 0
        var people: [SeparatedPeople.Person] = []
        /// The ids of people whose heads were found in the last frame.
        var heads: Set<Int> = []
    }

    private let state = Mutex(Reading())

    /// Counts at `pad`, behind `element`, which makes the masks.
    init(_ pad: GStreamer.Pad, of element: GStreamer.Element?) {
        pad.onBuffer { [weak self] info in self?.note(info.buffer, level: element?.word(of: "quality")) }
    }

    var reading: Reading { state.withLock { $0 } }

    private func note(_ buffer: GStreamer.BufferView?, level: String?) {
        guard let fields = buffer?.fields(ofMeta: "GstPeopleMask") else { return }
        let age = max(fields.nanoseconds("age") ?? 0, fields.nanoseconds("motion-age") ?? 0)
        let people = SeparatedPeople(of: buffer).people
        let heads = Self.heads(in: buffer)
        state.withLock { state in
            state.frames += 1
            if age == 0, level == nil || fields.string("quality") == level { state.own += 1 }
            state.age = age
            state.people = people
            state.heads = heads
        }
    }

    /// Returns the people of whom a face, or a body with a visible nose or ear, was found in a frame.
    private static func heads(in buffer: GStreamer.BufferView?) -> Set<Int> {
        var people: Set<Int> = []
        buffer?.fields(ofMeta: "GstPeopleFaces")?.forEach("faces") { face in
            if let person = face.int("person") { people.insert(person) }
        }
        buffer?.fields(ofMeta: "GstPeopleBodies")?.forEach("bodies") { body in
            let joints = body.structure("joints")
            let isSeen = ["nose", "left-ear", "right-ear"].contains { name in
                (joints?.double(named: name, at: 2) ?? 0) >= Self.visible
            }
            if isSeen, let person = body.int("person") { people.insert(person) }
        }
        return people
    }

    /// Confidence from which a joint counts as visible.
    private static let visible = 0.5
}

/// The state that the page shows below the picture, in words: figures of the last second, problems and warnings.
struct StudioMonitor {
    /// The reason why there is no picture.
    var problem: String?
    /// The reason for the quality that was chosen by measuring the machine; nil without that.
    var qualityReason: String?
    private var warnings: [String] = []
    private var last = Sample()
    private var figures: [(figure: Figure, value: Double?)] = Figure.allCases.map { ($0, nil) }

    private struct Sample {
        var time = 0.0
        var reading = LiveMeter.Reading()
        var masks = (frames: 0, own: 0)
        /// CPU time in seconds.
        var work = 0.0
    }

    /// A number of the last second.
    private enum Figure: String, CaseIterable {
        case rate = "Frames per second"
        case own = "Frames with a fresh outline"
        case latency = "Delay"
        case age = "Age of the outline"
        case processor = "Processor"

        /// The factor from a value to its unit, the unit, and the digits behind the point.
        var format: (factor: Double, unit: String, digits: Int) {
            switch self {
            case .rate: (1, "", 1)
            case .own, .processor: (100, "%", 0)
            // Values are in nanoseconds.
            case .latency, .age: (1e-6, "ms", 0)
            }
        }
    }

    private static let maximumWarnings = 5

    mutating func warn(_ text: String) {
        warnings.removeAll { $0 == text }
        warnings.append(text)
        warnings.removeFirst(max(0, warnings.count - Self.maximumWarnings))
    }

    /// Removes the warnings, for a change that may resolve them.
    mutating func clearWarnings() { warnings = [] }

    mutating func status(
        isLive: Bool, _ state: String, _ reading: LiveMeter.Reading?, _ mode: CameraMode?,
        _ masks: MaskMeter.Reading?,
        _ outputs: JSON
    ) -> JSON {
        if let reading { measure(reading, masks) }
        let people = (masks?.people ?? []).map { person in
            JSON.object([
                ("id", .integer(person.id)), ("x", .number(person.box.x)), ("y", .number(person.box.y)),
                ("width", .number(person.box.width)), ("height", .number(person.box.height)),
                ("hasHead", .bool(masks?.heads.contains(person.id) ?? false)),
            ])
        }
        let rate = reading == nil ? nil : figures.first { $0.figure == .rate }?.value
        let (summary, isSlow) = summary(rate, of: mode)
        return .object([
            ("live", .bool(isLive)), ("state", .string(state)), ("rate", rate.map { .number($0) } ?? .null),
            ("people", .array(people)),
            ("figures", .array(figures.map { Self.json($0.figure, reading == nil ? nil : $0.value) })),
            ("summary", .string(summary)), ("quality", qualityReason.map { .string($0) } ?? .null),
            ("slow", .bool(isSlow)), ("mode", mode.map { .string($0.summary) } ?? .null),
            ("size", Self.size(of: mode)), ("ratio", Self.ratio(of: mode)),
            ("problem", problem.map { .string($0) } ?? .null),
            ("warnings", .array(warnings.map { .string($0) })), ("outputs", outputs),
        ])
    }

    private static func size(of mode: CameraMode?) -> JSON {
        mode.map { .string("\($0.width)x\($0.height)") } ?? .null
    }

    private static func ratio(of mode: CameraMode?) -> JSON {
        mode.map { .number(Double($0.width) / Double(max(1, $0.height))) } ?? .null
    }

    private static func json(_ figure: Figure, _ value: Double?) -> JSON {
        let format = figure.format
        return .object([
            ("label", .string(figure.rawValue)),
            ("value", value.map { .number(format.factor * $0) } ?? .null),
            ("unit", .string(format.unit)), ("digits", .integer(format.digits)),
        ])
    }

    /// Returns the state in a few words, and whether it is worth a warning.
    ///
    /// - Parameter rate: frames per second.
    private func summary(_ rate: Double?, of mode: CameraMode?) -> (text: String, isSlow: Bool) {
        guard problem == nil else { return ("No picture", false) }
        guard let rate else { return ("Starting", false) }
        let wanted = mode.map { Double($0.rate.numerator) / Double(max(1, $0.rate.denominator)) } ?? 25
        // Below the first share of the camera's own rate a picture is not quite smooth, below the second it
        // is slow.
        let (isSmooth, isSlow) = (rate > 0.85 * wanted, rate <= 0.5 * wanted)
        let word = isSmooth ? "Smooth" : isSlow ? "Slow" : "Not quite smooth"
        return ("\(word), \(rate.text(decimals: 0)) frames/s", isSlow)
    }

    /// - Parameter masks: nil for a picture without masks of its own.
    private mutating func measure(_ reading: LiveMeter.Reading, _ masks: MaskMeter.Reading?) {
        let now = Sample(
            time: reading.time, reading: reading, masks: (masks?.frames ?? 0, masks?.own ?? 0),
            work: Self.processorTime)
        // The pipeline was replaced.
        if now.reading.frames < last.reading.frames { last = now }
        let seconds = now.time - last.time
        guard seconds >= 1 else { return }
        let frames = reading.frames - last.reading.frames
        let analysed = max(1, now.masks.frames - last.masks.frames)
        figures = [
            (.rate, Double(frames) / seconds),
            (.own, masks.map { _ in Double(now.masks.own - last.masks.own) / Double(analysed) }),
            (.latency, frames > 0 ? (reading.delays - last.reading.delays) / Double(frames) : nil),
            (.age, masks.map { Double($0.age) }), (.processor, (now.work - last.work) / seconds),
        ]
        last = now
    }

    /// CPU time of all threads of this program, in seconds.
    private static var processorTime: Double {
        var usage = rusage()
        getrusage(__rusage_who_t(RUSAGE_SELF.rawValue), &usage)
        let seconds = { (time: timeval) in Double(time.tv_sec) + Double(time.tv_usec) / 1e6 }
        return seconds(usage.ru_utime) + seconds(usage.ru_stime)
    }
}
