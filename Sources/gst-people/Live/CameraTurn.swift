import CommandKit

/// A turn of a camera's frames before all else, so that people are upright for the models: a rotation, and then a flip.
struct CameraTurn {
    /// Clockwise, in degrees: 0, 90, 180 or 270.
    private var rotation = "0"
    /// `none`, `horizontal` or `vertical`.
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

    /// Whether frames are flipped as a mirror does.
    var isMirrored: Bool {
        get { flip == "horizontal" }
        set { self = mirrored(newValue) }
    }

    /// This turn, as a mirror does or not; a vertical flip stays beneath.
    func mirrored(_ isMirrored: Bool) -> CameraTurn {
        var turn = self
        if flip != "vertical" {
            turn.flip = isMirrored ? "horizontal" : "none"
        } else if isMirrored {
            // Both flips together are half a turn.
            turn.rotation = "\((quarters + 2) % 4 * 90)"
            turn.flip = "none"
        }
        return turn
    }

    // MARK: - In words

    /// The name of this turn for GStreamer's `videoflip`.
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

    /// The options that say the same.
    var words: [String] {
        (quarters == 0 ? [] : ["--rotate=\(rotation)"]) + (flip == "none" ? [] : ["--flip=\(flip)"])
    }
}
