/// An effect on the background.
///
/// Each effect has a file of its own in this folder, with its parameters, its layer and the function that
/// creates a `BackgroundEffect` from them.
package struct BackgroundEffect: Sendable, Equatable {
    let parameters: any EffectParameters

    init(_ parameters: some EffectParameters) { self.parameters = parameters }

    /// Whether the effect is strong enough to change a frame.
    var isVisible: Bool { parameters.isVisible }

    /// Whether both are of one kind with the same parameters.
    package static func == (one: BackgroundEffect, other: BackgroundEffect) -> Bool {
        one.parameters.isEqual(to: other.parameters)
    }
}

/// The parameters of one kind of effect.
protocol EffectParameters: Sendable, Equatable {
    /// Whether the effect is strong enough to change a frame.
    var isVisible: Bool { get }

    /// The layers that draw the effect, for both kinds of samples.
    var layers: EffectLayers { get }
}

extension EffectParameters {
    fileprivate func isEqual(to other: any EffectParameters) -> Bool { (other as? Self) == self }
}

/// Draws one effect on background rows, in the frame's own format.
///
/// The calls for each frame are `begin`, then `selectRow` for each row, then `apply` and `cover` for
/// parts of that row in any order. A layer keeps its tables and scratch rows from frame to frame.
protocol BackgroundLayer<Sample>: AnyObject {
    associatedtype Sample: PixelSample
    associatedtype Parameters: EffectParameters

    /// The parameters of the effect, used from the next `begin` on.
    var parameters: Parameters { get set }

    /// Starts a frame, before anything in it is changed.
    ///
    /// - Returns: the layer's opacity; nil when it changes nothing in this frame.
    func begin(_ frame: FrameContext) -> LayerOpacity?

    /// Selects row `row` of `plane` as the current row; `frame` is that of `begin`.
    func selectRow(_ row: Int, plane: Int, of frame: ImageView)

    /// Draws on a part of the current row.
    func apply(to row: inout BackgroundRow<Sample>)

    /// Adds the layer's coverage of a transparent background to `coverage`, from 0 to `max`.
    func cover(_ coverage: UnsafeMutablePointer<Sample>, _ samples: Range<Int>)
}

/// The degree to which a layer hides the layers beneath it.
enum LayerOpacity {
    /// Not at all: the layer changes existing colours, and covers no transparent background.
    case adjustment
    /// Partly.
    case partial
    /// Completely: nothing beneath needs to be drawn.
    case opaque
}

extension BackgroundLayer {
    func cover(_ coverage: UnsafeMutablePointer<Sample>, _ samples: Range<Int>) {}
}

/// An effect's layers for samples of one byte and of two.
struct EffectLayers {
    private let makeBytes: () -> AnyBackgroundLayer<UInt8>
    private let makeWords: () -> AnyBackgroundLayer<UInt16>

    init(
        bytes: @autoclosure @escaping () -> some BackgroundLayer<UInt8>,
        words: @autoclosure @escaping () -> some BackgroundLayer<UInt16>
    ) {
        makeBytes = { AnyBackgroundLayer(bytes()) }
        makeWords = { AnyBackgroundLayer(words()) }
    }

    /// Returns a new layer.
    func make<Sample: PixelSample>(for _: Sample.Type) -> AnyBackgroundLayer<Sample>? {
        Sample.self == UInt8.self
            ? makeBytes() as? AnyBackgroundLayer<Sample> : makeWords() as? AnyBackgroundLayer<Sample>
    }
}

extension Double {
    /// Returns the value, or the nearer end of `low`...`high`, which contains 0; 0 for NaN.
    func limited(_ low: Double, _ high: Double) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, low), high)
    }
}

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
