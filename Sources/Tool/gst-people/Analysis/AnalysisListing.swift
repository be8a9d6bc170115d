import CommandKit
import FileNames
import GStreamerKit
import JSON

/// A list of the findings in the frames of videos and pictures.
struct AnalysisListing {
    /// A property of one of the elements, with its text as in a pipeline description.
    typealias Property = (element: String, name: String, value: String)

    /// The name of the list in the output, which is also that of the command.
    let name: String
    /// A pipeline description of the elements that make the findings.
    let elements: String
    let properties: [Property]
    /// The units of the numbers in JSON.
    let units: [(name: String, value: JSON)]
    /// The columns of a finding in tables.
    let columns: [ListColumn]
    /// The kinds of findings in COCO's format.
    let categories: [COCOCategory]
    /// Returns the findings of an analysed frame; nil for a frame without the metadata.
    let findings: (Frame) -> JSON?

    /// Units that all lists have.
    static let boxUnits: [(name: String, value: JSON)] = [
        ("timestamp", .string("s")), ("x", .string("frame width")), ("y", .string("frame height")),
        ("width", .string("frame width")), ("height", .string("frame height")),
    ]

    /// Returns a function that reads the list of a frame's metadata.
    ///
    /// - Parameters:
    ///   - list: name of the list in the metadata.
    ///   - pointLists: fields whose arrays have three numbers for each point.
    static func reading(
        _ list: String, of meta: String, pointLists: Set<String> = []
    ) -> (Frame) -> JSON? {
        { frame in
            guard let found = frame.buffer?.fields(ofMeta: meta)?.value(named: list) else { return nil }
            return JSON(found, pointLists: pointLists).withoutReferences
        }
    }

    /// Prints the findings of files and of the files in folders.
    ///
    /// - Returns: the program's exit status.
    func run(_ arguments: [String], _ options: ListOptions) throws(ToolError) -> Int32 {
        guard let first = arguments.first else { throw .usage("give IN, a video or an image") }
        let isSingle =
            arguments.count == 1 && !FileSystem.isDirectory(first) && NamePattern(first) == nil
        let expanded = try FolderContents.expand(arguments, .any)
        expanded.printLeftOut("gst-people \(name): ")
        let files = expanded.files
        var writer = try writer(options.format, namesFiles: !isSingle)
        var estimate = WorkEstimate(name)
        var failed = 0
        // Until the next file is read, so that both share the models.
        var last: FrameReader?
        for (index, file) in files.enumerated() {
            do throws(ToolError) {
                let frames = try FrameReader(
                    file, options.part, acceptsPictures: !isSingle, through: elements)
                guard try add(frames, file, options.part, to: &writer, &estimate) else {
                    return ExitCode.success.rawValue
                }
                last = frames
            } catch {
                if isSingle || error.signal != nil || error.code == .output { throw error }
                printDiagnostic("gst-people \(name): \(error.message)")
                failed += 1
            }
            estimate.addFile(index + 1, of: files.count)
        }
        withExtendedLifetime(last) {}
        try writer.finish()
        if failed > 0 || !expanded.leftOut.isEmpty {
            let rest = expanded.leftOut.isEmpty ? "" : ", \(expanded.leftOut.count) not taken"
            printDiagnostic(
                "gst-people \(name): \(files.count - failed) files listed, \(failed) failed\(rest)")
        }
        guard failed > 0 else { return ExitCode.success.rawValue }
        return ExitCode.failed.rawValue
    }

    private func writer(
        _ format: ListOptions.Format, namesFiles: Bool
    ) throws(ToolError) -> any ListWriter {
        switch format {
        case .jsonl: JSONLines(name: name, units: units, namesFiles: namesFiles)
        case .csv: CSVTable(columns)
        case .coco: try COCODocument(name, categories)
        case .parquet: try ParquetTable(columns)
        }
    }

