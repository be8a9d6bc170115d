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

extension Double {
    /// The value, or the nearer end of `low`...`high`, which holds 0; 0 for what is not a number.
    func limited(_ low: Double, _ high: Double) -> Double {
        isNaN ? 0 : Swift.min(Swift.max(self, low), high)
    }
}
