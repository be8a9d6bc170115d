import Foundation

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
    init(_ options: Options) throws(ToolError) {
        let output = options.output
        isFolder = Self.isFolder(output) || output.hasSuffix("/") || options.inputs.count > 1
        guard isFolder else {
            pairs = options.inputs.map { FilePair(input: $0, output: output, conflictingInput: nil) }
            return
        }
        if OutputFormat(path: output) != nil, !Self.isFolder(output) {
            throw ToolError(.usage, "Several inputs need a folder for the output; \(output) is none.")
        }
        do {
            try FileManager.default.createDirectory(atPath: output, withIntermediateDirectories: true)
        } catch {
            throw ToolError(.output, "The folder \(output) cannot be made: \(error.localizedDescription)")
        }
        pairs = Self.pairs(options)
    }

    private static func pairs(_ options: Options) -> [FilePair] {
        var inputs: [String: String] = [:]
        return options.inputs.map { input in
            let output = outputPath(of: input, options)
            let earlier = inputs[output]
            inputs[output] = earlier ?? input
            return FilePair(input: input, output: output, conflictingInput: earlier)
        }
    }

    /// The input's name, with an ending that can be written.
    private static func outputPath(of input: String, _ options: Options) -> String {
        let name = URL(fileURLWithPath: input).lastPathComponent
        let folder = URL(fileURLWithPath: options.output, isDirectory: true)
        let keeps = OutputFormat(path: name).map(options.allows) ?? false
        let stem = (name as NSString).deletingPathExtension
        let file = keeps ? name : stem + (options.endings.first ?? "")
        return folder.appendingPathComponent(file).relativePath
    }

    private static func isFolder(_ path: String) -> Bool {
        var isDirectory: ObjCBool = false
        let exists = FileManager.default.fileExists(atPath: path, isDirectory: &isDirectory)
        return exists && isDirectory.boolValue
    }
}
