import CommandKit
import MediaFiles

/// A place to which a finished video goes: a file, the standard output, or an image sequence.
protocol OutputPlace {
    /// A path at which the video is made.
    var temporaryPath: String { get }

    /// Puts the finished video in its place.
    func publish() throws(ToolError)
}

extension OutputFile: OutputPlace {}

extension Job {
    /// - Throws: `ToolError` where a file must not be written over.
    func outputPlace(overwrites: Bool) throws(ToolError) -> any OutputPlace {
        if output == "-" { return try StandardOutput() }
        guard let images = ImageSequence(output) else {
            return try OutputFile(path: output, overwrites: overwrites)
        }
        return try ImageSequenceOutput(images, overwrites: overwrites)
    }
}

/// The standard output, which gets the video when it is whole.
private struct StandardOutput: OutputPlace {
    private let file: UnnamedFile
    var temporaryPath: String { file.path }

    init() throws(ToolError) { file = try UnnamedFile() }

    func publish() throws(ToolError) { try file.copyToStandardOutput() }
}

/// An image sequence that counts from 1.
private struct ImageSequenceOutput: OutputPlace {
    private let images: ImageSequence
    private let file: UnnamedFile
    var temporaryPath: String { file.path }

    init(_ images: ImageSequence, overwrites: Bool) throws(ToolError) {
        if !overwrites, let first = images.numbers.first { throw .exists(images.path(first)) }
        self.images = images
        file = try UnnamedFile()
    }

    func publish() throws(ToolError) {
        let result = try FFmpeg.run(
            [
                "-i", FFmpeg.file(file.path), "-map", "0:v:0", "-c", "copy", "-f", "image2", "-start_number",
                "1",
            ]
                + ["-y", FFmpeg.file(images.pattern)])
        guard result.isDone else {
            throw ToolError(
                .output,
                "\(images.pattern) cannot be written: \(result.diagnostics.reason ?? "ffmpeg has ended").")
        }
    }
}

/// Images with numbered names: `frames/%05d.png` means `frames/00001.png`, `frames/00002.png` and so on.
struct ImageSequence {
    let pattern: String
    private let folder: String
    private let prefix: Substring
    private let suffix: Substring
    /// Minimum number of digits.
    private let digits: Int

    /// - Returns: nil for a name without `%d` or `%05d`.
    init?(_ pattern: String) {
        let slash = pattern.lastIndex(of: "/").map { pattern.index(after: $0) } ?? pattern.startIndex
        let name = pattern[slash...]
        guard let field = name.firstMatch(of: #/%(?:0(\d))?d/#),
            !name[field.range.upperBound...].contains("%")
        else { return nil }
        self.pattern = pattern
        folder = slash == pattern.startIndex ? "." : String(pattern[..<slash])
        prefix = name[..<field.range.lowerBound]
        suffix = name[field.range.upperBound...]
        digits = field.output.1.flatMap { Int($0) } ?? 1
    }

    /// The numbers of the images that are there, ascending.
    var numbers: [Int] { FileSystem.names(in: folder).compactMap(number).sorted() }

    /// The name of an image.
    func path(_ number: Int) -> String {
        let text = "\(number)"
        let zeros = String(repeating: "0", count: max(0, digits - text.utf8.count))
        return (folder == "." ? "" : folder) + prefix + zeros + text + suffix
    }

    private func number(of name: String) -> Int? {
        guard name.hasPrefix(prefix), name.hasSuffix(suffix),
            name.utf8.count >= prefix.utf8.count + suffix.utf8.count + digits
        else { return nil }
        let text = name.dropFirst(prefix.count).dropLast(suffix.count)
        guard text.allSatisfy(\.isASCIIDigit), text.utf8.count == digits || text.first != "0" else {
            return nil
        }
        return Int(text)
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { ("0"..."9").contains(self) }
}
