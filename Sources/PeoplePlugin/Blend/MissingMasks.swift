import GStreamerKit

/// Notices that a stream's frames have no mask that can be used, which would show as a background and nothing else.
struct MissingMasks {
    /// Some frames may lack a mask without anything being wrong.
    private static let patience: UInt64 = 1_000_000_000

    private var time: UInt64 = 0
    private var isTold = false

    /// Takes note of a frame; true once, when frames without a usable mask are a second more than those with one.
    ///
    /// - Parameter duration: of the frame in nanoseconds.
    mutating func note(_ fault: PeopleMaskMeta.Fault?, lasting duration: UInt64) -> Bool {
        time = fault == nil ? time - min(time, duration) : time &+ duration
        guard !isTold, time >= Self.patience else { return false }
        isTold = true
        return true
    }
}

extension ElementError {
    /// What a user is told when frames have no mask that can be used.
    ///
    /// - Parameter hasSource: whether an element upstream attaches masks.
    static func noMask(_ fault: PeopleMaskMeta.Fault, hasSource: Bool) -> ElementError {
        let reason =
            switch fault {
            case .missing where hasSource:
                "they come without a mask, although personsegment is upstream: an element between the two drops "
                    + "metadata, as cropping, turning and borders do. Put personsegment after it"
            case .missing: "they come without a mask. Put personsegment before blendmask"
            case .malformed: "their mask does not hold what its fields say"
            case .otherFrame:
                "their mask is another frame's: an element after personsegment changes the times of frames, or is a "
                    + "codec. Put personsegment after it"
            case .otherImage:
                "their mask is of an image of other proportions, of one that was not cropped as they are, or rotated "
                    + "otherwise. Put personsegment directly before blendmask"
            case .noInstances:
                "they carry no instance masks of the people who are asked for. Set instances=true on personsegment"
            case .lost:
                "the people who are asked for are not in them, or have other ids since a seek. Set instances-at or "
                    + "instances again"
            case .tooOld: "their mask is older than max-mask-age"
            }
        return ElementError(.streamFailed, "The people cannot be shown in these frames: \(reason).")
    }

    /// What a user is told who asks for a picture and names none.
    static let noBackground = ElementError(
        .resourceSettings,
        "background-source asks for a picture or clip, but background names none: a plain colour is shown.")
}
