public import Imaging

/// What draws the eye in a picture.
public struct SaliencyImageObservation {
    /// 68x68 floats over the whole picture, 0...1; the strongest place has 1, and all have 0 where nothing stands out.
    public let heatMap: Mask
    /// The most salient first.
    public let salientObjects: [SalientObject]
    /// The revision that made it.
    public let revision: Int
}

/// A part of a picture that stands out.
public struct SalientObject: Sendable, Equatable {
    /// In the picture's stored orientation, normalised to 0...1.
    public let boundingBox: Rectangle
    /// 0...1.
    public let confidence: Double
}
