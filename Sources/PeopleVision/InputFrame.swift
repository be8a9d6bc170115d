public import Imaging

/// A single image, or a frame of a stream, as requests take it.
public struct InputFrame {
    /// Borrowed pixels, in the stored orientation.
    public var image: ImageView
    /// The rotation or reflection that makes the stored image upright.
    ///
    /// Models see the image upright; results are in the coordinates of the stored image.
    public var orientation: ImageOrientation
    /// The time at which the frame was taken, in nanoseconds of its stream; nil if unknown.
    public var time: UInt64?
    /// Seconds since the frame before, for frames whose times do not tell it: 1/30 unless given.
    public var duration: Double
    /// Distances of the things in the stored image; nil where no depth camera has measured them.
    public var depth: DepthView?
    /// Whether the image stands by itself, whatever the request's mode says; nil where the mode decides.
    package var standsAlone: Bool?

    /// Creates a frame of `image`.
    public init(
        _ image: ImageView, orientation: ImageOrientation = .up, time: UInt64? = nil,
        duration: Double = 1.0 / 30, depth: DepthView? = nil
    ) {
        (self.image, self.orientation, self.time) = (image, orientation, time)
        (self.duration, self.depth) = (duration, depth)
    }

    /// Creates a frame that stands by itself, or does not, whatever the request's mode says.
    package init(
        _ image: ImageView, orientation: ImageOrientation = .up, time: UInt64? = nil,
        duration: Double = 1.0 / 30, depth: DepthView? = nil, isStill: Bool
    ) {
        self.init(image, orientation: orientation, time: time, duration: duration, depth: depth)
        standsAlone = isStill
    }

    /// Whether the image is a single one and no frame of a video: state from images before it is not used, and
    /// it may take longer.
    package var isStill: Bool { standsAlone ?? false }

    /// Returns the frame of a request in `mode`.
    func of(_ mode: AnalysisMode) -> InputFrame {
        var frame = self
        frame.standsAlone = standsAlone ?? !mode.isStream
        return frame
    }
}

extension InputFrame {
    /// Properties that stay the same in all frames of a stream; another shape begins another stream.
    struct Shape: Equatable {
        let width: Int
        let height: Int
        let orientation: ImageOrientation
    }

    var shape: Shape { Shape(width: image.width, height: image.height, orientation: orientation) }

    /// Returns the seconds since the frame that was taken at `last`, or `duration` where the times do not
    /// tell them, as after a jump of the clock.
    package func seconds(since last: UInt64?) -> Double {
        guard let last, let time, time > last else { return duration }
        return Double(time - last) / 1e9
    }

    /// The size of the upright image, at least one pixel.
    var uprightSize: Size {
        orientation.uprightSize(of: Size(width: max(1, image.width), height: max(1, image.height)))
    }
}
