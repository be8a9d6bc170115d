public import Imaging

/// A single image, or a frame of a stream, as requests take it.
public struct InputFrame {
    /// Borrowed pixels, in the stored orientation.
    public var image: ImageView
    /// The rotation or reflection that makes the stored image upright.
    ///
    /// Models see the image upright; results are in the coordinates of the stored image.
    public var orientation: ImageOrientation
    /// The time at which the frame was taken, from the stream's beginning; nil if unknown.
    ///
    /// Negative times count as 0.
    public var time: Duration? {
        get { nanoseconds.map { .nanoseconds($0) } }
        set { nanoseconds = newValue?.nanoseconds }
    }
    /// The time since the frame before, for frames whose times do not tell it: 1/30 of a second unless given.
    public var duration: Duration {
        get { .seconds(seconds) }
        set { seconds = newValue.seconds }
    }
    /// Distances of the things in the stored image; nil where no depth camera has measured them.
    public var depth: DepthView?
    /// Whether the image stands by itself, whatever the request's mode says; nil where the mode decides.
    package var standsAlone: Bool?
    /// The place of `image` in the whole image; nil where it is the whole.
    ///
    /// Results are places in the whole image, which `depth` covers too.
    var part: Part?

    /// `time` as GStreamer counts it.
    package var nanoseconds: UInt64?
    /// `duration` in seconds.
    package var seconds: Double

    /// The usual time between two frames, in seconds.
    static let usualSeconds = 1.0 / 30

    /// Creates a frame of `image`.
    public init(
        _ image: ImageView, orientation: ImageOrientation = .up, time: Duration? = nil,
        duration: Duration? = nil, depth: DepthView? = nil
    ) {
        self.init(
            image, orientation: orientation, nanoseconds: time?.nanoseconds,
            seconds: duration?.seconds ?? Self.usualSeconds, depth: depth)
    }

    /// Creates a frame with the times of GStreamer.
    ///
    /// - Parameter isStill: whether the frame stands by itself, whatever the request's mode says; nil where the
    ///   mode decides.
    package init(
        _ image: ImageView, orientation: ImageOrientation = .up, nanoseconds: UInt64?,
        seconds: Double? = nil, depth: DepthView? = nil, isStill: Bool? = nil
    ) {
        (self.image, self.orientation, self.nanoseconds) = (image, orientation, nanoseconds)
        (self.seconds, self.depth, standsAlone) = (seconds ?? Self.usualSeconds, depth, isStill)
    }

    /// Creates a frame that stands by itself, or does not, whatever the request's mode says.
    package init(_ image: ImageView, orientation: ImageOrientation = .up, isStill: Bool) {
        self.init(image, orientation: orientation, nanoseconds: nil, isStill: isStill)
    }

    /// Whether the image is a single one and no frame of a video: state from images before it is not used, and
    /// it may take longer.
    package var isStill: Bool { standsAlone ?? false }
}

extension InputFrame {
    /// Properties that stay the same in all frames of a stream; another shape begins another stream.
    struct Shape: Equatable {
        let width: Int
        let height: Int
        let orientation: ImageOrientation
        let part: Part?
    }

    var shape: Shape {
        Shape(width: image.width, height: image.height, orientation: orientation, part: part)
    }

    /// Returns the seconds since the frame that was taken at `last` (nanoseconds), or `duration` where the times
    /// do not tell them, as after a jump of the clock.
    package func seconds(since last: UInt64?) -> Double {
        guard let last, let nanoseconds, nanoseconds > last else { return seconds }
        return Double(nanoseconds - last) / 1e9
    }

    /// The size of the upright image, at least one pixel.
    var uprightSize: Size {
        orientation.uprightSize(of: Size(width: max(1, image.width), height: max(1, image.height)))
    }
}

extension Duration {
    /// Nanoseconds, at least 0; the largest number where they are more.
    package var nanoseconds: UInt64 {
        let (seconds, attoseconds) = components
        guard seconds >= 0, attoseconds >= 0 else { return 0 }
        let (whole, isTooLarge) = UInt64(seconds).multipliedReportingOverflow(by: 1_000_000_000)
        let (sum, isTooLong) = whole.addingReportingOverflow(UInt64(attoseconds) / 1_000_000_000)
        return isTooLarge || isTooLong ? .max : sum
    }

    /// Seconds.
    package var seconds: Double { self / .seconds(1) }
}
