public import Imaging

/// A frame of a stream, with the owner of its memory, so that it may wait and go from task to task.
public struct StreamFrame: Sendable {
    // Unsafe only for the compiler: the creator promises that nobody changes the memory.
    nonisolated(unsafe) let image: ImageView
    nonisolated(unsafe) private let depth: DepthView?
    private let orientation: ImageOrientation
    private let owner: any AnyObject & Sendable
    /// The time at which the frame was taken, from the stream's beginning; nil if unknown.
    public let time: Duration?

    /// Creates a frame of `image`.
    ///
    /// - Parameters:
    ///   - image: the pixels, which must not change as long as the frame lives.
    ///   - orientation: rotation or reflection that makes the image upright.
    ///   - time: the time at which the frame was taken; negative times count as 0.
    ///   - depth: distances of the things in the image, whose memory `owner` keeps as well.
    ///   - owner: owner of the image's memory.
    public init(
        _ image: ImageView, orientation: ImageOrientation = .up, time: Duration? = nil,
        depth: DepthView? = nil, keeping owner: any AnyObject & Sendable
    ) {
        (self.image, self.orientation, self.time) = (image, orientation, time)
        (self.depth, self.owner) = (depth, owner)
    }

    /// The frame as requests take it, valid as long as this one.
    var input: InputFrame {
        InputFrame(image, orientation: orientation, nanoseconds: time?.nanoseconds, depth: depth)
    }
}
