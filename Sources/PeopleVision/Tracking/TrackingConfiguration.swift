/// Settings of the requests that can follow what they find through a stream.
public protocol TrackingConfiguration: InferenceConfiguration {
    /// The revisions there are.
    static var supportedRevisions: ClosedRange<Int> { get }
    /// How many things can be asked for.
    static var possibleCounts: ClosedRange<Int> { get }

    /// Settings for single images.
    init()

    /// The revision to use; the newest by default.
    var revision: Int { get set }
    /// The maximum number of things to report: of `maximumFaces`, `maximumPeople` and `maximumHands` the one there is.
    var maximumCount: Int { get }
    /// Things of less confidence are not reported, 0...1.
    var minimumConfidence: Double { get set }
    /// Whether images are the frames of a stream.
    ///
    /// Things are then followed from one to the next, keep their `id`, and are smoothed over time.
    var followsStream: Bool { get set }
    /// Seconds of the stream from one search to the next; nil searches the first frame only.
    var searchInterval: Double? { get set }
    /// Whether the first frame of a stream is searched over the frames that follow, as after a loss, instead of at once.
    ///
    /// For live streams: a frame that takes long makes the next ones late. It takes effect where there is a search interval.
    var spreadsFirstSearch: Bool { get set }
}

extension TrackingConfiguration {
    /// Counts for which the cost of a frame stays within what the searches are planned for.
    public static var possibleCounts: ClosedRange<Int> { 1...16 }

    var setup: ModelSetup { ModelSetup(device: device, threads: threads, modelPath: modelPath) }
}

/// How many things of a stream are followed, and how certain they have to be.
package struct TrackingLimits {
    /// The maximum number of things.
    package let maximumCount: Int
    /// The presence that they need to stay, 0...1.
    package let minimumPresence: Double

    package init(maximumCount: Int, minimumPresence: Double) {
        (self.maximumCount, self.minimumPresence) = (maximumCount, minimumPresence)
    }

    /// Limits under which something is still followed when its confidence falls below the minimum that is reported, so
    /// that its track does not end and start again.
    package init(maximumCount: Int, reportedFrom minimumConfidence: Double) {
        self.init(
            maximumCount: maximumCount,
            minimumPresence: min(max(minimumConfidence, Self.lowest), Self.highest))
    }

    /// Below this presence, 0...1, there is nothing.
    private static let lowest = 0.05
    /// The presence, 0...1, from which the models' authors take something as found.
    private static let highest = 0.5
}

/// What a tracker knows of a frame besides its pixels.
struct TrackingContext<Configuration: TrackingConfiguration> {
    /// With what the request adds to the user's settings.
    let configuration: Configuration
    /// Seconds since the last frame.
    let seconds: Double
    /// Where things can be, in pixels of the upright frame; nil for anywhere.
    var places: [Rectangle]?

    var limits: TrackingLimits {
        TrackingLimits(
            maximumCount: configuration.maximumCount, reportedFrom: configuration.minimumConfidence)
    }

    /// Seconds since the last frame; nil for a single image, which is not smoothed.
    var interval: Double? { configuration.followsStream ? seconds : nil }

    /// Whether the first frame is searched as a single image is; without later searches, it has to be.
    var searchesFirstFrameFully: Bool {
        !configuration.spreadsFirstSearch || configuration.searchInterval == nil
    }
}

/// What found things can come with besides their place.
public protocol TrackedAttributes: OptionSet, Hashable, Sendable where RawValue == Int {}

extension TrackedAttributes {
    /// Whether things come with all of `attributes`.
    public subscript(attributes: Self) -> Bool {
        get { isSuperset(of: attributes) }
        set { if newValue { formUnion(attributes) } else { subtract(attributes) } }
    }
}
