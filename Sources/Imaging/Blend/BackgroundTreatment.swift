/// What is done to background rows: highlight, then shadow, then halo.
final class BackgroundTreatment<Sample: PixelSample> {
    private let highlight = HighlightTables<Sample>()
    private let shadowLayer = ShadowLayer()
    private let haloLayer = HaloLayer()
    private let shadow = TintLayer<Sample>()
    private let halo = TintLayer<Sample>()
    private let scratch = ScratchBuffer<Sample>()
    private let coverageRow = ScratchBuffer<Sample>()
    private var isHighlighted = false

    /// Whether rows stay as they are.
    var isIdle: Bool { !isHighlighted && !shadow.isActive && !halo.isActive }

    /// Starts a frame; without a mask there is nobody to cast a shadow.
    func begin(_ frame: ImageView, field: FloatImage?, _ effects: VisibleEffects) {
        isHighlighted = effects.highlight != nil
        if let wanted = effects.highlight { highlight.prepare(wanted, for: frame) }
        var (shade, ring): (MaskView?, MaskView?)
        if let field {
            shade = effects.shadow.flatMap { shadowLayer.compute($0, of: field, frame: frame) }
            ring = effects.halo.flatMap { haloLayer.compute($0, of: field, frame: frame) }
        }
        shadow.begin(frame, .black, shade)
        halo.begin(frame, effects.halo?.color ?? .black, ring, steepness: haloLayer.steepness)
        let count = frame.format.layout.longestRow(width: frame.width)
        scratch.reserve(count)
        coverageRow.reserve(count)
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) {
        shadow.selectRow(row, plane: plane, of: frame)
        halo.selectRow(row, plane: plane, of: frame)
    }

    /// The treated samples, which are whole pixels of a row of `plane`, indexed alike.
    func treated(
        _ source: UnsafePointer<Sample>, _ samples: Range<Int>, plane: Int
    ) -> UnsafePointer<Sample> {
        guard !isIdle else { return source }
        let (row, first) = (scratch.base, samples.lowerBound)
        (row + first).update(from: source + first, count: samples.count)
        if isHighlighted { highlight.apply(to: row, samples, plane: plane) }
        shadow.tint(row, samples)
        halo.tint(row, samples)
        return UnsafePointer(row)
    }

    /// The samples with another exposure, but without the layers.
    func highlighted(
        _ source: UnsafePointer<Sample>, _ samples: Range<Int>, plane: Int
    ) -> UnsafePointer<Sample> {
        guard isHighlighted else { return source }
        let (row, first) = (scratch.base, samples.lowerBound)
        (row + first).update(from: source + first, count: samples.count)
        highlight.apply(to: row, samples, plane: plane)
        return UnsafePointer(row)
    }

    /// How much of a transparent background the layers cover, from 0 to `max`.
    func coverage(_ samples: Range<Int>) -> UnsafePointer<Sample> {
        let (row, first) = (coverageRow.base, samples.lowerBound)
        (row + first).update(repeating: 0, count: samples.count)
        shadow.cover(row, samples)
        halo.cover(row, samples)
        return UnsafePointer(row)
    }
}
