/// Messages of an ffmpeg process with `-loglevel repeat+level+warning`.
package struct Diagnostics: Equatable, Sendable {
    package struct Message: Equatable, Sendable {
        /// The part of ffmpeg that has written it, such as `h264`; empty for the program itself.
        package let source: String
        package let isError: Bool
        package let text: String
    }

    /// First messages of each source.
    package private(set) var messages: [Message] = []
    private var counts: [String: Int] = [:]

    /// Messages of a source that are kept: a damaged file can give millions.
    private static let keptMessages = 20

    package init() {}

    /// Adds a line: `[h264 @ 0x55d0] [error] text`.
    package mutating func add(_ line: String) {
        var rest = Substring(line.filter { $0 != "\n" && $0 != "\r\n" && $0 != "\r" })
        var source = ""
        var level = ""
        while rest.first == "[", let end = rest.firstIndex(of: "]") {
            let field = rest[rest.index(after: rest.startIndex)..<end]
            if let at = field.range(" @ ") { source = String(field[..<at]) } else { level = String(field) }
            rest = rest[rest.index(after: end)...].drop { $0 == " " }
        }
        guard !rest.isEmpty else { return }
        let count = counts[source, default: 0]
        counts[source] = count + 1
        guard count < Self.keptMessages else { return }
        messages.append(
            Message(source: source, isError: ["error", "fatal", "panic"].contains(level), text: String(rest)))
    }

    /// Last error of the program itself, or else of a part.
    package var reason: String? {
        let errors = messages.filter { message in
            message.isError && !Self.consequences.contains(where: message.text.hasPrefix)
        }
        return (errors.last { $0.source.isEmpty } ?? errors.last)?.text
    }

    /// Whether the end of a file could not be written, in which case some versions of ffmpeg end with status 0.
    package var hasWriteError: Bool {
        messages.contains { $0.isError && $0.text.hasPrefix("Error writing trailer") }
    }

    /// Beginnings of errors that follow from others and do not say why.
    private static let consequences = [
        "Error initializing output stream", "Could not write header", "Conversion failed",
    ]
}

extension Substring {
    /// Place of a text.
    fileprivate func range(_ text: String) -> Index? {
        indices.first { self[$0...].hasPrefix(text) }
    }
}
