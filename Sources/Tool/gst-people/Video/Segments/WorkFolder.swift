import CGStreamer
import CommandKit
import FileNames
import Glibc
import MediaFiles

/// The folder beside an unfinished video that holds its finished segments: `OUT.segments`.
///
/// The file `plan` has the settings of the segments and the places of the cuts. A segment has its name only when it is
/// complete.
struct WorkFolder {
    let path: String
    let segments: [VideoSegment]

    /// Changes since the previous run that cost work, for the user.
    private(set) var notes: [String] = []

    private init(_ path: String, _ segments: [VideoSegment]) { (self.path, self.segments) = (path, segments) }

    /// The folder of a video that is to be made in segments.
    ///
    /// - Parameters:
    ///   - length: length of a segment, in nanoseconds.
    ///   - overwrites: whether segments of other settings are removed.
    /// - Returns: nil for a video that is made in one piece.
    static func open(_ plan: VideoPlan, length: UInt64, overwrites: Bool) throws(ToolError) -> WorkFolder? {
        let job = plan.job
        if let folder = try opened(job, length, overwrites: overwrites) { return folder }
        let segments = VideoSegment.cut(plan, length: length)
        guard segments.count > 1 else { return nil }
        var folder = WorkFolder(path(job), segments)
        if folder.segments.indices.contains(where: folder.isDone), !overwrites {
            folder.notes.append("the plan in \(folder.path) is damaged: all segments are made again")
        }
        folder.remove()
        try FileSystem.makeFolder(folder.path)
        let lines = origin(of: job, length: length) + segments.map(\.line).joined()
        try write(lines + sealLine(of: lines), to: folder.path)
        return folder
    }

    /// The folder that is there.
    ///
    /// - Throws: when it is of other settings, unless `overwrites`.
    /// - Returns: nil when there is none that can be used.
    static func opened(
        _ job: Job, _ length: UInt64, overwrites: Bool = false
    ) throws(ToolError) -> WorkFolder? {
        guard let plan = plan(path(job)) else { return nil }
        let origin = origin(of: job, length: length)
        if plan.hasPrefix(origin) {
            guard let lines = unsealed(plan) else { return nil }
            let segments = read(lines.dropFirst(origin.count))
            return segments.isEmpty ? nil : WorkFolder(path(job), segments)
        }
        guard overwrites else { throw .otherSegments(path(job), job.input) }
        return nil
    }

    private static func path(_ job: Job) -> String { job.output + ".segments" }

    /// The file of a segment.
    func file(_ number: Int) -> String {
        let digits = "\(number)"
        return "\(path)/" + String(repeating: "0", count: max(0, 5 - digits.count)) + digits + ".nut"
    }

    /// Notes for the user that came with a finished segment.
    func notes(_ number: Int) -> [String] {
        (FileSystem.text(of: file(number) + ".notes") ?? "").split(separator: "\n").map(String.init)
    }

    /// Keeps notes for the run that joins the segments.
    func keep(_ notes: [String], of number: Int) {
        guard !notes.isEmpty else { return }
        _ = FileSystem.write(
            notes.map { $0.replacingLineBreaks + "\n" }.joined(), to: file(number) + ".notes")
    }

    /// Removes segments that are not as they were when they were made.
    ///
    /// - Parameter only: a segment; nil for all.
    mutating func removeDamaged(only chosen: Int? = nil) throws(ToolError) {
        var names: [String] = []
        for number in segments.indices where isDone(number) && number == chosen ?? number {
            guard try !SegmentSeal.isIntact(file(number)) else { continue }
            unlink(file(number).fileName)
            names.append(String(file(number).dropFirst(path.count + 1)))
        }
        guard !names.isEmpty else { return }
        notes.append("damaged since the previous run, and made again: \(names.joined(separator: ", "))")
    }

    func isDone(_ number: Int) -> Bool { FileSystem.exists(file(number)) }

    /// The segments that are to be made.
    var missing: [Int] { segments.indices.filter { !isDone($0) } }

    /// Removes the segments and the plan, and the folder unless it has other files.
    func remove() {
        for name in FileSystem.names(in: path) {
            let isOurs =
                name == "plan" || [".nut", ".nut.part", ".nut.notes"].contains(where: name.hasSuffix)
            if isOurs { unlink("\(path)/\(name)".fileName) }
        }
        rmdir(path.fileName)
    }

    // MARK: - The plan

    /// The settings and cuts on which the segments depend, as lines of text.
    private static func origin(of job: Job, length: UInt64) -> String {
        let fields = ["gst-people \(version) segments", job.fingerprint, "length \(length)", "segments"]
        return fields.map { $0 + "\n" }.joined()
    }

