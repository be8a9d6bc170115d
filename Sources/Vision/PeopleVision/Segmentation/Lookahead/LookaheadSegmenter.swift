import Imaging

/// Corrects masks by those of the frames before and after.
///
/// Each value is the median of the frame's own mask and its neighbours' masks, moved along with the
/// image. Where the image of a neighbour does not match, the frame's own value is used. An error of the
/// model in one frame only is outvoted.
///
/// In live streams, a mask that becomes ready while its frame waits goes to this frame. A frame without a mask of its own
/// gets that of the nearest frame that has one, moved along.
package final class LookaheadSegmenter: Segmenter {
    /// Maximum number of frames before, and of frames after, whose masks count.
    static let maximumNeighbours = 2

    /// Maximum share of the time from one frame to the next for the analysis of a frame, if a mask is to move to another one.
    ///
    /// Moving it takes about as long, and other elements work on the frame, too. On a busy machine frames would be late.
    private static let analysisShare = 0.3

    private let segmenter: any Segmenter
    /// The usual time for the analysis of a frame, without waiting for a mask.
    private var usualTime = UsualTime()
    /// Frames analysed before their turn, the next one first.
    private var upcoming: [LookaheadFrame] = []
    /// The frame whose mask was asked for last, if it was analysed before its turn.
    private var current: LookaheadFrame?
    /// The frames before `current`, the last one first.
    private var past: [LookaheadFrame] = []
    /// Frames that are no longer needed, kept to reuse their memory.
    private var spare: [LookaheadFrame] = []
    private var wantsPeople = false
    private let ensemble = MedianEnsemble()
    private let transfer = MaskTransfer()
    private let mask = FloatImage()

    /// Creates a segmenter that corrects the masks of `segmenter`.
    package init(_ segmenter: any Segmenter) { self.segmenter = segmenter }

    /// Computes the mask of a later frame; frames are given in their order, each once.
    package func lookAhead(to frame: InputFrame, smoothing: Float) throws(VisionError) {
        let next = spare.popLast() ?? LookaheadFrame()
        let start = ContinuousClock.now
        try next.segment(frame, by: segmenter, smoothing: smoothing, withPeople: wantsPeople)
        upcoming.append(next)
        usualTime.add(since: start + segmenter.waitingTime)
        if let late = segmenter.lateMask { place(late) }
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
        if let origin = nearestOrigin(of: own), transfer.give(own, maskOf: origin), let moved = own.result {
            result = moved
        }
        if correct(own) { result.mask = mask }
        if !withPeople { result.people = nil }
        return result
    }

    /// Gives a mask to the frame that it was computed of.
    private func place(_ late: LateMask) {
        let isOwn = { (frame: LookaheadFrame) in frame.time == late.time }
        let frame = upcoming.first(where: isOwn) ?? past.first(where: isOwn) ?? current
        if let frame, isOwn(frame) { frame.take(late.mask, of: late.time) }
    }

    /// Whether there is time to move a mask to `frame` before the next one is due.
    private func hasTime(for frame: LookaheadFrame) -> Bool {
        guard let usual = usualTime.seconds, let next = upcoming.first?.time, let time = frame.time,
            next > time
        else {
            return true
        }
        return usual <= Self.analysisShare * Double(next - time) / 1e9
    }

    /// Returns the frame of the scene whose own mask is nearer to `frame` than the one that it has; nil without one.
    private func nearestOrigin(of frame: LookaheadFrame) -> LookaheadFrame? {
        guard !frame.isFinal, hasTime(for: frame) else { return nil }
        let after = upcoming.prefix { $0.result?.followsLast == true }
        func final(_ frames: ArraySlice<LookaheadFrame>, _ index: Int) -> LookaheadFrame? {
            frames.dropFirst(index).first.flatMap { $0.isFinal ? $0 : nil }
        }
        for index in 0..<max(past.count, after.count) {
            if let nearest = final(past[...], index) ?? final(after, index) {
                return frame.isNearer(to: nearest) ? nearest : nil
            }
        }
        return nil
    }

    /// Fills `mask` with the frame's mask, corrected by its neighbours'; false where it has none.
    private func correct(_ own: LookaheadFrame) -> Bool {
        guard own.isFinal else { return false }
        let before = past.prefix { $0.isFinal }
        let after = upcoming.prefix(Self.maximumNeighbours).prefix {
            $0.isFinal && $0.result?.followsLast == true
        }
        let count = min(before.count, after.count)
        guard count > 0 else { return false }
        ensemble.begin()
        ensemble.add(own.mask)
        for index in 0..<count {
            add(before[index], to: own)
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
        transfer.begin(from: other, to: own)
        ensemble.add(transfer.moved(besides: own.mask))
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

/// Moves the mask of one frame to another frame of the scene, whichever comes first.
final class MaskTransfer {
    /// Difference of two frames' masks that the inexact motion explains, for motion from one frame to the
    /// next.
    private static let inexactness: Float = 0.1

    private let matcher = BlockMatcher(.far)
    private let moving = MovingImage(maximumInexactness: MaskTransfer.inexactness)
    private let moved = FloatImage()

    /// Finds the motion from `origin` to `frame`, along the edges of both masks.
    ///
    /// - Returns: the share of the points along the edges that was lost.
    @discardableResult
    func begin(from origin: LookaheadFrame, to frame: LookaheadFrame) -> Double {
        matcher.advance(to: origin.brightness.values)
        moving.begin(after: matcher.motion)
        matcher.advance(to: frame.brightness.values)
        let lost = matcher.match(alongEdgesOf: origin.mask, and: frame.mask)
        moving.image.copy(origin.mask)
        moving.follow(matcher.motion)
        moved.resize(width: frame.mask.width, height: frame.mask.height)
        return lost
    }

    /// Returns the moved mask, as far as errors of the motion do not explain its difference from `own`; valid until the
    /// next call.
    func moved(besides own: FloatImage) -> FloatImage {
        moving.write(into: moved, besides: own)
        return moved
    }

    /// Gives `frame` the mask of `origin`, and leaves the frame's mask where the motion is lost.
    ///
    /// - Returns: false if too much of the motion is lost; `frame` then keeps its mask.
    func give(_ frame: LookaheadFrame, maskOf origin: LookaheadFrame) -> Bool {
        guard let time = origin.time, begin(from: origin, to: frame) <= MotionLimits.matte.lost else {
            return false
        }
        moving.write(into: moved, orWhereLost: frame.mask)
        frame.take(moved, of: time)
        return true
    }
}
