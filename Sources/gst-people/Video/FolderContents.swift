import CommandKit
import GStreamerKit

/// Expansion of folders into their videos or images.
enum FolderContents {
    /// The inputs, with the files of folders in the place of these, in the order of their names.
    ///
    /// Folders inside are left out, and so are hidden and unfinished files.
    ///
    /// - Parameter isPhoto: whether images are meant, not videos.
    /// - Throws: when a folder has none.
    static func expand(_ inputs: [String], isPhoto: Bool) throws(ToolError) -> [String] {
        var files: [String] = []
        for input in inputs {
            guard FileSystem.isDirectory(input) else {
                files.append(input)
                continue
            }
            GStreamer.initialize()
            let found = names(input).map { input.hasSuffix("/") ? input + $0 : "\(input)/\($0)" }
                .filter { isWanted($0, isPhoto: isPhoto) }
            guard !found.isEmpty else {
                throw ToolError(.input, "The folder \(input) contains no \(isPhoto ? "image" : "video").")
            }
            files += found
        }
        return files
    }

    private static func names(_ folder: String) -> [String] {
        FileSystem.names(in: folder).filter { !$0.hasPrefix(".") && !$0.hasSuffix(".part") }.sorted()
    }

    private static func isWanted(_ path: String, isPhoto: Bool) -> Bool {
        guard FileSystem.isPlainFile(path) else { return false }
        // A damaged file counts by its name, so that it is not left out silently.
        guard let type = MediaType(ofFile: path) else {
            return (isPhoto ? imageEndings : videoEndings).contains(where: path.lowercased().hasSuffix)
        }
        return isPhoto ? type.isImage : type.isVideo
    }

    private static let imageEndings = [
        ".png", ".jpg", ".jpeg", ".webp", ".heic", ".heif", ".avif", ".tif", ".tiff", ".bmp", ".jxl", ".jp2",
    ]
    private static let videoEndings = [
        ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ts", ".mts", ".mpg", ".wmv",
    ]
}
