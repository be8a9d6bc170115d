import CommandKit
import FileNames
import Glibc
import Studio

extension Job {
    /// The form of fingerprints; a new one discards finished segments of earlier programs.
    private static let fingerprintForm = 1

    /// The data on which the frames depend, one a line: the settings, the state of the input, and that of a background file.
    ///
    /// Each stored property of a job has a line, apart from `source` and `output`, which are names only.
    var fingerprint: String {
        let fields: [(name: String, values: [String?])] = [
            ("form", ["\(Self.fingerprintForm)"]),
            ("input", [state(ofFile: input)]),
            ("format", [format.word]),
            ("compositing", background?.words ?? []),
            ("preset", compositing.preset.entries.map { "\($0.key)=\($0.text)" }),
            ("settings", compositing.settings.map { "\($0.element).\($0.property)=\($0.value)" }),
            ("quality", [quality]),
            ("autoCrop", [autoCrop.map { "\($0.width):\($0.height)" }]),
            ("keptPerson", [keptPerson.map { "\($0.place)@\($0.time)" }]),
            ("depth", [depth?.rawValue]),
            ("encoding", encoding.fingerprint),
            ("range", ["\(range.start)", range.end.map { "\($0)" }]),
            ("acceptsDamage", ["\(acceptsDamage)"]),
            ("turn", turn.filters),
            // Videos that are framed have no segments.
            ("framing", [framing.isActive ? "followed" : nil]),
        ]
        return fields.map { field in
            let values = field.values.map { $0?.replacingLineBreaks ?? "-" }
            return ([field.name] + values).joined(separator: " ")
        }.joined(separator: "\n")
    }
}

extension OutputFormat {
    fileprivate var word: String {
        switch self {
        case .video(let container): container.rawValue
        // Only videos have segments.
        case .still: "still"
        }
    }
}

extension Background {
    /// The kind of background, and the values and files on which its pixels depend.
    fileprivate var words: [String] {
        switch self {
        case .picture(let path): ["picture", path, state(ofFile: path)]
        case .color(let color): ["color", "\(color)"]
        case .transparent: ["transparent"]
        case .pose(let angle): ["pose", angle]
        case .original: ["original"]
        }
    }
}

/// Size and time of the last change of a file.
private func state(ofFile path: String) -> String {
    var status = stat()
    guard stat(path.fileName, &status) == 0 else { return "unknown" }
    return "\(status.st_size) bytes, changed \(status.st_mtim.tv_sec).\(status.st_mtim.tv_nsec)"
}

extension String {
    /// The text on one line.
    var replacingLineBreaks: String { String(map { $0.isNewline ? " " : $0 }) }
}
