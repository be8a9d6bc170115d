/// A coloured outline around the subject.
package struct Halo: Sendable, Equatable, EffectParameters {
    /// The outline's colour.
    package var color: RGBColor
    /// Width of the outline beyond the subject, in frame heights.
    package var width: Double

    /// Creates an outline; `width` is in frame heights.
    package init(color: RGBColor, width: Double) {
        self.color = color
        self.width = width
    }

    var isVisible: Bool { width > 0 }

    var layers: EffectLayers {
        EffectLayers(bytes: HaloLayer<UInt8>(self), words: HaloLayer<UInt16>(self))
    }
}

extension BackgroundEffect {
    /// Returns an effect that draws a coloured outline around the subject.
    package static func halo(_ halo: Halo) -> BackgroundEffect { BackgroundEffect(halo) }
}

/// Draws the outline's colour as far as the outline reaches.
final class HaloLayer<Sample: PixelSample>: ColorFillLayer {
    var parameters: Halo
    let fill = ColorFill<Sample>()
    private let outline = OutlineMask()

    init(_ parameters: Halo) { self.parameters = parameters }

    func begin(_ frame: FrameContext) -> LayerOpacity? {
        guard let field = frame.silhouette,
            let mask = outline.compute(parameters, of: field, frame: frame.image)
        else { return nil }
        fill.begin(frame.image, parameters.color, mask, steepness: outline.steepness)
        return .partial
    }
}

/// A mask of an outline, at the mask's resolution: 0.5 on the outer edge, 1 well inside.
///
/// Between the layer's values the distance is nearly linear. An edge made from it by `steepness` is therefore
/// as fine as the frame, however coarse the mask.
private final class OutlineMask {
    private let layer = FloatImage()
    private let distances = ScratchBuffer<Float>()
    private let transform = DistanceTransform()
    private let boxes = BoxBlur()
    /// Factor by which the layer must be steepened for an edge about two pixels wide.
    private(set) var steepness: Float = 1

    /// The maximum width of an outline, in frame heights.
    private static let maximumWidth = 0.5
    /// Number of mask values over which the layer rises from 0 to 1, so that linear interpolation has room.
    private static let reach: Float = 8
    /// Variance of the blur that removes the mask's steps from distances, in mask values squared.
    private static let smoothing = 0.7
    /// Width of the edge in pixels.
    private static let edge: Float = 2

    /// Computes the outline around the subject of `field` in `frame`.
    func compute(_ halo: Halo, of field: FloatImage, frame: ImageView) -> MaskView? {
        layer.resize(width: field.width, height: field.height)
        guard let view = layer.mutableView else { return nil }
        let aspect = Float(frame.width) / Float(frame.height)
        let spacing = (x: aspect / Float(field.width), y: 1 / Float(field.height))
        let cell = max(spacing.x, spacing.y)
        let ramp = Self.reach * cell
        steepness = max(1, ramp * Float(frame.height) / Self.edge)
        let width = Float(halo.width.limited(0, Self.maximumWidth))
        findDistances(field, spacing, furthest: width + ramp)
        for y in 0..<field.height {
            let row = distances.base + y * field.width
            for x in 0..<field.width { row[x] = 0.5 + (width - row[x]) / ramp }
            view.writeRow(y, from: row)
        }
        return layer.view
    }

    /// Finds distances to the subject in frame heights, smoothed over neighbours against the mask's steps.
    private func findDistances(
        _ field: FloatImage, _ spacing: (x: Float, y: Float), furthest: Float
    ) {
        let count = field.width * field.height
        let (values, distances) = (field.base, distances.reserve(count))
        let cell = min(spacing.x, spacing.y)
        for i in 0..<count { distances[i] = Self.seed(values[i], cell: cell) }
        transform.transform(distances, width: field.width, height: field.height, spacing: spacing)
        for i in 0..<count { distances[i] = min(distances[i].squareRoot(), furthest) }
        let smooth = BoxWidth(variance: Self.smoothing)
        boxes.blur(distances, width: field.width, height: field.height, across: smooth, down: smooth)
        let gain = smooth.gain * smooth.gain
        for i in 0..<count { distances[i] /= gain }
    }

    /// Returns the squared distance to the contour at half coverage, from the coverage itself close to the
    /// contour.
    private static func seed(_ coverage: Float, cell: Float) -> Float {
        guard coverage > Silhouette.seen else { return .infinity }
        let distance = max(0, 0.5 - coverage) * cell
        return distance * distance
    }
}
