import Foundation
import TestSupport

/// The output of `ffprobe` for a file.
struct Probe: Decodable {
    struct Stream: Decodable {
        let codecType: String
        let colorTransfer, colorPrimaries: String?
        let startTime, duration: String?
    }

    struct Chapter: Decodable {
        let startTime: String
        let tags: [String: String]
    }

    private struct Format: Decodable { let tags: [String: String]? }

    let streams: [Stream]
    let chapters: [Chapter]
    private let format: Format

    static func of(_ path: String) throws -> Probe {
        let shown = ["-show_streams", "-show_chapters", "-show_format"]
        let result = try Subprocess.run("ffprobe", ["-v", "error", "-of", "json"] + shown + [path])
        guard result.status == 0 else { throw SetupFailure(result.output) }
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        return try decoder.decode(Probe.self, from: Data(result.output.utf8))
    }

    /// The file's tags by their lower-case names; containers write names in either case.
    var tags: [String: String] {
        Dictionary(
            (format.tags ?? [:]).map { ($0.key.lowercased(), $0.value) }, uniquingKeysWith: { one, _ in one })
    }
}
