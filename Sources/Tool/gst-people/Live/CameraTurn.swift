import CommandKit

/// A turn of a camera's frames before all other processing, which makes people upright for the models: a
/// rotation, then a flip.
struct CameraTurn {
    /// Clockwise rotation in degrees: 0, 90, 180 or 270.
    private var rotation = "0"
    /// The flip: `none`, `horizontal` or `vertical`.
    private var flip = "none"

    static var options: [Option<CameraTurn>] {
        [
            .choice(
                "rotate", ["90", "180", "270"], "rotate the camera's frames clockwise, in degrees", \.rotation
            ),
            .choice(
                "flip", ["horizontal", "vertical"],
                "flip the camera's frames, after a rotation; horizontal: as a mirror does", \.flip),
        ]
    }

    // MARK: - Mirroring

    /// Whether frames are mirrored horizontally.
    var isMirrored: Bool {
        get { flip == "horizontal" }
        set { self = mirrored(newValue) }
    }

    /// Returns this turn with or without a horizontal mirroring; a vertical flip stays.
    func mirrored(_ isMirrored: Bool) -> CameraTurn {
        var turn = self
        if flip != "vertical" {
            turn.flip = isMirrored ? "horizontal" : "none"
        } else if isMirrored {
            // Both flips together are a rotation by 180 degrees.
            turn.rotation = "\((quarters + 2) % 4 * 90)"
            turn.flip = "none"
        }
        return turn
    }

    // MARK: - In words

    /// The turn in the words of GStreamer's `videoflip`.
    var direction: String {
        switch flip {
        case "horizontal": ["horiz", "ul-lr", "vert", "ur-ll"][quarters]
        case "vertical": ["vert", "ur-ll", "horiz", "ul-lr"][quarters]
        default: ["identity", "90r", "180", "90l"][quarters]
        }
    }

    private var quarters: Int { (Int(rotation) ?? 0) / 90 % 4 }

    /// Whether frames stay as they are.
    var isNone: Bool { direction == "identity" }

    /// The element that turns frames, before others, as a part of a pipeline description.
    var elements: String { isNone ? "" : "videoflip video-direction=\(direction) ! " }

    /// The options for this turn.
    var words: [String] {
        (quarters == 0 ? [] : ["--rotate=\(rotation)"]) + (flip == "none" ? [] : ["--flip=\(flip)"])
    }
}
