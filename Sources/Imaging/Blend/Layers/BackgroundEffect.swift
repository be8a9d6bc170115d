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

    /// The layer that draws the effect.
    ///
    /// - Parameter old: the layer that was in its place before, to be used again if it is of the same kind.
    func layer<Sample: PixelSample>(reusing old: (any BackgroundLayer<Sample>)?) -> any BackgroundLayer<
        Sample
    >
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

    init(_ parameters: Parameters)

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
    /// `old`, if it is of this kind, or a new layer.
    static func with(
        _ parameters: Parameters, reusing old: (any BackgroundLayer<Sample>)?
    ) -> any BackgroundLayer<Sample> {
        guard let same = old as? Self else { return Self(parameters) }
        same.parameters = parameters
        return same
    }

    func cover(_ coverage: UnsafeMutablePointer<Sample>, _ samples: Range<Int>) {}
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
