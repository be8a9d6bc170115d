import CommandKit
import FileNames
import JSON

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
