import CommandKit
import GStreamerKit
import JSON

/// A list of findings in the frames of a video or image, printed as JSON.
struct AnalysisListing {
    /// The element that makes the findings.
    let element: String
    /// The metadata with the findings.
    let meta: String
    /// The name of the list, in the metadata and in the output.
    let list: String
    /// Fields whose arrays have three numbers for each point.
    let pointLists: Set<String>
    /// The units of the numbers.
    let units: [(name: String, value: JSON)]

    /// Units that all lists have.
    static let boxUnits: [(name: String, value: JSON)] = [
        ("timestamp", .string("s")), ("x", .string("frame width")), ("y", .string("frame height")),
        ("width", .string("frame width")), ("height", .string("frame height")),
    ]

    /// Prints a line for each frame; the first also has the units.
    ///
    /// - Parameters:
    ///   - arguments: a video or image.
    ///   - part: the part of the video that is listed.
    ///   - properties: properties of the element, as in a pipeline description.
    func run(
        _ arguments: [String], _ part: FramePart, _ properties: [(name: String, value: String)]
    ) throws(ToolError) -> Int32 {
        guard let input = arguments.first, arguments.count == 1 else { throw .usage("give one IN") }
        let frames = try FrameReader(input, part, through: "\(element) name=\(element)")
        for property in properties { frames.set(element, property.name, to: property.value) }
        return try Self.printLines(of: frames, part, list, units) { frame throws(ToolError) in
            guard let found = frame.buffer?.fields(ofMeta: meta)?.value(named: list) else {
                throw ToolError(.failed, "\(input): a frame carries no \(meta).")
            }
            return JSON(found, pointLists: pointLists).withoutReferences
        }
    }

    /// Prints a line for each frame of a part, with its time and a list of its findings.
    static func printLines(
        of frames: FrameReader, _ part: FramePart, _ list: String, _ units: [(name: String, value: JSON)],
        _ items: (Frame) throws(ToolError) -> JSON
    ) throws(ToolError) -> Int32 {
        var units = [(name: "units", value: JSON.object(units))]
        /// Prints the line of a frame; returns whether the output is still read.
        func printLine(_ frame: Frame) throws(ToolError) -> Bool {
            let time = frame.streamTime.map { JSON.number(Double($0) / 1e9) } ?? .null
            let line = JSON.object([("timestamp", time), (list, try items(frame).rounded)] + units)
            units = []
            return try printText(line.text + "\n")
        }
        var sampling = FrameSampling(part)
        while let frame = try frames.next() {
            if let picked = sampling.add(frame), try !printLine(picked) { return ExitCode.success.rawValue }
        }
        if let last = sampling.last(frames.length) { _ = try printLine(last) }
        frames.printNotes()
        return ExitCode.success.rawValue
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
