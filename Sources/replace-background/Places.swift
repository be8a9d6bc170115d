import Foundation

/// Where the result of an input goes.
struct Place {
    let input: String
    let output: String
    /// Another input that goes to the same place.
    let rival: String?
}

/// Where all results go.
struct Places {
    /// Whether the command line names a folder.
    let isFolder: Bool
    let all: [Place]

    /// Makes the folder if it is not there.
    init(_ options: Options) throws(ToolError) {
        let output = options.output
        isFolder = Self.isFolder(output) || output.hasSuffix("/") || options.inputs.count > 1
        guard isFolder else {
            all = options.inputs.map { Place(input: $0, output: output, rival: nil) }
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
        all = Self.places(options)
    }

    private static func places(_ options: Options) -> [Place] {
        var owners: [String: String] = [:]
        return options.inputs.map { input in
            let output = place(of: input, options)
            let rival = owners[output]
            owners[output] = rival ?? input
            return Place(input: input, output: output, rival: rival)
        }
    }

    /// The input's name, with an ending that can be written.
    private static func place(of input: String, _ options: Options) -> String {
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
