import CGStreamer
import Foundation

// Threads inherit what is blocked, so this comes before GStreamer starts any.
Signals.block()
let arguments = Array(CommandLine.arguments.dropFirst())
let isPhoto = arguments.contains("--still")
do throws(ToolError) {
    guard let options = try Options.parse(arguments) else {
        print(Usage.text(isPhoto: isPhoto))
        exit(ExitCode.success.rawValue)
    }
    gst_init(nil, nil)
    var batch = try Batch(options, Reporter(options.verbosity, isPhoto: isPhoto))
    exit(batch.run())
} catch {
    Reporter(arguments.contains("--json") ? .json : .normal, isPhoto: isPhoto).failed(error)
    exit(error.code.rawValue)
}
