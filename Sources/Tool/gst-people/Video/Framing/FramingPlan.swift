import CommandKit
import Framing
import GStreamerKit
import Imaging
import JSON

/// The part of each frame that a video shows.
struct FramingPlan: Sendable {
    /// A frame's part.
    struct Part: Sendable {
        /// Nanoseconds since the beginning of the file.
        let time: UInt64
        /// The part as fractions of the upright frame.
        let crop: Rectangle
        /// Whether a scene begins with the frame.
        let isCut: Bool
    }

    /// The parts in the order of their times.
    let parts: [Part]

    /// The frames of each scene, as indices of the parts.
    var scenes: [Range<Int>] {
        let starts = parts.indices.filter { $0 == 0 || parts[$0].isCut }
        return zip(starts, starts.dropFirst() + [parts.count]).map { $0..<$1 }
    }

    /// Returns the part of the last frame at or before a time; the first one for earlier times, nil without any.
    func crop(at time: UInt64) -> Rectangle? {
        var (low, high) = (0, parts.count)
        while low < high {
            let middle = (low + high) / 2
            if VideoRange.reaches(time, parts[middle].time) { low = middle + 1 } else { high = middle }
        }
        return parts.isEmpty ? nil : parts[max(0, low - 1)].crop
    }
}

// MARK: - Files

extension FramingPlan {
    /// The plan as JSON, with one frame on each line.
    private var text: String {
        let lines = parts.map { part in
            let numbers: [(name: String, value: JSON)] = [
                ("time", .number(Double(part.time) / 1e9)), ("x", .number(part.crop.x)),
                ("y", .number(part.crop.y)),
                ("width", .number(part.crop.width)), ("height", .number(part.crop.height)),
            ]
            return JSON.object(numbers + (part.isCut ? [("cut", .bool(true))] : [])).text
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
            let numbers = ["time", "x", "y", "width", "height"].compactMap { frame[$0]?.number }
            guard numbers.count == 5, numbers.allSatisfy({ $0.isFinite && $0 >= 0 && $0 < 1e9 }),
                numbers[3] > 0, numbers[4] > 0,
                numbers[1...4].allSatisfy({ $0 <= 1 })
            else { throw Self.malformed(path) }
            let time = UInt64((numbers[0] * 1e9).rounded())
            if let last = parts.last, last.time > time { throw Self.malformed(path) }
            parts.append(
                Part(
                    time: time,
                    crop: Rectangle(x: numbers[1], y: numbers[2], width: numbers[3], height: numbers[4]),
                    isCut: frame["cut"]?.isTrue ?? false))
        }
        self.parts = parts
    }

    private static func malformed(_ path: String) -> ToolError {
        ToolError(
            .input,
            "\(path) is no plan: it must have a list frames, ordered by time, with time in seconds, and x, y, width and "
                + "height from 0 to 1.")
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
            "\(FramingOptions.finder(framing)) ! autoframe describe=true framing=\(framing.rawValue) zoom-max=\(Self.zoom(options)) "
            + "width=\(size.width) height=\(size.height)"
        let reader = try FrameReader(job.source, part, through: elements)
        var (times, wanted, starts): ([UInt64], [WantedShot?], [Int]) = ([], [], [0])
        while let frame = try reader.next() {
            guard let buffer = frame.buffer, let time = buffer.presentationTime,
                let fields = buffer.fields(ofMeta: "GstPeopleFraming")
            else { continue }
            if fields.bool("cut") == true, !times.isEmpty { starts.append(times.count) }
            times.append(time)
            wanted.append(WantedShot(fields, space))
        }
        let scenes = zip(starts, starts.dropFirst() + [times.count]).map { $0..<$1 }
        try SceneSubjects(of: job, in: space).add(to: &wanted, scenes, times, rate: rate)
        parts = scenes.flatMap { scene in
            let shots = BestPath.shots(for: Array(wanted[scene]), rate: rate, in: space)
            return zip(scene, shots).map {
                Part(time: times[$0], crop: space.crop($1), isCut: $0 == scene.lowerBound && $0 > 0)
            }
        }
    }

    /// Returns the largest magnification: only what the shape needs if no framing is asked for.
    private static func zoom(_ options: FramingOptions) -> Int { options.framing == nil ? 1 : 4 }
}

extension WantedShot {
    /// Reads the wanted shot of a frame's metadata; nil if nobody is seen.
    fileprivate init?(_ fields: StructureReader, _ space: ShotSpace) {
        guard let crop = fields.structure("wanted")?.box, let heads = fields.structure("heads")?.box else {
            return nil
        }
        self.init(shot: space.shot(of: crop), heads: space.inHeights(heads))
    }
}

extension JSON {
    /// Whether this is `true`.
    fileprivate var isTrue: Bool {
        if case .bool(true) = self { true } else { false }
    }
}
