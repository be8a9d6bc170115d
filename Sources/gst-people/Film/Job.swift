import CommandKit
import Glibc

/// One file to make.
struct Job {
    let input: String
    let output: String
    let format: OutputFormat
    let background: Background
    let quality: String
    let autoCrop: AspectRatio?
    let keptPerson: KeptPerson?

    init(_ pair: FilePair, _ options: FilmOptions) throws(ToolError) {
        (input, output, background) = (pair.input, pair.output, options.background)
        (quality, autoCrop, keptPerson) = (options.quality, options.autoCrop, options.keptPerson)
        guard let format = OutputFormat(path: output), options.allows(format) else {
            let reason = options.isTransparent ? ", because it is to be transparent" : ""
            throw ToolError(.usage, "\(output) must end in \(listed(options.endings))\(reason).")
        }
        self.format = format
        guard access(input, R_OK) == 0 else {
            throw ToolError(.input, "\(input) cannot be read: \(String(cString: strerror(errno))).")
        }
        guard !isSameFile(input, output) else {
            throw ToolError(.usage, "\(output) is the input itself; give another name for the output.")
        }
    }
}

/// The words as in a sentence: ".png or .jpg".
private func listed(_ words: [String]) -> String {
    guard let last = words.last, words.count > 1 else { return words.joined() }
    return words.dropLast().joined(separator: ", ") + " or " + last
}

/// Whether two names mean one file.
private func isSameFile(_ one: String, _ other: String) -> Bool {
    var (first, second) = (stat(), stat())
    guard stat(one, &first) == 0, stat(other, &second) == 0 else { return false }
    return first.st_dev == second.st_dev && first.st_ino == second.st_ino
}
