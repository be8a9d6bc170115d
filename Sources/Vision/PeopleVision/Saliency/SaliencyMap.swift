import Glibc
public import Imaging

/// The heat of an upright image, on a grid of 68x68 places.
package final class SaliencyMap {
    /// Number of places along each side, as in Apple's Vision.
    package static let side = 68

    /// The heat, 0...1, row by row.
    package let values = FloatImage()
    private let source = FloatImage()
    private let reduced = FloatImage()
    private let box = BoxMean()
    private let rows = LinearResizer()

    /// Creates a map without heat.
    package init() {
        values.resize(width: Self.side, height: Self.side)
        reduced.resize(width: Self.side, height: Self.side)
    }

    /// Removes all heat.
    package func clear() { values.fill(0) }

    /// Raises the heat to `weight` times a map of the image, of any larger size.
    package func raise(to image: FloatImage, weight: Float) {
        source.resize(width: image.width, height: image.height)
        // Each value is first replaced by the mean over the area of a place of the map.
        box.apply(
            image.base, width: image.width, height: image.height,
            radius: max(image.width, image.height) / (2 * Self.side), into: source.base)
        rows.resize(source, into: reduced)
        for i in 0..<values.count { values.base[i] = max(values.base[i], weight * reduced.base[i]) }
    }

    /// Raises the heat to a bell around a point.
    ///
    /// - Parameters:
    ///   - center: centre of the bell in the image's unit square.
    ///   - spread: standard deviations along both axes in the unit square.
    package func raise(around center: Point, spread: Size, weight: Float) {
        guard spread.width > 0, spread.height > 0 else { return }
        for y in 0..<Self.side {
            let (row, down) = (values.row(y), Self.exponent(y, center.y, spread.height))
            for x in 0..<Self.side {
                row[x] = max(row[x], weight * exp(-(down + Self.exponent(x, center.x, spread.width)) / 2))
            }
        }
    }

    private static func exponent(_ index: Int, _ center: Double, _ spread: Double) -> Float {
        let distance = ((Double(index) + 0.5) / Double(side) - center) / spread
        return Float(distance * distance)
    }

    /// Scales the strongest heat to 1, unless all heat is fainter than `faintest`, which leaves none.
    package func normalize(faintest: Float) {
        let maximum = values.values.max() ?? 0
        guard maximum >= faintest, maximum > 0 else { return clear() }
        for i in 0..<values.count { values.base[i] /= maximum }
    }

    /// Returns the map of a frame's whole image, in the stored orientation.
    func mask(of frame: InputFrame) throws(VisionError) -> Mask {
        let layout = MaskLayout(width: Self.side, height: Self.side, format: .f32)
        return try Mask.make(layout) { mask throws(VisionError) in
            do throws(MaskWriterError) {
                try MaskWriter().write(
                    UnsafeBufferPointer(values.values), width: values.width, height: values.height,
                    region: frame.toStored, into: mask)
            } catch { throw .mask(error.description) }
        }
    }
}

/// The places of an image that attract attention.
public struct SaliencyImageObservation: VisionObservation {
    /// 68x68 floats over the whole image, 0...1; the strongest place has 1, and all have 0 where nothing stands out.
    public let heatMap: Mask
    /// The salient objects, the most salient first.
    public let salientObjects: [SalientObject]
    /// The revision that made the map.
    public let revision: Int
    /// The identifier of this observation, which takes no part in comparisons.
    @_disfavoredOverload
    @Incomparable public private(set) var uuid = ObservationUUID()
}

/// A part of an image that stands out.
public struct SalientObject: Sendable, Hashable, Codable {
    /// The box in the image's stored orientation, normalised to 0...1.
    public let boundingBox: Rectangle
    /// The confidence, 0...1.
    public let confidence: Double
}

extension InferenceConfiguration {
    /// Settings of the subjects for a saliency map: the map is coarser than the masks of any quality level.
    var coarseSubjects: GenerateForegroundInstanceMaskRequest.Configuration {
        var subjects = GenerateForegroundInstanceMaskRequest.Configuration()
        (subjects.segmentation.qualityLevel, subjects.mode) = (.fast, mode)
        (subjects.segmentation.device, subjects.segmentation.threads) = (device, threads)
        subjects.segmentation.modelPath = modelPath
        return subjects
    }
}
