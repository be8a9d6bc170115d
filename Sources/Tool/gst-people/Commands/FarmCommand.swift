import CommandKit
import FileNames
import Glibc

/// `gst-people farm IN... OUT_DIR`: videos on several machines.
struct FarmCommand: Command {
    static let name = "farm"
    static let summary = "process videos on several machines"
    static let arguments = "IN... OUT_DIR"
    static let details = """
        Works like video with a folder, but the segments of all videos are distributed over the
        machines of a Ray cluster; without --address, over the cores of this machine. All machines
        must have this program, IN and OUT_DIR under the same paths. IN and OUT_DIR may also be
        URLs of stores, such as s3://bucket/videos/*.mp4. Ray and fsspec are not installed with
        gst-people; the message says how to install them.
        """
    static var options: [Option<Self>] {
        [
            Option(
                "address", .text("HOST:PORT"), "head node of the Ray cluster, as ray start --head prints it"
            ) {
                (command: inout Self, text: String) throws(ToolError) in command.address = text
            },
            Option("report", .file("FILE"), "write the result of each video to this file, as JSON") {
                (command: inout Self, text: String) throws(ToolError) in command.report = text
            },
        ]
            + VideoCommand.options.filter { !["plan", "segment"].contains($0.name) }.map {
                $0.inside(\.video).recorded(in: \.passedOn)
            }
    }

    private var video = VideoCommand()
    private var address = "local"
    private var report = ""
    /// The options of `video` on the command line.
    private var passedOn: [String] = []

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard let output = arguments.last, arguments.count > 1 else { throw .usage("give IN and OUT_DIR") }
        let expanded = try FolderContents.expand(Array(arguments.dropLast()), .video)
        expanded.printLeftOut()
        let inputs = expanded.files
        let settings = video.settings
        let words =
            [try FarmPython.interpreter, try FarmPython.driver, try program, address]
            + ["\(settings.segments.workers)", report, settings.verbosity.word] + inputs + [output, "--"]
            + passedOn
        var pointers = words.map { strdup($0.fileName) } + [nil]
        defer { for pointer in pointers { free(pointer) } }
        // Python and its children handle signals themselves.
        Signals.unblock()
        execv(words[0].fileName, &pointers)
        throw ToolError(.failed, "\(words[0]) cannot be started: \(String(cString: strerror(errno))).")
    }

    private var program: String {
        get throws(ToolError) {
            guard let program = Checkout.program else {
                throw ToolError(.failed, "The path of this program cannot be read from /proc.")
            }
            return program
        }
    }
}

/// The paths of Python with Ray, and of the program that uses it.
private enum FarmPython {
    /// The Python interpreter of an environment with Ray.
    static var interpreter: String {
        get throws(ToolError) {
            for folder in folders where access((folder + "/bin/python").fileName, X_OK) == 0 {
                return folder + "/bin/python"
            }
            throw ToolError(.missing, "farm needs Ray. This installs it:\n  \(advice)")
        }
    }

    /// The Python program that distributes the tasks.
    static var driver: String {
        get throws(ToolError) {
            let places = [
                Checkout.root.map { $0 + "/pipelines/farm/farm.py" },
                Checkout.share.map { $0 + "/gst-people-farm/farm.py" },
            ]
            for case let path? in places where access(path.fileName, R_OK) == 0 { return path }
            throw ToolError(.missing, "farm.py is not installed. Install gst-people again.")
        }
    }

    private static var folders: [String] {
        [Checkout.setup.map { $0 + "/farm" }, user + "/farm"].compactMap { $0 }
    }

    private static var user: String {
        FileSystem.userData + "/gst-people"
    }

    /// The command that installs Ray.
    private static var advice: String {
        if let root = Checkout.root { return word(root + "/pipelines/setup") + " --with-farm" }
        let list = word((Checkout.share ?? "") + "/gst-people-farm/requirements-farm.txt")
        let (farm, pip) = (word(user + "/farm"), word(user + "/farm/bin/pip"))
        return "python3 -m venv \(farm) && \(pip) install --no-deps --require-hashes -r \(list)"
    }

    /// Returns a path as a word for a shell, quoted if necessary.
    private static func word(_ path: String) -> String {
        let plain = "/.-_+"
        let isPlain = path.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || plain.contains($0)) }
        return isPlain ? path : FileSystem.shellWord(path)
    }
}

extension Verbosity {
    fileprivate var word: String {
        switch self {
        case .normal: "normal"
        case .quiet: "quiet"
        case .json: "json"
        }
    }
}
