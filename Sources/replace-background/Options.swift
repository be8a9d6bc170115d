/// What is shown behind the people.
enum Background: Equatable {
    case picture(String)
    /// 0 to 100, as `blendmask`'s property.
    case blur(Double)
    /// 0xAARRGGBB.
    case color(UInt32)
    /// Nothing: the output has alpha.
    case transparent
}

/// How much the program prints, and in which form.
enum Verbosity {
    case normal, quiet, json
}

/// The command line.
struct Options: Equatable {
    var background = Background.color(0xff00_0000)
    var quality: String?
    var overwrites = false
    var verbosity = Verbosity.normal
    /// Pictures only: `pipelines/photo`.
    var isPhoto = false
    var inputs: [String] = []
    var output = ""

    var isTransparent: Bool { background == .transparent }

    static let qualities = ["fast", "balanced", "accurate"]

    /// - Parameter arguments: without the program's name.
    /// - Returns: nil when help was asked for.
    static func parse(_ arguments: [String]) throws(ToolError) -> Options? {
        var options = Options()
        var rest = arguments[...]
        var files: [String] = []
        var backgrounds = 0
        while let argument = rest.popFirst() {
            switch argument {
            case "--help", "-h": return nil
            case "--background":
                options.background = .picture(try value(of: argument, &rest)); backgrounds += 1
            case "--blur": options.background = .blur(try blur(value(of: argument, &rest))); backgrounds += 1
            case "--color":
                options.background = .color(try color(value(of: argument, &rest))); backgrounds += 1
            case "--transparent": options.background = .transparent; backgrounds += 1
            case "--quality": options.quality = try quality(value(of: argument, &rest))
            case "--force": options.overwrites = true
            case "--quiet": options.verbosity = .quiet
            case "--json": options.verbosity = .json
            case "--still": options.isPhoto = true
            case "--": files += rest; rest = []
            case _ where argument.hasPrefix("-") && argument != "-": throw usage("unknown option \(argument)")
            default: files.append(argument)
            }
        }
        guard backgrounds <= 1 else {
            throw usage("give one of --background, --blur, --color and --transparent")
        }
        guard let output = files.popLast(), !files.isEmpty else { throw usage("give IN and OUT") }
        (options.inputs, options.output) = (files, output)
        return options
    }

    private static func value(
        of option: String, _ rest: inout ArraySlice<String>
    ) throws(ToolError) -> String {
        guard let value = rest.popFirst() else { throw usage("\(option) needs a value") }
        return value
    }

    private static func blur(_ text: String) throws(ToolError) -> Double {
        guard let strength = Double(text), (0...100).contains(strength) else {
            throw usage("--blur takes a number from 0 to 100, not \(text)")
        }
        return strength
    }

    /// RRGGBB with or without `#` or `0x`; eight digits are 0xAARRGGBB, whose alpha is ignored.
    private static func color(_ text: String) throws(ToolError) -> UInt32 {
        let digits = text.hasPrefix("#") ? text.dropFirst(1) : text.dropFirst(text.hasPrefix("0x") ? 2 : 0)
        guard [6, 8].contains(digits.count), digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16)
        else { throw usage("--color takes six hexadecimal digits such as 00b140, not \(text)") }
        return number | 0xff00_0000
    }

    private static func quality(_ text: String) throws(ToolError) -> String {
        guard qualities.contains(text) else {
            throw usage("--quality is \(qualities.joined(separator: ", ")), not \(text)")
        }
        return text
    }

    private static func usage(_ problem: String) -> ToolError {
        ToolError(.usage, "\(problem); --help tells more")
    }
}

extension Options {
    /// Whether the output can be of that kind.
    func allows(_ format: OutputFormat) -> Bool {
        switch format {
        case .still(let kind): isPhoto && (kind == .png || !isTransparent)
        case .video(let container): !isPhoto && (container == .mov || !isTransparent)
        }
    }

    /// The endings of names that can be written, the usual one first.
    var endings: [String] {
        switch (isPhoto, isTransparent) {
        case (true, true): [".png"]
        case (true, false): [".png", ".jpg"]
        case (false, true): [".mov"]
        case (false, false): [".mp4", ".mov", ".mkv", ".webm"]
        }
    }
}
