import GStreamerKit
import PeopleSettings

/// Detects that a stream's frames have no usable mask, which would show only the background.
struct MissingMasks {
    /// Duration without masks that is not reported, since some frames may lack a mask although nothing is
    /// wrong.
    private static let patience: UInt64 = 1_000_000_000

    private var time: UInt64 = 0
    private var isReported = false

    /// Whether frames without a usable mask last a second longer than frames with one.
    var areMissingLong: Bool { time >= Self.patience }

    /// Records a frame; returns true once, when frames without a usable mask last a second longer than frames
    /// with one.
    ///
    /// - Parameter duration: duration of the frame in nanoseconds.
    mutating func note(_ fault: PeopleMaskMeta.Fault?, lasting duration: UInt64) -> Bool {
        time = fault == nil ? time - min(time, duration) : min(time &+ duration, Self.patience)
        guard !isReported, areMissingLong else { return false }
        isReported = true
        return true
    }
}

extension PeopleMaskMeta.Fault {
    /// The words in a covered frame, in two lines.
    var sign: (StaticString, StaticString) {
        let advice: StaticString =
            switch self {
            case .missing, .otherFrame, .otherImage: "PUT PERSONSEGMENT DIRECTLY BEFORE BLENDMASK"
            case .malformed: "THE DATA OF THE MASK ARE DAMAGED"
            case .noInstances: "PERSONSEGMENT NEEDS INSTANCE-MASKS"
            case .lost: "THE CHOSEN PEOPLE ARE LOST"
            case .tooOld: "THE MASK IS OLDER THAN MAX-MASK-AGE"
            }
        return ("NO USABLE MASK", advice)
    }
}

extension BlendSettings {
    /// Whether a covered frame says in words why it is covered.
    var explainsCover: Bool { noMask == .cover && shown == .result && !coversSilently }
}

extension ElementError {
    /// Returns the message to a user whose frames have no usable mask.
    ///
    /// - Parameter hasSource: whether an element upstream attaches masks.
    static func noMask(_ fault: PeopleMaskMeta.Fault, hasSource: Bool) -> ElementError {
        let reason =
            switch fault {
            case .missing where hasSource:
                "they come without a mask, although personsegment is upstream: an element between the two drops "
                    + "metadata, as cropping, rotation and borders do. Put personsegment after that element"
            case .missing: "they come without a mask. Put personsegment before blendmask"
            case .malformed: "the data of their mask do not match its fields"
            case .otherFrame:
                "their mask is another frame's: an element after personsegment changes timestamps, or is a "
                    + "codec. Put personsegment after that element"
            case .otherImage:
                "their mask was made of a frame with another aspect ratio, crop or orientation. "
                    + "Put personsegment directly before blendmask"
            case .noInstances:
                "their mask has no instances. Set instance-masks=true on personsegment"
            case .lost:
                "the chosen people are not in them, or have new ids since a seek. Set instances-at or "
                    + "instances again"
            case .tooOld: "their mask is older than max-mask-age"
            }
        return ElementError(.streamFailed, "The people cannot be shown in these frames: \(reason).")
    }

    /// The message to a user who asks for a picture and names none.
    static let noBackground = ElementError(
        .resourceSettings,
        "background-source is picture or clip, but background names none: background-color is shown.")
}
