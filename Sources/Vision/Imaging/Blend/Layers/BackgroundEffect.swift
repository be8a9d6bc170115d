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
