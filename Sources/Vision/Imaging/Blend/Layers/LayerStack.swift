/// The layers of a composition, drawn on its background one after the other.
final class LayerStack<Sample: PixelSample> {
    private typealias Layer = AnyBackgroundLayer<Sample>

    private var effects: [BackgroundEffect] = []
    /// The layers, one for each of `effects`.
    private var layers: [Layer?] = []
    /// The layers that are visible in the current frame, the lowest first.
    ///
    /// `layers` owns them: counting references for every part of every row would cost a tenth of a frame.
    private let seen = ScratchBuffer<SeenLayer>()
    private var seenCount = 0
    private let scratch = ScratchBuffer<Sample>()
    private let coverageRow = ScratchBuffer<Sample>()

    private struct SeenLayer: BitwiseCopyable {
        let layer: Unmanaged<Layer>
        let opacity: LayerOpacity
    }

    /// Whether no layer is visible.
    var isIdle: Bool { seenCount == 0 }
    /// Whether the layers hide everything beneath them.
    private(set) var hidesSource = false

    /// Starts a frame; layers are recomputed only when the effects have changed.
    func begin(_ frame: FrameContext, _ effects: [BackgroundEffect]) {
        if effects != self.effects { replaceLayers(effects) }
        (seenCount, hidesSource) = (0, false)
        seen.reserve(layers.count)
        for layer in layers {
            guard let layer, layer.isVisible, let opacity = layer.begin(frame) else { continue }
            if opacity == .opaque { (seenCount, hidesSource) = (0, true) }
            seen.base[seenCount] = SeenLayer(layer: .passUnretained(layer), opacity: opacity)
            seenCount += 1
        }
        let count = frame.image.format.layout.longestRow(width: frame.image.width)
        scratch.reserve(count)
        coverageRow.reserve(count)
    }

    private func replaceLayers(_ new: [BackgroundEffect]) {
        effects = new
        layers = new.enumerated().map { index, effect in
            let old = index < layers.count ? layers[index] : nil
            let isSame = old?.follow(effect.parameters) ?? false
            let layer = isSame ? old : effect.parameters.layers.make(for: Sample.self)
            layer?.isVisible = effect.isVisible
            return layer
        }
    }

    /// Calls `body` with the visible layers, or with those of one opacity.
    @inline(__always)
    private func eachSeen(_ opacity: LayerOpacity? = nil, _ body: (Layer) -> Void) {
        for index in 0..<seenCount where opacity == nil || seen.base[index].opacity == opacity {
            seen.base[index].layer._withUnsafeGuaranteedRef(body)
        }
    }

    func selectRow(_ row: Int, plane: Int, of frame: ImageView) {
        eachSeen { $0.selectRow(row, plane, frame) }
    }

    /// Returns the background with all layers.
    ///
    /// - Parameters:
    ///   - source: the background's samples, indexed like the frame's; not read when `hidesSource`.
    ///   - samples: whole pixels of the current row.
    ///   - canvas: memory for drawing, which may be `source`; nil stands for a row of the stack.
    func draw(
        on source: UnsafePointer<Sample>, _ samples: Range<Int>, into canvas: UnsafeMutablePointer<Sample>?
    ) -> UnsafePointer<Sample> {
        guard !isIdle else { return source }
        var row = BackgroundRow(source, samples, scratch: canvas ?? scratch.base)
        eachSeen { $0.apply(&row) }
        return row.pointer
    }

    /// Returns the samples with adjusted colours only, without layers that lie on the background.
    func adjust(_ source: UnsafePointer<Sample>, _ samples: Range<Int>) -> UnsafePointer<Sample> {
        var row = BackgroundRow(source, samples, scratch: scratch.base)
        eachSeen(.adjustment) { $0.apply(&row) }
        return row.pointer
    }

    /// Returns the layers' coverage of a transparent background, from 0 to `max`.
    func coverage(_ samples: Range<Int>) -> UnsafePointer<Sample> {
        let (row, first) = (coverageRow.base, samples.lowerBound)
        (row + first).update(repeating: 0, count: samples.count)
        eachSeen(.partial) { $0.cover(row, samples) }
        return UnsafePointer(row)
    }
}

/// A layer of any kind.
///
/// It consists of closures, not of an existential: the compiler specializes them for one sample type where
/// the layer is created, which is several times as fast as generic code.
final class AnyBackgroundLayer<Sample: PixelSample> {
    /// Whether the effect is strong enough to be seen.
    var isVisible = true
    let begin: (FrameContext) -> LayerOpacity?
    let selectRow: (_ row: Int, _ plane: Int, _ frame: ImageView) -> Void
    let apply: (inout BackgroundRow<Sample>) -> Void
    let cover: (UnsafeMutablePointer<Sample>, Range<Int>) -> Void
    /// Sets other parameters; returns false when they belong to another kind of effect.
    let follow: (any EffectParameters) -> Bool

    init<Layer: BackgroundLayer<Sample>>(_ layer: Layer) {
        begin = { layer.begin($0) }
        selectRow = { layer.selectRow($0, plane: $1, of: $2) }
        apply = { layer.apply(to: &$0) }
        cover = { layer.cover($0, $1) }
        follow = { parameters in
            guard let parameters = parameters as? Layer.Parameters else { return false }
            layer.parameters = parameters
            return true
        }
    }
}

/// A part of a background row, which passes up through the layers.
struct BackgroundRow<Sample: PixelSample> {
    /// The whole pixels of the row.
    let samples: Range<Int>
    /// The result of the layers so far, indexed like the frame's row; only `samples` are valid.
    private(set) var pointer: UnsafePointer<Sample>
    private let scratch: UnsafeMutablePointer<Sample>

    init(
        _ source: UnsafePointer<Sample>, _ samples: Range<Int>, scratch: UnsafeMutablePointer<Sample>
    ) {
        (pointer, self.samples, self.scratch) = (source, samples, scratch)
    }

    /// Replaces everything beneath by other samples.
    mutating func replace(by samples: UnsafePointer<Sample>) { pointer = samples }

    /// Returns memory for samples that replace everything beneath, indexed like the frame's row.
    mutating func overwritable() -> UnsafeMutablePointer<Sample> {
        pointer = UnsafePointer(scratch)
        return scratch
    }

    /// Returns the samples for writing; copies them from their source the first time.
    mutating func writable() -> UnsafeMutablePointer<Sample> {
        if pointer != UnsafePointer(scratch) {
            let first = samples.lowerBound
            (scratch + first).update(from: pointer + first, count: samples.count)
            pointer = UnsafePointer(scratch)
        }
        return scratch
    }
}
