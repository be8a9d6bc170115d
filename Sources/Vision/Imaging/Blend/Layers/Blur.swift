/// Blurs the background, without the subject's colours; pictures are blurred as well.
///
/// The blur reads the background from its source, so effects before it in the list are not visible. Plain
/// colours and transparent backgrounds stay as they are.
package struct Blur: Sendable, Equatable, EffectParameters {
    /// Standard deviation of the (nearly) Gaussian blur in frame heights: 0.02 is soft, 0.1 strong.
    ///
    /// It is limited to 0...`maximumRadius`.
    package var radius: Double
    /// The minimum blur of a frame's own background, in pixels: in small frames `radius` may be too weak to
    /// be seen.
    package var minimumPixels: Double

    /// The strongest blur, in frame heights.
    package static let maximumRadius = 0.5

    /// Creates a blur with a standard deviation in frame heights.
    package init(radius: Double, minimumPixels: Double = 0) {
        (self.radius, self.minimumPixels) = (radius, minimumPixels)
    }

    var isVisible: Bool { radius > 0 || minimumPixels > 0 }

    var layers: EffectLayers {
        EffectLayers(bytes: BlurLayer<UInt8>(self), words: BlurLayer<UInt16>(self))
    }
}

extension BackgroundEffect {
    /// Returns an effect that blurs the background.
    package static func blur(_ blur: Blur) -> BackgroundEffect { BackgroundEffect(blur) }
}

/// Draws the blurred source.
///
/// The blur of a still picture is kept: its grid from the first frame on, its rows from the second. A
/// blur that changes with every frame therefore costs no more than that of a moving picture.
final class BlurLayer<Sample: PixelSample>: BackgroundLayer {
    var parameters: Blur
    private let rows = BlurredRows<Sample>()
    private let planes = Quad { ScratchBuffer<Sample>() }
    private var keepsRows = false
    /// The current row where rows are kept.
    private var keptRow: UnsafePointer<Sample>?

    init(_ parameters: Blur) { self.parameters = parameters }

    func begin(_ frame: FrameContext) -> LayerOpacity? {
        switch frame.source {
        case .color, .transparent: return nil
        case .original:
            keepsRows = false
            guard rows.prepare(frame.image, parameters, without: frame.mask, frame.scaler) != .none else {
                return nil
            }
        case .picture(let picture, let revision):
            switch rows.prepare(picture, parameters, revision: revision) {
            case .none: return nil
            case .computed: keepsRows = false
            case .kept where !keepsRows: keepRows(of: picture)
            case .kept: break
            }
        }
        return .opaque
    }

    private func keepRows(of picture: ImageView) {
        let layout = picture.format.layout
        for plane in 0..<layout.planeCount {
            let count = layout.rowSamples(plane: plane, width: picture.width)
            let height = layout.rows(plane: plane, height: picture.height)
            let kept = planes[plane].reserve(count * height)
            for row in 0..<height {
                rows.selectRow(row, plane: plane)
                rows.write(0..<count, into: kept + row * count)
            }
        }
        keepsRows = true
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) {
        guard keepsRows else {
            keptRow = nil
            return rows.selectRow(row, plane: plane)
        }
        let count = frame.format.layout.rowSamples(plane: plane, width: frame.width)
        keptRow = UnsafePointer(planes[plane].base + row * count)
    }

    func apply(to row: inout BackgroundRow<Sample>) {
        if let keptRow {
            row.replace(by: keptRow)
        } else {
            rows.write(row.samples, into: row.overwritable())
        }
    }
}
