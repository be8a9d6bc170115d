import Imaging

/// Corrects masks by those of the frames before and after.
///
/// Each value is the median of the frame's own mask and its neighbours' masks, moved along with the
/// image. Where the image of a neighbour does not match, the frame's own value is used. An error of the
/// model in one frame only is outvoted.
package final class LookaheadSegmenter: Segmenter {
    /// Maximum number of frames before, and of frames after, whose masks count.
    static let maximumNeighbours = 2

    /// Difference of two frames' masks that the inexact motion explains, for motion from one frame to the
    /// next.
    private static let inexactness: Float = 0.1

    private let segmenter: any Segmenter
    /// Frames analysed before their turn, the next one first.
    private var upcoming: [LookaheadFrame] = []
    /// The frame whose mask was asked for last, if it was analysed before its turn.
    private var current: LookaheadFrame?
    /// The frames before `current`, the last one first.
    private var past: [LookaheadFrame] = []
    /// Frames that are no longer needed, kept to reuse their memory.
    private var spare: [LookaheadFrame] = []
    private var wantsPeople = false
    private let matcher = BlockMatcher(.far)
    private let neighbour = MovingImage(maximumInexactness: LookaheadSegmenter.inexactness)
    private let moved = FloatImage()
    private let ensemble = MedianEnsemble()
    private let mask = FloatImage()

    /// Creates a segmenter that corrects the masks of `segmenter`.
    package init(_ segmenter: any Segmenter) { self.segmenter = segmenter }

    /// Computes the mask of a later frame; frames are given in their order, each once.
    package func lookAhead(to frame: InputFrame, smoothing: Float) throws(VisionError) {
        let next = spare.popLast() ?? LookaheadFrame()
        try next.segment(frame, by: segmenter, smoothing: smoothing, withPeople: wantsPeople)
        upcoming.append(next)
    }

    package func segment(
        _ frame: InputFrame, smoothing: Float, withPeople: Bool
    ) throws(VisionError) -> Segmentation {
        finishCurrent()
        guard let own = takeUpcoming(frame), var result = own.result, !withPeople || result.people != nil
        else {
            forgetPast()
            return try segmenter.segmentNext(frame, smoothing: smoothing, withPeople: withPeople)
        }
        current = own
        if !result.followsLast { forgetPast() }
        if correct(own) { result.mask = mask }
        if !withPeople { result.people = nil }
        return result
    }

    /// Fills `mask` with the frame's mask, corrected by its neighbours'; false where it has none.
    private func correct(_ own: LookaheadFrame) -> Bool {
        let after = upcoming.prefix(Self.maximumNeighbours).prefix { $0.result?.followsLast == true }
        let count = min(past.count, after.count)
        guard count > 0 else { return false }
        ensemble.begin()
        ensemble.add(own.mask)
        for index in 0..<count {
            add(past[index], to: own)
            add(after[index], to: own)
        }
        ensemble.median(into: mask)
        return true
    }

    /// Returns the frame as it was analysed before its turn; nil where it was not, as after a change of
    /// settings.
    private func takeUpcoming(_ frame: InputFrame) -> LookaheadFrame? {
        while let first = upcoming.first, first.time != frame.nanoseconds {
            guard let time = first.time, let wanted = frame.nanoseconds, time < wanted else { return nil }
            spare.append(upcoming.removeFirst())
        }
        return upcoming.isEmpty ? nil : upcoming.removeFirst()
    }

    /// Adds a neighbour's mask, moved to the frame `own`.
    private func add(_ other: LookaheadFrame, to own: LookaheadFrame) {
        matcher.advance(to: other.brightness.values)
        neighbour.begin(after: matcher.motion)
        matcher.advance(to: own.brightness.values)
        matcher.match(alongEdgesOf: other.mask, and: own.mask)
        neighbour.image.copy(other.mask)
        neighbour.follow(matcher.motion)
        moved.resize(width: own.mask.width, height: own.mask.height)
        neighbour.write(into: moved, besides: own.mask)
        ensemble.add(moved)
    }

    private func finishCurrent() {
        guard let current else { return }
        past.insert(current, at: 0)
        if past.count > Self.maximumNeighbours { spare.append(past.removeLast()) }
        self.current = nil
    }

    private func forgetPast() {
        spare += past
        past.removeAll(keepingCapacity: true)
    }

    package func preparePeople(_ search: PersonSearch.Schedule?) throws(VisionError) {
        wantsPeople = true
        try segmenter.preparePeople(search)
    }

    package func waitForMattingModels() throws(VisionError) -> MattingModels? {
        try segmenter.waitForMattingModels()
    }

    package func reset() {
        segmenter.reset()
        finishCurrent()
        forgetPast()
        spare += upcoming
        upcoming.removeAll(keepingCapacity: true)
    }
}

/// A frame whose mask was computed before its turn.
private final class LookaheadFrame {
    let mask = FloatImage()
    let brightness = FrameBrightness()
    /// The time of the frame, in nanoseconds of its stream; nil if unknown.
    private(set) var time: UInt64?
    /// The frame's segmentation, in memory of this object.
    private(set) var result: Segmentation?

    func segment(
        _ frame: InputFrame, by segmenter: any Segmenter, smoothing: Float, withPeople: Bool
    ) throws(VisionError) {
        let old = result?.people
        result = nil
        var found = try segmenter.segmentNext(frame, smoothing: smoothing, withPeople: withPeople)
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
}
