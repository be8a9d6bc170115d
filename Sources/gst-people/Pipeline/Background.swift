import CommandKit

/// What is shown behind the people.
enum Background: Equatable {
    case picture(String)
    /// 0 to 100, as `blendmask`'s property.
    case blur(Double)
    /// 0xAARRGGBB.
    case color(UInt32)
    /// Nothing: the output has alpha.
    case transparent
    /// A colour of the angles of the largest face, or of one of them: a value of `pose-angle`.
    case pose(String)
    /// The picture as it is.
    case original
}

extension Background {
    /// The options that choose one; of which one may be given.
    static func options<Settings>(_ path: WritableKeyPath<Settings, Background?>) -> [Option<Settings>] {
        [
            Option(
                "background", .file("F"), "a picture or a clip, by path or URI; a clip plays over and over"
            ) {
                (settings: inout Settings, text: String) throws(ToolError) in
                guard !text.isEmpty else { throw .usage("--background takes a path or URI") }
                try choose(.picture(text), for: &settings[keyPath: path])
            },
            Option("blur", .text("N"), "what is behind them, blurred: 0 to 100") {
                (settings: inout Settings, text: String) throws(ToolError) in
                try choose(.blur(number(text, in: 0...100, of: "blur")), for: &settings[keyPath: path])
            },
            Option("color", .text("RRGGBB"), "a colour, such as 00b140") {
                (settings: inout Settings, text: String) throws(ToolError) in
                try choose(.color(color(text)), for: &settings[keyPath: path])
            },
            Option(
                "pose-color", .none,
                "a colour that follows the largest face: tilt is red, nodding green, turning blue"
            ) { (settings: inout Settings, _: String) throws(ToolError) in
                try choose(.pose("all"), for: &settings[keyPath: path])
            },
            Option(
                "angle", .word(angles),
                "a colour of one angle of the largest face: red is positive, blue negative, white 0"
            ) { (settings: inout Settings, text: String) throws(ToolError) in
                guard angles.contains(text) else {
                    throw .usage("--angle is \(angles.joined(separator: ", ")), not \(text)")
                }
                // Scripts that give an angle can be given another.
                if case .pose = settings[keyPath: path] { settings[keyPath: path] = nil }
                try choose(.pose(text), for: &settings[keyPath: path])
            },
        ]
    }

    private static var angles: [String] { ["roll", "yaw", "pitch"] }

    static func choose(_ background: Background, for place: inout Background?) throws(ToolError) {
        guard place == nil else { throw .usage("only one background can be given") }
        place = background
    }

    // MARK: - Elements

    /// The elements before `blendmask`, as in a launch line.
    var analysis: String {
        let people = "personsegment name=personsegment"
        return switch self {
        case .original: "identity"
        case .pose: "facepose name=facepose ! \(people)"
        case .picture, .blur, .color, .transparent: people
        }
    }

    /// Sets the properties of a `blendmask`.
    func apply(to blend: Element) {
        switch self {
        case .picture(let location): set(blend, "background", text: location)
        case .blur(let strength): set(blend, "blur", "\(strength)")
        case .color(let color): set(blend, "background-color", "\(color)")
        case .transparent: set(blend, "background-source", "transparent")
        case .pose(let angle):
            set(blend, "background-source", "pose")
            set(blend, "pose-angle", angle)
        case .original: set(blend, "background-source", "original")
        }
    }

    // MARK: - Values

    /// RRGGBB with or without `#` or `0x`; eight digits are 0xAARRGGBB, whose alpha is ignored.
    private static func color(_ text: String) throws(ToolError) -> UInt32 {
        let digits = text.hasPrefix("#") ? text.dropFirst(1) : text.dropFirst(text.hasPrefix("0x") ? 2 : 0)
        guard [6, 8].contains(digits.count), digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: 16)
        else { throw .usage("--color takes six hexadecimal digits such as 00b140, not \(text)") }
        return number | 0xff00_0000
    }
}