    private static func plan(_ path: String) -> String? { FileSystem.text(of: path + "/plan") }

    private static func write(_ text: String, to path: String) throws(ToolError) {
        // It appears whole: segments may be made by several programs at once.
        guard FileSystem.write(text, to: path + "/plan") else {
            throw FileSystem.unwritable(path)
        }
    }

    /// The line at the end of a plan by which a changed one is found.
    private static func sealLine(of text: String) -> String {
        "sha256 \(SegmentSeal.digits(of: text))\n"
    }

    /// Returns a plan without its last line; nil where that does not fit the others.
    private static func unsealed(_ plan: String) -> String? {
        let lines = String(plan.dropLast(sealLine(of: "").count))
        return plan == lines + sealLine(of: lines) ? lines : nil
    }

    private static func read(_ lines: Substring) -> [VideoSegment] {
        let segments = lines.split(separator: "\n").map { VideoSegment(line: $0) }
        return segments.contains(nil) ? [] : segments.compactMap { $0 }
    }
}

extension VideoSegment {
    /// Times in nanoseconds, 0 for an end that is the video's, and the number of frames.
    fileprivate var line: String { "\(warmUp) \(start) \(end ?? 0) \(frames)\n" }

    fileprivate init?(line: Substring) {
        let fields = line.split(separator: " ").compactMap { UInt64($0) }
        guard fields.count == 4 else { return nil }
        self.init(
            warmUp: fields[0], start: fields[1], end: fields[2] == 0 ? nil : fields[2],
            frames: Int(clamping: fields[3]))
    }
}

extension ToolError {
    fileprivate static func otherSegments(_ path: String, _ input: String) -> ToolError {
        ToolError(
            .output,
            "\(path) contains segments made with other settings, or before \(input) was changed: they are not used. "
                + "Repeat the settings of the previous run, or start over with --force.")
    }
}

/// The seal at the end of a kept segment, by which later runs find whether a byte of it has changed.
enum SegmentSeal {
    /// Appends the seal to a segment that was just made.
    static func append(to path: String) throws(ToolError) {
        guard let bytes = try packet(of: path, count: .max) else { throw FileSystem.unwritable(path) }
        guard let file = fopen(path.fileName, "a") else { throw FileSystem.unwritable(path) }
        let written = fwrite(bytes, 1, bytes.count, file)
        guard fclose(file) == 0, written == bytes.count else { throw FileSystem.unwritable(path) }
    }

    /// Whether a segment is as it was when it was made.
    ///
    /// - Throws: `ToolError` when a signal asks the program to end.
    static func isIntact(_ path: String) throws(ToolError) -> Bool {
        let length = NUTSeal.packet(digits(of: "")).count
        var status = stat()
        guard stat(path.fileName, &status) == 0, Int(status.st_size) > length else { return false }
        let count = Int(status.st_size) - length
        guard let expected = try packet(of: path, count: count) else { return false }
        return end(of: path, from: count) == expected
    }

    /// Returns the seal of the first bytes of a file; nil where it cannot be read.
    private static func packet(of path: String, count: Int) throws(ToolError) -> [UInt8]? {
        guard let file = fopen(path.fileName, "r") else { return nil }
        defer { fclose(file) }
        guard let checksum = g_checksum_new(G_CHECKSUM_SHA256) else { return nil }
        defer { g_checksum_free(checksum) }
        var bytes = [UInt8](repeating: 0, count: 1 << 20)
        var rest = count
        while rest > 0 {
            if let signal = Signals.pending() { throw ToolError(interruptedBy: signal) }
            let length = fread(&bytes, 1, min(bytes.count, rest), file)
            guard length > 0 else { break }
            g_checksum_update(checksum, bytes, gssize(length))
            rest -= length
        }
        guard ferror(file) == 0, let text = g_checksum_get_string(checksum) else { return nil }
        return NUTSeal.packet(String(cString: text))
    }

    private static func end(of path: String, from place: Int) -> [UInt8] {
        guard let file = fopen(path.fileName, "r") else { return [] }
        defer { fclose(file) }
        guard fseek(file, place, SEEK_SET) == 0 else { return [] }
        var bytes = [UInt8](repeating: 0, count: 4096)
        let length = fread(&bytes, 1, bytes.count, file)
        return Array(bytes.prefix(length))
    }

    /// Returns the SHA-256 of a text, in hexadecimal digits.
    static func digits(of text: String) -> String {
        guard let digits = g_compute_checksum_for_string(G_CHECKSUM_SHA256, text, -1) else { return "" }
        defer { g_free(digits) }
        return String(cString: digits)
    }
}
