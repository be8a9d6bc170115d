/// The newest recording, which the page plays.
extension StudioServer {
    /// Maximum bytes of one answer; browsers ask for the next ones.
    private static let maximumPart = 1 << 20

    /// Answers with the part of the recording for which a player asks.
    func showRecording(_ request: HTTPExchange) throws(Refusal) {
        guard let path = stage.recording, Self.name(path) == request.query("name") else { throw .unknown }
        guard let start = Self.start(of: request.header("Range") ?? "") else {
            throw Refusal(416, "Ask for a range of bytes.")
        }
        let range = start..<start + Self.maximumPart
        answer(request, readers, { GuardedFile.part(path, range) }) { request, part throws(Refusal) in
            guard let part else { throw Refusal(416, "The recording is shorter.") }
            let last = start + part.bytes.count - 1
            request.setHeader("Content-Range", "bytes \(start)-\(last)/\(part.size)")
            request.answer(206, type: "video/x-matroska", part.bytes)
        }
    }

    /// Returns the first byte of a range such as `bytes=0-`; nil for other texts.
    static func start(of range: String) -> Int? {
        let prefix = "bytes="
        guard range.hasPrefix(prefix), let end = range.firstIndex(of: "-") else { return nil }
        let start = Int(range[range.index(range.startIndex, offsetBy: prefix.count)..<end])
        // A part that begins here ends within the integers.
        return start.flatMap { (0...Int.max / 2).contains($0) ? $0 : nil }
    }

    private static func name(_ path: String) -> String? { path.split(separator: "/").last.map { String($0) } }
}
