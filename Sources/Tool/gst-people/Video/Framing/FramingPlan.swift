import CommandKit
import Composer
import Framing
import GStreamerKit
import Imaging
import JSON
import PeopleVision

/// The part of each frame that a video shows.
struct FramingPlan: Sendable {
    /// A frame's part.
    struct Part: Sendable {
        /// Nanoseconds since the beginning of the file.
        let time: UInt64
        /// The part as fractions of the upright frame.
        let crop: Rectangle
        /// The part in the other half of the output; nil if the output shows one part.
        var other: Rectangle?
        /// Whether a scene, or the turn of a person who speaks, begins with the frame.
        let isCut: Bool
        /// The certainty that the person speaks, 0.5 to 1, where a turn begins.
        var certainty: Double?
    }

    /// The parts in the order of their times.
    let parts: [Part]

    /// The frames of each scene, as indices of the parts.
    var scenes: [Range<Int>] {
        let starts = parts.indices.filter { $0 == 0 || parts[$0].isCut }
        return zip(starts, starts.dropFirst() + [parts.count]).map { $0..<$1 }
    }

    /// Whether some frame shows two parts.
    var isSplit: Bool { parts.contains { $0.other != nil } }

    /// A sentence about the turns of people who speak; nil without any.
    var speakersNote: String? {
        let turns = parts.filter { $0.certainty != nil }
        guard let least = turns.min(by: { ($0.certainty ?? 1) < ($1.certainty ?? 1) }),
            let certainty = least.certainty
        else { return nil }
        let (count, time) = (turns.count, (Double(least.time) / 1e9).clockTime)
        return
            "of two people who are far apart the one who speaks is shown: \(count) \(count == 1 ? "turn" : "turns"), "
            + "certain by \((100 * certainty).text(decimals: 0)) % or more (least at \(time))"
    }

    /// Returns the part of the last frame at or before a time; the first one for earlier times, nil without any.
    func part(at time: UInt64) -> Part? {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if VideoRange.reaches(time, parts[middle].time) { low = middle + 1 } else { high = middle }
        }
        return parts.isEmpty ? nil : parts[max(0, low - 1)]
    }
}

// MARK: - Files

extension FramingPlan {
    /// The plan as JSON, with one frame on each line.
    private var text: String {
        let lines = parts.map { part in
            var fields: [(name: String, value: JSON)] = [("time", .number(Double(part.time) / 1e9))]
            fields += part.crop.fields
            if let other = part.other { fields.append(("other", .object(other.fields))) }
            if let certainty = part.certainty {
                fields.append(("certainty", .number(certainty.rounded(digits: 3))))
            }
            return JSON.object(fields + (part.isCut ? [("cut", .bool(true))] : [])).text
        }
        return
            "{\"units\": {\"time\": \"s\", \"x\": \"frame width\", \"y\": \"frame height\"}, \"frames\": [\n"
            + lines.joined(separator: ",\n") + "\n]}\n"
    }

    func write(to path: String) throws(ToolError) {
        guard FileSystem.write(text, to: path) else { throw FileSystem.unwritable(path) }
    }

    /// Reads a plan.
    ///
    /// - Throws: when the file is no plan.
    init(of path: String) throws(ToolError) {
        guard let text = FileSystem.text(of: path) else { throw ToolError(.input, "\(path) cannot be read.") }
        let document: JSON
        do throws(JSONError) { document = try JSON(parsing: Array(text.utf8)) } catch {
            throw ToolError(.input, "\(path) is no JSON: \(error).")
        }
        guard let frames = document["frames"]?.array, !frames.isEmpty else { throw Self.malformed(path) }
        var parts: [Part] = []
        for frame in frames {
            guard let seconds = frame["time"]?.number, (0..<1e9).contains(seconds),
                let crop = Rectangle(frame)
            else { throw Self.malformed(path) }
            let other = frame["other"].map { Rectangle($0) }
            if let other, other == nil { throw Self.malformed(path) }
            let time = UInt64((seconds * 1e9).rounded())
            if let last = parts.last, last.time > time { throw Self.malformed(path) }
            parts.append(
                Part(
                    time: time, crop: crop, other: other ?? nil, isCut: frame["cut"]?.isTrue ?? false,
                    certainty: frame["certainty"]?.number))
        }
        self.parts = parts
    }

    private static func malformed(_ path: String) -> ToolError {
        ToolError(
            .input,
            "\(path) is no plan: it must have a list frames, ordered by time, with time in seconds, and x, y, width and "
                + "height from 0 to 1; other, if there, has the last four again.")
    }
}

