import Glibc
public import Imaging

/// The heat of an upright image, on a grid of 68x68 places.
package final class SaliencyMap {
    /// Places along each side, as in Apple's Vision.
    package static let side = 68

    /// 0...1, row by row.
    package let values = FloatImage()
    private let source = FloatImage()
    private let reduced = FloatImage()
    private let box = BoxMean()
    private let rows = LinearResizer()

    /// A map without heat.
    package init() {
        values.resize(width: Self.side, height: Self.side)
        reduced.resize(width: Self.side, height: Self.side)
    }

    /// Takes all heat away.
    package func clear() { values.fill(0) }

    /// Raises the heat to `weight` times a map of the image, of any larger size.
    package func raise(to image: FloatImage, weight: Float) {
        source.resize(width: image.width, height: image.height)
        // Means over what a place of the map covers.
        box.apply(
            image.base, width: image.width, height: image.height,
            radius: max(image.width, image.height) / (2 * Self.side), into: source.base)
        rows.resize(source, into: reduced)
        for i in 0..<values.count { values.base[i] = max(values.base[i], weight * reduced.base[i]) }
    }

    /// Raises the heat to a bell around a point.
    ///
    /// - Parameters:
    ///   - center: in the image's unit square.
    ///   - spread: standard deviation along both axes, in it.
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

    /// Makes the strongest heat 1, unless all is fainter than `faintest`, which leaves none.
    package func normalize(faintest: Float) {
        let maximum = values.values.max() ?? 0
        guard maximum >= faintest, maximum > 0 else { return clear() }
        for i in 0..<values.count { values.base[i] /= maximum }
    }

    /// The map as the image is stored.
    func mask(_ orientation: ImageOrientation) throws(VisionError) -> Mask {
        let mask = try Mask.make(MaskLayout(width: Self.side, height: Self.side, format: .f32))
        do throws(MaskWriterError) {
            try MaskWriter().write(
                UnsafeBufferPointer(values.values), width: values.width, height: values.height,
                region: .orientation(orientation), into: mask.mutableView)
        } catch { throw .mask(error) }
        return mask
    }
}

/// What draws the eye in an image.
public struct SaliencyImageObservation {
    /// 68x68 floats over the whole image, 0...1; the strongest place has 1, and all have 0 where nothing stands out.
    public let heatMap: Mask
    /// The most salient first.
    public let salientObjects: [SalientObject]
    /// The revision that made it.
    public let revision: Int
}

/// A part of an image that stands out.
public struct SalientObject: Sendable, Equatable {
    /// In the image's stored orientation, normalised to 0...1.
    public let boundingBox: Rectangle
    /// 0...1.
    public let confidence: Double
}

extension InferenceConfiguration {
    /// How the subjects of a saliency map are found: the map is coarser than the masks of any level.
    var coarseSubjects: GenerateForegroundInstanceMaskRequest.Configuration {
        var subjects = GenerateForegroundInstanceMaskRequest.Configuration()
        subjects.segmentation.qualityLevel = .fast
        (subjects.segmentation.device, subjects.segmentation.threads) = (device, threads)
        subjects.segmentation.modelPath = modelPath
        return subjects
    }
}
