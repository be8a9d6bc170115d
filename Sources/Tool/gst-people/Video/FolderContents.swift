import CommandKit
import GStreamerKit

/// Expansion of folders and patterns into their videos or images.
enum FolderContents {
    /// The kinds of files that are meant.
    enum Kind: String {
        case video = "video"
        case image = "image"
        case any = "video or image"
    }

    /// Files to process, and those of folders that are none.
    struct Expanded {
        var files: [String] = []
        /// Entries of folders that are not taken, with the reason.
        var leftOut: [(path: String, reason: String)] = []

        /// Prints the entries that are not taken on the standard error output.
        ///
        /// - Parameter prefix: text at the beginning of each line.
        func printLeftOut(_ prefix: String = "") {
            for (path, reason) in leftOut { printDiagnostic("\(prefix)\(path): not taken, \(reason)") }
        }
    }

    /// The inputs, with the files of folders and patterns in the place of these, in the order of their names.
    ///
    /// Hidden files are left out. A file is taken by its content, and by its name where the content is of no known kind.
    ///
    /// - Throws: when a folder has none, or no file fits a pattern.
    static func expand(_ inputs: [String], _ kind: Kind) throws(ToolError) -> Expanded {
        var expanded = Expanded()
        for input in inputs {
            if let pattern = NamePattern(input) {
                expanded.files += try pattern.files
            } else if FileSystem.isDirectory(input) {
                try expand(folder: input, kind, &expanded)
            } else {
                expanded.files.append(input)
            }
        }
        return expanded
    }

    /// Whether a name ends like that of an image.
    static func isNamedAsImage(_ path: String) -> Bool {
        FileContent.imageEndings.contains(where: path.lowercased().hasSuffix)
    }

    private static func expand(
        folder: String, _ kind: Kind, _ expanded: inout Expanded
    ) throws(ToolError) {
        GStreamer.initialize()
        let count = expanded.files.count
        var leftOut: [(path: String, reason: String)] = []
        for name in FileSystem.names(in: folder).sorted() where !name.hasPrefix(".") {
            let path = folder.hasSuffix("/") ? folder + name : "\(folder)/\(name)"
            if let reason = reason(against: path, kind) {
                leftOut.append((path, reason))
            } else {
                expanded.files.append(path)
            }
        }
        expanded.leftOut += leftOut
        guard expanded.files.count == count else { return }
        let list = leftOut.map { "\n  \($0.path): \($0.reason)" }.joined()
        throw ToolError(.input, "The folder \(folder) contains no \(kind.rawValue).\(list)")
    }

    /// The reason not to take an entry of a folder; nil for one that is taken.
    private static func reason(against path: String, _ kind: Kind) -> String? {
        if FileSystem.isDirectory(path) { return "a folder; give it beside the other" }
        guard FileSystem.isPlainFile(path) else { return "no file" }
        if path.hasSuffix(".part") { return "unfinished" }
        let found = FileContent(path)
        let isWanted =
            switch kind {
            case .image: found.isImage
            case .video: found.isVideo
            case .any: found.isImage || found.isVideo
            }
        return isWanted ? nil : "no \(kind.rawValue)"
    }
}

/// The content of a file: image, video or another.
private struct FileContent {
    let isImage: Bool
    let isVideo: Bool

    init(_ path: String) {
        let header = FileSystem.start(of: path, count: PictureKind.headerLength)
        let type = MediaType(ofFile: path)
        // Pictures that have to be converted first are errors, which name the command.
        let isPicture = PictureKind(header) != nil || ForeignPicture(path: path, header)?.isImage ?? false
        if isPicture || type?.isImage ?? false {
            (isImage, isVideo) = (true, type?.name == "image/gif")
        } else if type?.isVideo ?? false {
            (isImage, isVideo) = (false, true)
        } else {
            // A damaged file counts by its name, so that it fails with a reason.
            isImage = FolderContents.isNamedAsImage(path)
            isVideo = Self.videoEndings.contains(where: path.lowercased().hasSuffix)
        }
    }

    static let imageEndings = [
        ".png", ".jpg", ".jpeg", ".webp", ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp", ".jxl", ".jp2",
    ]
    private static let videoEndings = [
        ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ts", ".mts", ".mpg", ".wmv",
    ]
}
