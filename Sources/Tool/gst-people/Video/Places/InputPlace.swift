import CommandKit
import FileNames
import Glibc
import MediaFiles

/// The kinds of places from which a video comes.
enum InputPlace: Equatable {
    case file, standardInput, address, imageSequence

    init(_ name: String) {
        if name == "-" {
            self = .standardInput
        } else if ["http://", "https://"].contains(where: name.lowercased().hasPrefix) {
            self = .address
        } else if ImageSequence(name) != nil, !FileSystem.exists(name) {
            self = .imageSequence
        } else {
            self = .file
        }
    }

    /// Whether its bytes come once, in order.
    var isFetched: Bool { self == .standardInput || self == .address }
}

/// A video that is no local file, kept in a file without a name while it is processed.
///
/// Standard input can be read once, an address may be slow, and an image has no time; a file is read several times, and all
/// of its frames are known before the first is composed.
struct FetchedVideo {
    private let file: UnnamedFile
    var path: String { file.path }

    /// - Parameters:
    ///   - end: seconds after which an address is read no further; nil for its end.
    ///   - rate: images per second of a sequence.
    init(_ name: String, until end: Double?, rate: Rational) throws(ToolError) {
        file = try UnnamedFile()
        switch InputPlace(name) {
        case .file: break
        case .standardInput: try file.append(from: 0, named: "the standard input")
        case .address: try fetch(name, until: end)
        case .imageSequence: try join(name, rate)
        }
    }

    /// Fetches an input of a command that lists; nil for a file.
    init?(of name: String, _ part: FramePart) throws(ToolError) {
        guard InputPlace(name).isFetched else { return nil }
        try self.init(name, until: part.range.end.map { Double($0) / 1e9 }, rate: Rational(25, 1))
    }

    /// A copy with continuous times of a transport or program stream whose clock restarts.
    ///
    /// Pictures and sound are read by two processes, which would each guess how its times go on.
    init(withOneClock path: String) throws(ToolError) {
        file = try UnnamedFile()
        try run(MediaInput(path: path).arguments + ["-map", "0", "-c", "copy", "-f", "mpegts"], path)
    }

    // MARK: - Addresses

    /// Fetches the bytes of a file, or the video that a playlist plays.
    private func fetch(_ address: String, until end: Double?) throws(ToolError) {
        let network = [
            "-protocol_whitelist", "http,https,httpproxy,tcp,tls,crypto,data,hls", "-rw_timeout", "30000000",
        ]
        try run(network + ["-f", "data", "-i", address, "-map", "0", "-c", "copy", "-f", "data"], address)
        guard isPlaylist else { return }
        try file.clear()
        let length = end.map { ["-t", $0.text(decimals: 3)] } ?? []
        try run(network + ["-i", address] + length + ["-sn", "-dn", "-c", "copy", "-f", "nut"], address)
    }

    /// Whether it is a list of other files: HLS (RFC 8216, 4.3.1.1), or DASH (ISO/IEC 23009-1).
    private var isPlaylist: Bool {
        let start = FileSystem.start(of: file.path, count: 4096)
        return start.starts(with: "#EXTM3U".utf8) || String(decoding: start, as: UTF8.self).contains("<MPD")
    }

    // MARK: - Image sequences

    private func join(_ pattern: String, _ rate: Rational) throws(ToolError) {
        guard let images = ImageSequence(pattern), let first = images.numbers.first,
            let last = images.numbers.last
        else { throw ToolError(.input, "There are no files \(pattern).") }
        let numbers = Set(images.numbers)
        if let missing = (first...last).first(where: { !numbers.contains($0) }) {
            throw ToolError(
                .input,
                "\(images.path(missing)) is missing between the images up to \(images.path(last)).")
        }
        let input = ["-f", "image2", "-framerate", "\(rate)", "-start_number", "\(first)"]
        try run(input + ["-i", FFmpeg.file(pattern), "-c", "copy", "-f", "nut"], pattern)
    }

    /// Appends ffmpeg's output.
    private func run(_ arguments: [String], _ name: String) throws(ToolError) {
        let process = try FFmpeg.start(arguments + ["pipe:1"], pipes: .output)
        do throws(ToolError) {
            try file.append(from: process.output ?? -1, named: name, sentBy: process.program)
        } catch {
            process.stop()
            throw error
        }
        guard try process.finish() else {
            throw ToolError(
                .input, "\(name) cannot be read: \(process.diagnostics.reason ?? "ffmpeg has ended").")
        }
    }
}

/// A pattern of file names that no shell has expanded: `photos/*.png`.
struct NamePattern {
    private let pattern: String

    /// - Returns: nil for a name without wildcards, and for a file that has such a name.
    init?(_ name: String) {
        guard name.contains(where: { "*?[".contains($0) }), InputPlace(name) != .address,
            !FileSystem.exists(name)
        else { return nil }
        pattern = name
    }

    /// The files, in the order of their names.
    var files: [String] {
        get throws(ToolError) {
            var found = glob_t()
            defer { globfree(&found) }
            guard glob(pattern.fileName, 0, nil, &found) == 0, let paths = found.gl_pathv else {
                throw ToolError(.input, "There are no files \(pattern).")
            }
            return (0..<Int(found.gl_pathc)).compactMap { paths[$0].map { String(fileName: $0) } }
                .filter { !FileSystem.isDirectory($0) }
        }
    }
}