// MARK: - Making

extension FramingPlan {
    /// Follows the people of a video; each scene is framed as a whole.
    ///
    /// - Parameters:
    ///   - job: the video.
    ///   - space: the shapes of its frames and of the output.
    ///   - size: the output's, in pixels.
    ///   - rate: frames per second.
    init(
        following job: Job, _ options: FramingOptions, in space: ShotSpace, _ size: (width: Int, height: Int),
        rate: Double
    ) throws(ToolError) {
        var part = FramePart()
        (part.range, part.acceptsDamage) = (job.range, job.acceptsDamage)
        let framing = options.framing ?? .everyone
        let elements =
            "\(FramingOptions.finder(framing, showsMouths: true)) ! autoframe describe=true framing=\(framing.rawValue) zoom-max=\(Self.zoom(options)) "
            + "width=\(size.width) height=\(size.height)"
        let reader = try FrameReader(job.source, part, through: elements)
        var (times, wanted, starts): ([UInt64], [WantedShot?], [Int]) = ([], [], [0])
        var people: [[FramedPerson]] = []
        while let frame = try reader.next() {
            guard let buffer = frame.buffer, let time = buffer.presentationTime,
                let fields = buffer.fields(ofMeta: "GstPeopleFraming")
            else { continue }
            if fields.bool("cut") == true, !times.isEmpty { starts.append(times.count) }
            times.append(time)
            people.append(FramedPerson.all(fields, space))
            wanted.append(WantedShot(fields, first: people.last?.first, space))
        }
        let scenes = zip(starts, starts.dropFirst() + [times.count]).map { $0..<$1 }
        try SceneSubjects(of: job, in: space).add(to: &wanted, scenes, times, rate: rate)
        let pairs = scenes.map { DistantPair(of: Array(people[$0]), in: space) }
        let shots = SceneShots(options, in: space, rate: rate)
        let needsSound = options.layout == .single && pairs.contains { $0 != nil }
        let sound = needsSound ? try SoundLevels(of: job) : nil
        parts = zip(scenes, pairs).flatMap { scene, pair in
            let isLoud = sound.map { sound in scene.map { sound.isLoud(at: times[$0]) } }
            let parts = shots.parts(of: pair, Array(wanted[scene]), isLoud)
            return zip(scene, parts).map { frame, part in
                Part(
                    time: times[frame], crop: part.crop, other: part.other,
                    isCut: frame > 0 && (frame == scene.lowerBound || part.certainty != nil),
                    certainty: part.certainty)
            }
        }
    }

    /// Returns the largest magnification: only what the shape needs if no framing is asked for.
    fileprivate static func zoom(_ options: FramingOptions) -> Int { options.framing == nil ? 1 : 4 }
}

/// The parts of the frames of a scene that an output shows.
private struct SceneShots {
    /// The parts of one frame that are shown.
    typealias Shown = (crop: Rectangle, other: Rectangle?, certainty: Double?)

    let options: FramingOptions
    let space: ShotSpace
    let rate: Double
    private var screen: SplitScreen { SplitScreen(of: space) }

    init(_ options: FramingOptions, in space: ShotSpace, rate: Double) {
        (self.options, self.space, self.rate) = (options, space, rate)
    }

    /// Returns what each frame shows.
    ///
    /// - Parameters:
    ///   - pair: the two who do not fit into one part; nil without such people.
    ///   - wanted: the shot of each frame by itself.
    ///   - isLoud: whether there is sound in each frame; nil where the sound does not matter.
    func parts(of pair: DistantPair?, _ wanted: [WantedShot?], _ isLoud: [Bool]?) -> [Shown] {
        if let pair, options.layout == .split {
            return pair.shots(options.framing ?? .upperBody, in: screen.half, rate: rate).map {
                (screen.half.crop($0.left), screen.half.crop($0.right), nil)
            }
        }
        if let pair, let isLoud,
            let shots = pair.speakerShots(
                isLoud, options.framing ?? .everyone, largestZoom: Double(FramingPlan.zoom(options)),
                in: space,
                rate: rate)
        {
            return shots.map { (space.crop($0.shot), nil, $0.certainty) }
        }
        return BestPath.shots(for: wanted, rate: rate, in: space).map { (space.crop($0), nil, nil) }
    }
}

