import CGStreamer
import CommandKit
import Glibc

/// Stands for the videos or pictures of folders.
enum FolderContents {
    /// The inputs, with the files of folders in the place of these, in the order of their names.
    ///
    /// Folders inside are left out, and so are hidden and unfinished files.
    ///
    /// - Parameter isPhoto: whether pictures are meant, not videos.
    /// - Throws: when a folder has none.
    static func expand(_ inputs: [String], isPhoto: Bool) throws(ToolError) -> [String] {
        var files: [String] = []
        for input in inputs {
            guard isDirectory(input) else {
                files.append(input)
                continue
            }
            gst_init(nil, nil)
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
        guard let entries = g_dir_open(folder, 0, nil) else { return [] }
        defer { g_dir_close(entries) }
        var names: [String] = []
        while let entry = g_dir_read_name(entries) { names.append(String(cString: entry)) }
        return names.filter { !$0.hasPrefix(".") && !$0.hasSuffix(".part") }.sorted()
    }

    private static func isWanted(_ path: String, isPhoto: Bool) -> Bool {
        guard kind(ofFile: path) == S_IFREG else { return false }
        // A damaged file is what its name promises, so that it is not left out without a word.
        guard let type = MediaType(ofFile: path) else {
            return (isPhoto ? pictureEndings : videoEndings).contains(where: path.lowercased().hasSuffix)
        }
        return isPhoto ? type.isPicture : type.isVideo
    }

    private static let pictureEndings = [".png", ".jpg", ".jpeg", ".webp", ".heic", ".tif", ".tiff", ".bmp"]
    private static let videoEndings = [
        ".mp4", ".m4v", ".mov", ".mkv", ".webm", ".avi", ".ts", ".mts", ".mpg", ".wmv",
    ]
}

func isDirectory(_ path: String) -> Bool { kind(ofFile: path) == S_IFDIR }

/// What a path leads to, as `S_IFDIR`; nil when it leads nowhere.
private func kind(ofFile path: String) -> mode_t? {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & S_IFMT : nil
}
