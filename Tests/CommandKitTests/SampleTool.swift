import CommandKit

/// A tool with one command, whose result depends on its options.
struct SampleCommand: Command {
    static let name = "count"
    static let summary = "count things"
    static let arguments = "IN..."
    static let details = "IN is a file.\n\n.Two paragraphs with a back\\slash."
    static var options: [Option<Self>] {
        [
            .integer("maximum", "N", in: 1...9, "at most so many", \.settings.maximum),
            .choice("unit", ["one", "dozen"], "what is counted; it's one", \.unit),
            Option<Settings>.number("share", "X", in: 0...1, "how much of it", \.share).inside(\.settings),
            .flag("again", "count twice", \.isRepeated),
            Option("list", .file("F"), "a file with names") {
                (command: inout Self, text: String) throws(ToolError) in command.list = text
            },
        ]
    }

    struct Settings {
        var maximum = 5
        var share = 0.5
    }

    var settings = Settings()
    var unit = "one"
    var isRepeated = false
    var list: String?

    func run(_ arguments: [String]) throws(ToolError) -> Int32 {
        guard arguments != ["missing"] else { throw ToolError(.input, "missing cannot be read") }
        let things = min(settings.maximum, arguments.count) * (unit == "dozen" ? 12 : 1)
        return Int32(100 + things * (isRepeated ? 2 : 1))
    }

    static var tool: Tool {
        Tool(name: "sample-tool", version: "1.2", summary: "a sample", commands: [Self.self])
    }
}
