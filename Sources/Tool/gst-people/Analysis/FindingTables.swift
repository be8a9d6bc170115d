import CommandKit
import FileNames
import Glibc
import JSON
import MediaFiles

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

/// A table in Apache Parquet, which pyarrow writes in a child process; units are metadata of the columns.
///
/// The child gets rows of CSV. The table is printed when it is complete, since its index is at the end.
struct ParquetTable: ListWriter {
    private let rows: FindingRows
    private let file: UnnamedFile
    private let child: ChildProcess

    /// - Throws: when Python or pyarrow is missing, or the output is a terminal.
    init(_ columns: [ListColumn]) throws(ToolError) {
        guard isatty(STDOUT_FILENO) == 0 else {
            throw .usage("--format=parquet writes bytes: redirect the output to a file, as in > list.parquet")
        }
        guard try Self.python(["-c", Self.imports], pipes: []).finish() else { throw Self.missing }
        rows = FindingRows(columns)
        file = try UnnamedFile()
        let fields = rows.allColumns.map { "\($0.name):\($0.kind.rawValue):\($0.unit)" }
        child = try Self.python(["-c", Self.imports + Self.program, file.path] + fields, pipes: .input)
        try send(rows.header)
    }

    func add(_ frame: ListedFrame) throws(ToolError) -> Bool {
        try send(rows.text(of: frame))
        return true
    }

    func finish() throws(ToolError) {
        child.closeInput()
        guard try child.finish(Self.patience) else { throw failure }
        try file.copyToStandardOutput()
    }

    private func send(_ text: String) throws(ToolError) {
        if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
        guard try !child.write(Array(text.utf8), Self.patience) else { return }
        child.closeInput()
        try child.finish()
        throw failure
    }

    /// Ten minutes of processor time, since a table is made at once of all rows.
    private static let patience = ChildWatch.Patience(waits: 300, processorTime: 600_000_000_000)

    // MARK: - Python

    /// Starts Python without the current folder in its path, where other files may have the names of modules.
    private static func python(
        _ arguments: [String], pipes: ChildProcess.Pipes
    ) throws(ToolError) -> ChildProcess {
        do throws(ToolError) { return try ChildProcess("python3", ["-P"] + arguments, pipes: pipes) } catch {
            throw error.code == .missing ? missing : error
        }
    }

    private static let missing = ToolError(
        .missing,
        """
        Parquet is written by pyarrow, which python3 on the PATH has not. Install it in a folder of its own, \
        and put that first: python3 -m venv ~/pyarrow; ~/pyarrow/bin/pip install pyarrow; export \
        PATH=~/pyarrow/bin:$PATH
        """)

    private var failure: ToolError {
        let reason = child.diagnostics.messages.last?.text ?? "python3 has ended"
        return ToolError(.failed, "pyarrow could not write the table: \(reason).")
    }

    private static let imports = "import sys, pyarrow, pyarrow.csv, pyarrow.parquet\n"

    /// Arguments: the file, and `name:kind:unit` of each column.
    private static let program = """
        path, *columns = sys.argv[1:]
        kinds = {"text": pyarrow.string(), "integer": pyarrow.int64(), "number": pyarrow.float64(), "flag": pyarrow.bool_()}
        fields = []
        for column in columns:
            name, kind, unit = column.split(":", 2)
            fields.append(pyarrow.field(name, kinds[kind], metadata={"unit": unit} if unit else None))
        schema = pyarrow.schema(fields)
        try:
            batches = pyarrow.csv.open_csv(
                sys.stdin.buffer, pyarrow.csv.ReadOptions(block_size=1 << 24),
                pyarrow.csv.ParseOptions(newlines_in_values=True),
                pyarrow.csv.ConvertOptions(
                    column_types=schema, null_values=[""], true_values=["true"], false_values=["false"],
                    strings_can_be_null=True))
            with pyarrow.parquet.ParquetWriter(path, schema) as writer:
                for batch in batches:
                    writer.write_batch(pyarrow.RecordBatch.from_arrays(batch.columns, schema=schema))
        except Exception as error:
            sys.exit(f"{type(error).__name__}: {error}")

        """
}
