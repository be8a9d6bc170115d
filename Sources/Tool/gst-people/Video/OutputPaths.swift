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
    /// Entries of folders that are not taken, with the reason.
    let leftOut: [(path: String, reason: String)]

    /// Makes the folder if it is not there.
    ///
    /// - Parameters:
    ///   - inputs: files, and folders of which all videos or images are meant.
    ///   - output: a file or a folder.
    init(of inputs: [String], in output: String, _ options: VideoOptions) throws(ToolError) {
        isFolder =
            FileSystem.isDirectory(output) || output.hasSuffix("/") || inputs.count > 1
            || inputs.contains { FileSystem.isDirectory($0) || NamePattern($0) != nil }
        guard isFolder else {
            pairs = inputs.map { FilePair(input: $0, output: output, conflictingInput: nil) }
            leftOut = []
            return
        }
        if options.format(ofOutput: output) != nil, !FileSystem.isDirectory(output) {
            throw ToolError(.usage, "Several inputs need a folder for the output; \(output) is not a folder.")
        }
        let expanded = try FolderContents.expand(inputs, options.isPhoto ? .image : .video)
        leftOut = expanded.leftOut
        try FileSystem.makeFolder(output)
        pairs = Self.pairs(expanded.files, output, options)
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

    /// The last part of a path or an address.
    private static func name(of input: String) -> String {
        switch InputPlace(input) {
        case .standardInput: return "standard-input"
        case .address:
            let path = input.prefix { $0 != "?" && $0 != "#" }
            return String(path.split(separator: "/").dropFirst(2).last ?? "address")
        case .file, .imageSequence: return String(input.split(separator: "/").last ?? "")
        }
    }

    /// The input's name, with an ending that can be written.
    private static func path(of input: String, in folder: String, _ options: VideoOptions) -> String {
        let name = Self.name(of: input)
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
