import CGStreamer
import CommandKit
import JSON

/// What is found in the frames of a film or picture, printed as JSON.
struct AnalysisListing {
    /// The element that finds it.
    let element: String
    /// The metadata that it attaches.
    let meta: String
    /// The field of the metadata, and of what is printed.
    let list: String
    /// Fields of three numbers a point.
    let pointLists: Set<String>
    /// What the numbers are measured in.
    let units: [(name: String, value: JSON)]

    /// Units that all analyses have.
    static let boxUnits: [(name: String, value: JSON)] = [
        ("timestamp", .string("s")), ("x", .string("frame width")), ("y", .string("frame height")),
        ("width", .string("frame width")), ("height", .string("frame height")),
    ]

    /// Prints a line for each frame; the first also has the units.
    ///
    /// - Parameters:
    ///   - arguments: a film or picture.
    ///   - properties: of the element, as in a pipeline description.
    func run(_ arguments: [String], _ properties: [(name: String, value: String)]) throws(ToolError) -> Int32
    {
        guard let input = arguments.first, arguments.count == 1 else { throw .usage("give one IN") }
        // The stream's own tags turn the analysis, not the picture: places are those of the stored frame.
        let frames = try FrameReader(input, through: "\(element) name=\(element)")
        for property in properties { frames.set(element, property.name, to: property.value) }
        while let frame = try frames.next() {
            guard let fields = frame.fields(ofMeta: meta), let found = gst_structure_get_value(fields, list)
            else {
                throw ToolError(.failed, "\(input): a frame carries no \(meta).")
            }
            let items = JSON(found, pointLists: pointLists)
            let time = frame.streamTime.map(JSON.number) ?? .null
            let units = frames.count == 1 ? [(name: "units", value: JSON.object(units))] : []
            let line = JSON.object([("timestamp", time), (list, items)] + units)
            // The reader has closed the pipe.
            guard try printText(line.text + "\n") else { break }
        }
        return ExitCode.success.rawValue
    }
}
