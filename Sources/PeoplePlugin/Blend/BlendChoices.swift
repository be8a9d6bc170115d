import GStreamerKit

// The enumerations of blendmask's properties; the raw values are the nicks.

/// What the people stand in front of.
enum BackgroundChoice: String, PropertyChoice {
    case auto, original, picture, clip, color, transparent, pose

    static var typeName: String { "GstPeopleBackgroundSource" }
    var blurb: String {
        switch self {
        case .auto: "Follows from the other properties"
        case .original: "The frame's own background"
        case .picture: "The picture named by background, or the first frame of a clip"
        case .clip: "The clip named by background, in a loop"
        case .color: "The plain colour background-color"
        case .transparent: "Nothing: the output has an alpha channel"
        case .pose:
            "A colour that follows the head pose of the largest face (needs facepose upstream); see pose-angle"
        }
    }
}

/// Which angles of a head the colour of the source `pose` shows.
enum PoseAngleChoice: String, PropertyChoice {
    case all, roll, yaw, pitch

    static var typeName: String { "GstPeoplePoseAngle" }
    var blurb: String {
        let alone = "only: red if positive, blue if negative, white at 0"
        return switch self {
        case .all: "Roll sets red, pitch sets green, yaw sets blue"
        case .roll: "Roll \(alone)"
        case .yaw: "Yaw \(alone)"
        case .pitch: "Pitch \(alone)"
        }
    }
}

/// When the old background's colour is taken out of soft edges.
///
/// The nicks are those of a boolean property, which this was at first: `decontaminate=true` and `=false`, and
/// 1 and 0, mean what they did.
enum DecontaminationChoice: String, PropertyChoice {
    case off = "false"
    case on = "true"
    case auto

    static var typeName: String { "GstPeopleDecontamination" }
    var blurb: String {
        switch self {
        case .off: "Never"
        case .on: "Always"
        case .auto: "If the mask is a matte (quality balanced or accurate) and the background is replaced"
        }
    }
}

/// What comes out.
enum ShownChoice: String, PropertyChoice {
    case result, mask

    static var typeName: String { "GstPeopleShown" }
    var blurb: String {
        switch self {
        case .result: "The composited image"
        case .mask: "The mask as an image: white is kept, black is replaced"
        }
    }
}

/// What happens to a frame that carries no mask, or one that is too old or broken.
enum NoMaskPolicy: String, PropertyChoice {
    case cover, pass, error

    static var typeName: String { "GstPeopleNoMaskPolicy" }
    var blurb: String {
        switch self {
        case .cover: "Show only the background"
        case .pass: "Show the frame unchanged"
        case .error: "Stop with an error"
        }
    }
}
