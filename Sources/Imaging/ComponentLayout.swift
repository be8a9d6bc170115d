/// Where one component's samples lie inside an image.
public struct ComponentLayout: Sendable, Equatable {
    /// Index of the plane.
    public let plane: Int
    /// log2 of the horizontal subsampling: 1 where two pixels share a sample.
    public let widthShift: Int
    /// log2 of the vertical subsampling.
    public let heightShift: Int
    /// Samples from the start of a row to the component's first.
    let first: Int
    /// Samples from one of the component's to its right neighbour.
    let step: Int
    private let bytesPerSample: Int

    init(
        _ storage: SampleStorage, plane: Int, first: Int, step: Int,
        shifts: (width: Int, height: Int) = (0, 0)
    ) {
        self.plane = plane
        self.first = first
        self.step = step
        bytesPerSample = storage.bytes
        (widthShift, heightShift) = shifts
    }

    /// Bytes from the start of a row to its first sample.
    public var offset: Int { first &* bytesPerSample }
    /// Bytes from one sample to its right neighbour.
    public var pixelStride: Int { step &* bytesPerSample }

    /// Number of samples in a row of an image of `width` pixels; the last may cover fewer pixels.
    public func sampleWidth(_ width: Int) -> Int { shifted(width, by: widthShift) }

    /// Number of rows of samples in an image of `height` pixels.
    public func sampleHeight(_ height: Int) -> Int { shifted(height, by: heightShift) }

    private func shifted(_ size: Int, by shift: Int) -> Int { (size &+ (1 << shift) &- 1) >> shift }
}
