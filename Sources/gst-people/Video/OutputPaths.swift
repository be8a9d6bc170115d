import CommandKit
import FileNames

/// An input and the path of its output.
struct FilePair {
    let input: String
    let output: String
    /// Another input with the same output, if there is one.
    let conflictingInput: String?
}

/// The paths of all outputs.
struct OutputPaths {
    /// Whether the command line names a folder.
    let isFolder: Bool
    let pairs: [FilePair]

    /// Makes the folder if it is not there.
    ///
    /// - Parameters:
    ///   - inputs: files, and folders of which all videos or images are meant.
    ///   - output: a file or a folder.
    init(of inputs: [String], in output: String, _ options: VideoOptions) throws(ToolError) {
        isFolder =
            FileSystem.isDirectory(output) || output.hasSuffix("/") || inputs.count > 1
            || inputs.contains(where: FileSystem.isDirectory)
        guard isFolder else {
            pairs = inputs.map { FilePair(input: $0, output: output, conflictingInput: nil) }
            return
        }
        if options.format(ofOutput: output) != nil, !FileSystem.isDirectory(output) {
            throw ToolError(.usage, "Several inputs need a folder for the output; \(output) is not a folder.")
        }
        let files = try FolderContents.expand(inputs, isPhoto: options.isPhoto)
        try FileSystem.makeFolder(output)
        pairs = Self.pairs(files, output, options)
    }

    private static func pairs(_ inputs: [String], _ folder: String, _ options: VideoOptions) -> [FilePair] {
        // By bytes: texts are equal that are written in two ways.
        var taken: [[CChar]: String] = [:]
        return inputs.map { input in
            let output = path(of: input, in: folder, options)
            let earlier = taken[output.fileName]
            taken[output.fileName] = earlier ?? input
            return FilePair(input: input, output: output, conflictingInput: earlier)
        }
    }

    /// The input's name, with an ending that can be written.
    private static func path(of input: String, in folder: String, _ options: VideoOptions) -> String {
        let name = String(input.split(separator: "/").last ?? "")
        let keeps = options.format(ofOutput: name).map(options.allows) ?? false
        let file = keeps ? name : name.withoutEnding + (options.endings.first ?? "")
        return folder.hasSuffix("/") ? folder + file : "\(folder)/\(file)"
    }
}

extension String {
    /// A file's name without what follows the last point; a point at the start begins no ending.
    fileprivate var withoutEnding: String {
        guard let point = lastIndex(of: "."), point != startIndex else { return self }
        return String(self[..<point])
    }
}
