public import Imaging

/// A single image, or a frame of a stream, as requests take it.
public struct InputFrame {
    /// Borrowed pixels, in the stored orientation.
    public var image: ImageView
    /// How the stored image must be turned to be upright.
    ///
    /// Models see it upright; results are in the coordinates of the stored image.
    public var orientation: ImageOrientation
    /// When the frame was taken, in nanoseconds of its stream; nil where that is unknown.
    public var time: UInt64?
    /// Seconds since the frame before, where the times do not tell them: 1/30 unless given.
    public var duration: Double
    /// How far away what the stored image shows is; nil where no depth camera has measured it.
    public var depth: DepthView?
    /// Whether the image stands by itself: it is no frame of a video, nothing that a request knows of images before it counts,
    /// and it may take longer.
    ///
    /// What is found in it is what a new request finds, ids included.
    public var isStill: Bool

    /// A frame of `image`.
    public init(
        _ image: ImageView, orientation: ImageOrientation = .up, time: UInt64? = nil,
        duration: Double = 1.0 / 30, depth: DepthView? = nil, isStill: Bool = false
    ) {
        (self.image, self.orientation, self.time) = (image, orientation, time)
        (self.duration, self.depth, self.isStill) = (duration, depth, isStill)
    }
}

extension InputFrame {
    /// What stays the same in all frames of a stream; where it changes, another stream begins.
    struct Shape: Equatable {
        let width: Int
        let height: Int
        let orientation: ImageOrientation
    }

    var shape: Shape { Shape(width: image.width, height: image.height, orientation: orientation) }

    /// Seconds since the frame that was taken at `last`; `duration` where the times do not tell, as after a jump of the
    /// clock.
    package func seconds(since last: UInt64?) -> Double {
        guard let last, let time, time > last else { return duration }
        return Double(time - last) / 1e9
    }

    /// The size of the upright image, at least one pixel.
    var uprightSize: Size {
        orientation.uprightSize(of: Size(width: max(1, image.width), height: max(1, image.height)))
    }
}
