/// One thing that is done to the background.
///
/// Each effect has a file of its own in this folder, with its parameters, its layer and the function that makes
/// a `BackgroundEffect` of them.
public struct BackgroundEffect: Sendable, Equatable {
    let parameters: any EffectParameters

    init(_ parameters: some EffectParameters) { self.parameters = parameters }

    /// False when the effect is too weak to change any frame.
    var isVisible: Bool { parameters.isVisible }

    /// Whether both are of one kind with the same parameters.
    public static func == (one: BackgroundEffect, other: BackgroundEffect) -> Bool {
        one.parameters.isEqual(to: other.parameters)
    }
}

/// The parameters of one kind of effect.
protocol EffectParameters: Sendable, Equatable {
    /// False when the effect is too weak to change any frame.
    var isVisible: Bool { get }

    /// Layers that draw the effect, for either kind of sample.
    var layers: EffectLayers { get }
}

extension EffectParameters {
    fileprivate func isEqual(to other: any EffectParameters) -> Bool { (other as? Self) == self }
}

/// Draws one effect on background rows, in the frame's own format.
///
/// For each frame come `begin`, then for each row `selectRow`, then for parts of that row in any order `apply`
/// and `cover`. A layer keeps its tables and scratch rows from frame to frame.
protocol BackgroundLayer<Sample>: AnyObject {
    associatedtype Sample: PixelSample
    associatedtype Parameters: EffectParameters

    /// What is drawn, from the next `begin` on.
    var parameters: Parameters { get set }

    /// Starts a frame, before anything in it is changed.
    ///
    /// - Returns: what the layer hides of what is beneath it; nil when it changes nothing in this frame.
    func begin(_ frame: FrameContext) -> LayerOpacity?

    /// Makes row `row` of `plane` the current row; `frame` is that of `begin`.
    func selectRow(_ row: Int, plane: Int, of frame: ImageView)

    /// Draws on a part of the current row.
    func apply(to row: inout BackgroundRow<Sample>)

    /// Adds to what the samples of a transparent background are covered with, from 0 to `max`.
    func cover(_ coverage: UnsafeMutablePointer<Sample>, _ samples: Range<Int>)
}

/// What a layer hides of what is beneath it.
enum LayerOpacity {
    /// Nothing: it changes the colours of what is there, and covers no transparent background.
    case adjustment
    /// Some of it.
    case partial
    /// All of it: what is beneath need not be drawn.
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

    /// A new layer.
    func make<Sample: PixelSample>(for _: Sample.Type) -> AnyBackgroundLayer<Sample>? {
        Sample.self == UInt8.self
            ? makeBytes() as? AnyBackgroundLayer<Sample> : makeWords() as? AnyBackgroundLayer<Sample>
    }
}

/// A layer of any kind.
///
/// Closures, and not an existential: the compiler makes code for one sample type of them where the layer is made,
/// which is several times as fast as code for all.
final class AnyBackgroundLayer<Sample: PixelSample> {
    let begin: (FrameContext) -> LayerOpacity?
    let selectRow: (_ row: Int, _ plane: Int, _ frame: ImageView) -> Void
    let apply: (inout BackgroundRow<Sample>) -> Void
    let cover: (UnsafeMutablePointer<Sample>, Range<Int>) -> Void
    /// Takes over other parameters; false when they are those of another kind of effect.
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

/// A part of a background row, on its way up through the layers.
struct BackgroundRow<Sample: PixelSample> {
    /// Whole pixels of the row.
    let samples: Range<Int>
    /// What the layers until now have made, indexed like the frame's row; only `samples` are valid.
    private(set) var pointer: UnsafePointer<Sample>
    private let scratch: UnsafeMutablePointer<Sample>

    init(
        _ source: UnsafePointer<Sample>, _ samples: Range<Int>, scratch: UnsafeMutablePointer<Sample>
    ) {
        (pointer, self.samples, self.scratch) = (source, samples, scratch)
    }

    /// Puts other samples in place of all that is beneath.
    mutating func replace(by samples: UnsafePointer<Sample>) { pointer = samples }

    /// The samples, where they may be changed; copied from their source the first time.
    mutating func writable() -> UnsafeMutablePointer<Sample> {
        if pointer != UnsafePointer(scratch) {
            let first = samples.lowerBound
            (scratch + first).update(from: pointer + first, count: samples.count)
            pointer = UnsafePointer(scratch)
        }
        return scratch
    }
}
