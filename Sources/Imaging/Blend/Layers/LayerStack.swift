/// The layers of a composition, drawn on its background one after the other.
final class LayerStack<Sample: PixelSample> {
    private struct Entry {
        let layer: AnyBackgroundLayer<Sample>
        let isVisible: Bool
        /// What it hides in the frame at hand; nil when it changes nothing there.
        var opacity: LayerOpacity?
    }

    private var effects: [BackgroundEffect] = []
    private var entries: [Entry] = []
    private let scratch = ScratchBuffer<Sample>()
    private let coverageRow = ScratchBuffer<Sample>()

    /// Whether rows stay as they are.
    private(set) var isIdle = true
    /// Whether nothing beneath the layers is seen.
    private(set) var hidesSource = false
    /// The lowest layer that may be seen.
    private var bottom = 0

    /// Starts a frame; layers are made anew only when the effects have changed.
    func begin(_ frame: FrameContext, _ effects: [BackgroundEffect]) {
        if effects != self.effects { replaceLayers(effects) }
        (isIdle, hidesSource, bottom) = (true, false, 0)
        for index in entries.indices where entries[index].isVisible {
            let opacity = entries[index].layer.begin(frame)
            entries[index].opacity = opacity
            isIdle = isIdle && opacity == nil
            if opacity == .opaque { (hidesSource, bottom) = (true, index) }
        }
        let count = frame.image.format.layout.longestRow(width: frame.image.width)
        scratch.reserve(count)
        coverageRow.reserve(count)
    }

    private func replaceLayers(_ new: [BackgroundEffect]) {
        effects = new
        let old = entries
        entries = []
        for (index, effect) in new.enumerated() {
            let same = old.indices.contains(index) && old[index].layer.follow(effect.parameters)
            guard let layer = same ? old[index].layer : effect.parameters.layers.make(for: Sample.self)
            else { continue }
            entries.append(Entry(layer: layer, isVisible: effect.isVisible, opacity: nil))
        }
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) {
        for entry in entries where entry.opacity != nil {
            entry.layer.selectRow(row, plane, frame)
        }
    }

    /// The background with all layers.
    ///
    /// - Parameters:
    ///   - source: the background's samples, indexed like the frame's; not read when `hidesSource`.
    ///   - samples: whole pixels of the current row.
    func draw(
        on source: UnsafePointer<Sample>, _ samples: Range<Int>
    ) -> UnsafePointer<Sample> {
        guard !isIdle else { return source }
        // Where the source is hidden, the row starts in the scratch row, so that nothing is copied.
        let start = hidesSource ? UnsafePointer(scratch.base) : source
        var row = BackgroundRow(start, samples, scratch: scratch.base)
        for entry in entries[bottom...] where entry.opacity != nil { entry.layer.apply(&row) }
        return row.pointer
    }

    /// The samples with other colours only: without what lies on the background.
    func adjust(_ source: UnsafePointer<Sample>, _ samples: Range<Int>) -> UnsafePointer<Sample> {
        var row = BackgroundRow(source, samples, scratch: scratch.base)
        for entry in entries[bottom...] where entry.opacity == .adjustment { entry.layer.apply(&row) }
        return row.pointer
    }

    /// How much of a transparent background the layers cover, from 0 to `max`.
    func coverage(_ samples: Range<Int>) -> UnsafePointer<Sample> {
        let (row, first) = (coverageRow.base, samples.lowerBound)
        (row + first).update(repeating: 0, count: samples.count)
        for entry in entries[bottom...] where entry.opacity == .partial { entry.layer.cover(row, samples) }
        return UnsafePointer(row)
    }
}
