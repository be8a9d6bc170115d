import CommandKit
import Imaging
import Properties

/// The background behind the people.
enum Background: Equatable {
    case picture(String)
    /// 0xAARRGGBB.
    case color(UInt32)
    /// No background: the output has alpha.
    case transparent
    /// A colour that follows all angles of the largest face, or one of them; a value of `pose-angle`.
    case pose(String)
    /// The frame's own background.
    case original
}

extension Background {
    /// The kind of background in `blendmask`.
    var source: Backdrop.Source {
        switch self {
        case .picture: .picture
        case .color: .color
        case .transparent: .transparent
        case .pose: .pose
        case .original: .original
        }
    }

    /// The options that choose a background; one of them may be given.
    static var options: [Option<Compositing>] {
        [
            Option(
                "background", .file("F"),
                "picture or clip behind the people, as path or URI; a clip plays in a loop"
            ) { (compositing: inout Compositing, text: String) throws(ToolError) in
                try compositing.choose(.picture(text))
            },
            Option("color", .text("RRGGBB"), "plain colour behind the people, such as 00b140") {
                (compositing: inout Compositing, text: String) throws(ToolError) in
                try compositing.choose(.color(gst_people.color(text, of: "color")))
            },
            Option("original", .none, "keep the original background, for effects such as --halo-width") {
                (compositing: inout Compositing, _: String) throws(ToolError) in
                try compositing.choose(.original)
            },
            Option(
                "pose-color", .none,
                "colour that follows the largest face: roll sets red, pitch sets green, yaw sets blue"
            ) { (compositing: inout Compositing, _: String) throws(ToolError) in
                try compositing.choose(.pose("all"))
            },
            Option(
                "angle", .word(angles),
                "colour of one angle of the largest face: red if positive, blue if negative, white at 0"
            ) { (compositing: inout Compositing, text: String) throws(ToolError) in
                guard angles.contains(text) else {
                    throw .usage("--angle is \(angles.joined(separator: ", ")), not \(text)")
                }
                try compositing.choose(angle: text)
            },
        ]
    }

    /// The option for commands whose output may have alpha.
    static var transparentOption: Option<Compositing> {
        Option(
            "transparent", .none,
            "no background: OUT has an alpha channel, and is a .mov video, or a .png or .webp image"
        ) {
            (compositing: inout Compositing, _: String) throws(ToolError) in
            try compositing.choose(.transparent)
        }
    }

    private static var angles: [String] { ["roll", "yaw", "pitch"] }

    /// The properties of a `blendmask`.
    var settings: [Compositing.Setting] {
        func setting(_ property: String, _ value: String, isText: Bool = false) -> Compositing.Setting {
            Compositing.Setting(element: "blendmask", property: property, value: value, isText: isText)
        }
        return switch self {
        case .picture(let location): [setting("background", location, isText: true)]
        case .color(let color): [setting("background-color", "\(color)")]
        case .transparent: [setting("background-source", "transparent")]
        case .pose(let angle): [setting("background-source", "pose"), setting("pose-angle", angle)]
        case .original: [setting("background-source", "original")]
        }
    }
}

/// Parses a colour, the value of the option `name`.
///
/// - Parameter text: RRGGBB with or without `#` or `0x`; eight digits are 0xAARRGGBB, whose alpha is ignored.
/// - Returns: 0xFFRRGGBB.
func color(_ text: String, of name: String) throws(ToolError) -> UInt32 {
    guard let color = PropertyText.color(text) else {
        throw .usage("--\(name) takes six hexadecimal digits such as 00b140, not \(text)")
    }
    return color
}