extension WantedShot {
    /// Reads the wanted shot of a frame's metadata; nil if nobody is seen.
    ///
    /// - Parameter first: the one who is followed.
    fileprivate init?(_ fields: StructureReader, first: FramedPerson?, _ space: ShotSpace) {
        guard let crop = fields.structure("wanted")?.box, let heads = fields.structure("heads")?.box else {
            return nil
        }
        let box = space.inHeights(heads)
        // One person's box has been rounded on its way.
        let isOne = first.map { box.width < 2.01 * $0.radius && box.height < 2.01 * $0.radius } ?? true
        self.init(shot: space.shot(of: crop), heads: box, first: isOne ? nil : first?.headBox)
    }
}

extension FramedPerson {
    /// Reads the heads of a frame's metadata.
    fileprivate static func all(_ fields: StructureReader, _ space: ShotSpace) -> [FramedPerson] {
        var people: [FramedPerson] = []
        fields.forEach("people") { head in
            guard let box = head.box.map(space.inHeights) else { return }
            var person = FramedPerson(id: nil, head: box.center, radius: box.height / 2)
            person.mouth = head.double("mouth")
            people.append(person)
        }
        return people
    }
}

extension Rectangle {
    /// The fields of a part in a plan.
    fileprivate var fields: [(name: String, value: JSON)] {
        [("x", .number(x)), ("y", .number(y)), ("width", .number(width)), ("height", .number(height))]
    }

    /// Reads a part of a plan; nil if it has no place in a frame.
    fileprivate init?(_ fields: JSON) {
        let numbers = ["x", "y", "width", "height"].compactMap { fields[$0]?.number }
        guard numbers.count == 4, numbers.allSatisfy({ (0...1).contains($0) }), numbers[2] > 0, numbers[3] > 0
        else { return nil }
        self.init(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }
}

extension JSON {
    /// Whether this is `true`.
    fileprivate var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }
}

/// The main subjects of scenes in which nobody is seen.
///
/// A scene is looked at once a second, as a photo that is cropped: what stands out is in the middle.
struct SceneSubjects {
    /// Width of the pictures in which subjects are looked for, in pixels: twice that of the model.
    private static let width = 640

    private let job: Job
    private let space: ShotSpace

    init(of job: Job, in space: ShotSpace) { (self.job, self.space) = (job, space) }

    /// Adds the shots of the main subjects of scenes without any wanted shot.
    ///
    /// - Parameters:
    ///   - wanted: the wanted shot of each frame; nil where nobody is seen.
    ///   - times: the frames', in nanoseconds.
    ///   - rate: frames per second.
    func add(
        to wanted: inout [WantedShot?], _ scenes: [Range<Int>], _ times: [UInt64], rate: Double
    ) throws(ToolError) {
        // A shot that is the whole frame has no place.
        guard abs(space.frameAspect / space.outputAspect - 1) > 0.01 else { return }
        let step = max(1, Int(min(max(rate, 1), 1000).rounded()))
        let empty = scenes.filter { scene in wanted[scene].allSatisfy { $0 == nil } }
        let frames = empty.flatMap { scene in
            scene.count <= step
                ? [scene.lowerBound + scene.count / 2]
                : Array(stride(from: scene.lowerBound + step / 2, to: scene.upperBound, by: step))
        }
        let height = 2 * Int(min(max((Double(Self.width) / space.frameAspect / 2).rounded(), 8), 1280))
        var found: [WantedShot?] = []
        try SampledFrames.read(job, at: frames.map { times[$0] }, width: Self.width, height: height) {
            (_, picture) throws(ToolError) in found.append(try shot(of: picture))
        }
        for (frame, shot) in zip(frames, found) { wanted[frame] = shot }
    }

    /// Returns the largest shot around what stands out in a picture.
    private func shot(of picture: PackedPixels) throws(ToolError) -> WantedShot? {
        var picture = picture
        let shape = AspectRatio(space.outputAspect)
        let crop = picture.withImage { image in
            Result { () throws(VisionError) in
                try AutoCrop.crop(ImageView(image), to: shape, FrameMasks())
            }
        }
        do throws(VisionError) {
            guard let crop = try crop?.get() else { return nil }
            let (width, height) = (Double(picture.width), Double(picture.height))
            var shot = space.shot(
                of: Rectangle(
                    x: Double(crop.left) / width, y: Double(crop.top) / height,
                    width: 1 - Double(crop.left + crop.right) / width,
                    height: 1 - Double(crop.top + crop.bottom) / height))
            shot.height = space.largestHeight
            shot = space.inside(shot)
            return WantedShot(shot: shot, heads: Rectangle(x: shot.x, y: shot.y, width: 0, height: 0))
        } catch { throw ToolError(.failed, "\(job.input): \(error.description)") }
    }
}
