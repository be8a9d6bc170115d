import Imaging

/// A frame whose mask was computed before its turn.
final class LookaheadFrame {
    let mask = FloatImage()
    let brightness = FrameBrightness()
    /// The time of the frame, in nanoseconds of its stream; nil if unknown.
    private(set) var time: UInt64?
    /// The frame's segmentation, in memory of this object.
    private(set) var result: Segmentation?

    /// Whether the mask is of this frame and of the segmenter's own level, so that no other one is wanted.
    var isFinal: Bool { result?.time == time && result?.isFallback == false }

    /// Whether the frame `other` is nearer than the frame whose mask this one has, or has a mask of a better level.
    func isNearer(to other: LookaheadFrame) -> Bool {
        guard let time, let origin = result?.time, let wanted = other.time else { return false }
        return result?.isFallback == true || Self.distance(time, wanted) < Self.distance(time, origin)
    }

    private static func distance(_ one: UInt64, _ other: UInt64) -> UInt64 {
        one > other ? one - other : other - one
    }

    func segment(
        _ frame: InputFrame, by segmenter: any Segmenter, smoothing: Float, withPeople: Bool
    ) throws(VisionError) {
        let old = result?.people
        result = nil
        var found = try segmenter.segmentAhead(frame, smoothing: smoothing, withPeople: withPeople)
        mask.copy(found.mask)
        if let known = found.brightness {
            brightness.values.copy(known)
        } else {
            try brightness.sample(frame, longSide: FrameBrightness.motionSide)
        }
        (found.mask, found.brightness) = (mask, brightness.values)
        found.people = found.people?.copy(into: old)
        (result, time) = (found, frame.nanoseconds)
    }

    /// Takes a mask of the segmenter's own level in place of its mask.
    ///
    /// - Parameter time: the time of the frame that the mask was computed of.
    func take(_ mask: FloatImage, of time: UInt64) {
        self.mask.copy(mask)
        result?.time = time
        result?.isFallback = false
    }
}
