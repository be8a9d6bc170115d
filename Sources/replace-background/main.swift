import CGStreamer
import Foundation

// Threads inherit what is blocked, so this comes before GStreamer starts any.
Signals.block()
let arguments = Array(CommandLine.arguments.dropFirst())
var reporter = Reporter(arguments.contains("--json") ? .json : .normal)
do throws(ToolError) {
    guard let options = try Options.parse(arguments) else {
        print(Usage.text(isPhoto: arguments.contains("--still")))
        exit(ExitCode.success.rawValue)
    }
    gst_init(nil, nil)
    var batch = try Batch(options, Reporter(options.verbosity))
    exit(batch.run())
} catch {
    reporter.failed(error)
    exit(error.code.rawValue)
}
