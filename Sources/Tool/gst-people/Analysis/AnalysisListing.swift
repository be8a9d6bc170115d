import CommandKit
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
