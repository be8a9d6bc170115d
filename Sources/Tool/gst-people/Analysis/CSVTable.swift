import CommandKit
import FileNames
import JSON

/// A table in CSV (RFC 4180): a header, and a row for each finding.
struct CSVTable: ListWriter {
    private let rows: FindingRows
    private var isBegun = false

    init(_ columns: [ListColumn]) { rows = FindingRows(columns) }

    mutating func add(_ frame: ListedFrame) throws(ToolError) -> Bool {
        try printText(header() + rows.text(of: frame))
    }

    mutating func finish() throws(ToolError) { try printText(header()) }

    /// Returns the header once.
    private mutating func header() -> String {
        defer { isBegun = true }
        return isBegun ? "" : rows.header
    }
}

/// Findings as rows of CSV.
struct FindingRows {
    /// The columns of a finding.
    private let columns: [ListColumn]

    init(_ columns: [ListColumn]) { self.columns = columns }

    /// Columns that each row begins with: the finding's frame.
    private static let frameColumns = [
        ListColumn("file", .text), ListColumn("frame", .integer), ListColumn("timestamp", .number, "s"),
        ListColumn("frame-width", .integer, "pixel"), ListColumn("frame-height", .integer, "pixel"),
    ]

    /// All columns in their order.
    var allColumns: [ListColumn] { Self.frameColumns + columns }

    var header: String { allColumns.map(\.name).joined(separator: ",") + "\n" }

    /// Returns a row for each finding of a frame.
    func text(of frame: ListedFrame) -> String {
        let start: [JSON] = [
            .string(frame.file.legible), .integer(frame.number), frame.timestamp, .integer(frame.size.width),
            .integer(frame.size.height),
        ]
        return frame.findings.map { finding in
            let values = start + columns.map { $0.value(of: finding) ?? .null }
            return values.map(Self.cell).joined(separator: ",") + "\n"
        }.joined()
    }

    /// Returns the text of a cell; an empty one stands for a value that is not known.
    private static func cell(_ value: JSON) -> String {
        switch value {
        case .null: return ""
        case .string(let text):
            let special = "\",\n\r".unicodeScalars
            guard text.unicodeScalars.contains(where: special.contains) else { return text }
            let parts = text.split(separator: "\"", omittingEmptySubsequences: false)
            return "\"" + parts.joined(separator: "\"\"") + "\""
        default:
            let text = value.text
            return text == "null" ? "" : text
        }
    }
}
