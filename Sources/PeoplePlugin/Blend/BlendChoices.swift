import GStreamerKit

// The enumerations of blendmask's properties; the raw values are the nicks.

/// What the people stand in front of.
enum BackgroundChoice: String, PropertyChoice {
    case auto, original, picture, clip, color, transparent, pose

    static var typeName: String { "GstPeopleBackgroundSource" }
    var blurb: String {
        switch self {
        case .auto: "What the other properties ask for"
        case .original: "The frame's own background"
        case .picture: "The picture of the property background, or the first one of a clip"
        case .clip: "The clip of the property background, over and over"
        case .color: "The plain colour of background-color"
        case .transparent: "Nothing: the output has alpha"
        case .pose: "A colour that follows the largest face which facepose found, as pose-angle says"
        }
    }
}

/// Which angles of a head the colour of the source `pose` shows.
enum PoseAngleChoice: String, PropertyChoice {
    case all, roll, yaw, pitch

    static var typeName: String { "GstPeoplePoseAngle" }
    var blurb: String {
        let alone = "alone: red where it is positive, blue where it is negative, white at 0"
        return switch self {
        case .all: "Roll is red, pitch green, yaw blue"
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
        case .on: "In every frame"
        case .auto: "Where the mask is a matte (quality balanced or accurate) and the background another one"
        }
    }
}

/// What comes out.
enum ShownChoice: String, PropertyChoice {
    case result, mask

    static var typeName: String { "GstPeopleShown" }
    var blurb: String {
        switch self {
        case .result: "The composited picture"
        case .mask: "The mask as a picture: white is kept, black replaced"
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
        case .pass: "Show the frame as it is"
        case .error: "Stop with an error"
        }
    }
}