    /// Adds the frames of a file.
    ///
    /// - Returns: whether the output is still read.
    private func add(
        _ frames: FrameReader, _ file: String, _ part: FramePart, to writer: inout any ListWriter,
        _ estimate: inout WorkEstimate
    ) throws(ToolError) -> Bool {
        for property in properties { frames.set(property.element, property.name, to: property.value) }
        /// Adds a frame, and returns whether the output is still read.
        func add(_ frame: Frame, _ number: Int) throws(ToolError) -> Bool {
            guard let found = findings(frame)?.rounded.array else {
                throw ToolError(.failed, "\(file): a frame carries no \(name).")
            }
            return try writer.add(
                ListedFrame(
                    file: file, number: number, time: frame.streamTime.map { Double($0) / 1e9 },
                    size: frame.size, findings: found))
        }
        // A picture has no times; those given are for the videos beside it.
        var sampling = FrameSampling(frames.isPicture ? FramePart() : part)
        estimate.beginFile()
        while let frame = try frames.next() {
            if let picked = sampling.add(frame, number: frames.count), try !add(picked.frame, picked.number) {
                return false
            }
            estimate.addFrame(frames.count, of: file, share: part.share(before: frame, of: frames.length))
        }
        if let last = sampling.last(frames.length), try !add(last.frame, last.number) { return false }
        frames.printNotes()
        return true
    }
}

extension JSON {
    /// The value with five significant digits: a hundredth of a pixel in a frame of 1000, which is finer than
    /// any finding.
    fileprivate var rounded: JSON {
        switch self {
        case .number(let number): .number(number.rounded(digits: 5))
        case .array(let values): .array(values.map(\.rounded))
        case .object(let fields): .object(fields.map { ($0.name, $0.value.rounded) })
        default: self
        }
    }

    /// The list without the fields by which metadata refer to each other, since it is printed alone.
    fileprivate var withoutReferences: JSON {
        guard case .array(let items) = self else { return self }
        return .array(
            items.map { item in
                guard case .object(let fields) = item else { return item }
                return .object(fields.filter { !PeopleListing.references.contains($0.name) })
            })
    }

    /// Makes an object of a structure's fields in their order; leaves out fields whose types have no JSON.
    ///
    /// - Parameter pointLists: names of fields whose arrays have three numbers for each point, and become
    ///   arrays of points.
    init(_ fields: [FieldValue.Field], pointLists: Set<String>) {
        self = .object(
            fields.compactMap { field in
                if case .other = field.value { return nil }
                let isPoints = pointLists.contains(field.name)
                return (field.name, JSON(field.value, pointLists: pointLists, isPoints: isPoints))
            })
    }

    /// Makes the JSON of a value; null for types that analysers do not write.
    ///
    /// - Parameter isPoints: whether arrays in the value are lists of points.
    fileprivate init(_ value: FieldValue, pointLists: Set<String> = [], isPoints: Bool = false) {
        switch value {
        case .number(let number): self = .number(number)
        case .integer(let number): self = .integer(number)
        case .flag(let flag): self = .bool(flag)
        case .text(let text): self = text.map { .string($0) } ?? .null
        case .structure(let fields):
            // The arrays in a structure of points are lists of points, too.
            self = JSON(fields, pointLists: isPoints ? Set(fields.map(\.name)) : pointLists)
        case .list(let items): self = .array(items.map { JSON($0, pointLists: pointLists) })
        case .array(let items):
            let numbers = items.map { JSON($0) }
            self = .array(isPoints ? Self.points(numbers) : numbers)
        case .other: self = .null
        }
    }

    /// Arrays of three numbers each.
    private static func points(_ numbers: [JSON]) -> [JSON] {
        stride(from: 0, to: numbers.count, by: 3).map {
            .array(Array(numbers[$0..<min($0 + 3, numbers.count)]))
        }
    }
}

/// The options of all commands that list findings.
struct ListOptions {
    /// A format of lists.
    enum Format: String, CaseIterable { case jsonl, csv, coco, parquet }

    var part = FramePart()
    fileprivate(set) var format = Format.jsonl

