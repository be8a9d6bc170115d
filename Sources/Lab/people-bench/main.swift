import Foundation

// Prints milliseconds per frame, for the stages of a frame's processing and for whole elements.
// Timings vary between runs: compare rows of one run, and quote ratios.
do {
    let options = try Options(CommandLine.arguments.dropFirst())
    if options.wantsHelp {
        print(Options.help)
    } else {
        if [.stages, .elements].contains(where: options.wants) { Report.header() }
        if options.wants(.stages) { try StageBench(options).run() }
        if options.wants(.elements) { try ElementBench(options).run() }
        if options.wants(.limits) { try LimitsBench().run() }
        if options.wants(.people) { try PeopleBench(options).run() }
        if options.wants(.streams) { try StreamsBench(options).run() }
        if options.wants(.live) { for size in options.liveSizes { try LiveBench(options, size).run() } }
    }
} catch {
    FileHandle.standardError.write(Data("people-bench: \(error)\n".utf8))
    exit(1)
}