    static var options: [Option<ListOptions>] {
        [
            .choice(
                "format", "lines of JSON, a table, or keypoints as COCO has them (default: jsonl)", \.format)
        ] + FramePart.listOptions.map { $0.inside(\.part) }
    }

    /// The paragraphs about these options in the help.
    static let details = """
        IN is a video or an image. Several are listed one after the other, and those of folders in
        the order of their names. Lines of JSON have the field file then. A file that fails does
        not stop the others (status 1).

        Each line of JSON has the frame's timestamp in seconds, as a player shows it, and a list
        that is named as the command. Places are fractions of the upright frame, angles are in
        radians. The first line also has the units.

        With --format=csv, the output is a table with a row for each finding. --format=parquet
        writes it through pyarrow. --format=coco writes COCO's JSON of keypoints in pixels.

        \(FramePart.details)
        """
}

/// The findings of one frame.
struct ListedFrame {
    /// Path of the file.
    let file: String
    /// Number of the frame among those that were analysed of the file, from 1 on.
    let number: Int
    /// Seconds from the beginning of the file; nil when a player never shows the frame.
    let time: Double?
    /// Pixels.
    let size: (width: Int, height: Int)
    let findings: [JSON]

    /// The time as JSON.
    var timestamp: JSON { time.map { .number($0) } ?? .null }
}

/// A format in which findings are written to the standard output.
protocol ListWriter {
    /// Adds a frame.
    ///
    /// - Returns: whether the output is still read.
    mutating func add(_ frame: ListedFrame) throws(ToolError) -> Bool
    /// Completes the output after the last frame.
    mutating func finish() throws(ToolError)
}

/// A line of JSON for each frame; the first also has the units.
struct JSONLines: ListWriter {
    /// The name of the list in a line.
    let name: String
    var units: [(name: String, value: JSON)]
    /// Whether each line begins with the name of its file.
    let namesFiles: Bool

    mutating func add(_ frame: ListedFrame) throws(ToolError) -> Bool {
        let file = namesFiles ? [(name: "file", value: JSON.string(frame.file.legible))] : []
        let list = [("timestamp", frame.timestamp), (name, .array(frame.findings))]
        let line = JSON.object(file + list + (units.isEmpty ? [] : [("units", .object(units))]))
        units = []
        return try printText(line.text + "\n")
    }

    func finish() {}
}

/// An estimate of how long the rest of the work takes, printed once on the standard error output, soon after long work has begun.
struct WorkEstimate {
    /// The command's name in the message.
    private let command: String
    private let started = ContinuousClock.now
    private var firstFrame: ContinuousClock.Instant?

    init(_ command: String) { self.command = command }

    /// Frames whose pace is measured, and how many times as long a video must be.
    private static let (measuredFrames, longVideo) = (25, 10.0)
    /// Files whose pace is measured, and how many times as many there must be.
    private static let (measuredFiles, manyFiles) = (10, 5)

    /// Called when a file begins.
    mutating func beginFile() { firstFrame = nil }

    /// Called after each frame of a video.
    ///
    /// - Parameters:
    ///   - count: number of frames until now.
    ///   - share: the part of the video that is done, 0 to 1; nil where its length is not known.
    mutating func addFrame(_ count: Int, of file: String, share: Double?) {
        // Models are loaded until the first frame is there.
        let first = firstFrame ?? ContinuousClock.now
        firstFrame = first
        guard count == Self.measuredFrames, let share, share > 0, share * Self.longVideo <= 1 else { return }
        say((ContinuousClock.now - first).inSeconds, share, "the rest of \(file)")
    }

    /// Called after each file.
    func addFile(_ count: Int, of files: Int) {
        guard count == Self.measuredFiles, files >= Self.manyFiles * count else { return }
        say(
            (ContinuousClock.now - started).inSeconds, Double(count) / Double(files),
            "the other \(files - count) files")
    }

    private func say(_ elapsed: Double, _ share: Double, _ rest: String) {
        let left = (elapsed / share * (1 - share)).clockTime
        printDiagnostic("gst-people \(command): \(rest) will take about \(left)")
    }
}
