import Imaging

/// Settings of the requests that can follow the things they find through a stream.
public protocol TrackingConfiguration: InferenceConfiguration {
    /// The supported revisions.
    static var supportedRevisions: ClosedRange<Int> { get }
    /// The counts of things that can be asked for.
    static var possibleCounts: ClosedRange<Int> { get }

    /// The maximum number of things to report: `maximumFaces`, `maximumPeople` or `maximumHandCount`.
    var maximumCount: Int { get }
    /// The minimum confidence of reported things, 0...1.
    var minimumConfidence: Double { get set }
    /// The time of the stream from one search to the next; nil searches the first frame only.
    var searchInterval: Duration? { get set }
}

extension TrackingConfiguration {
    /// Counts for which the cost of a frame stays within the limits that the searches are planned for.
    public static var possibleCounts: ClosedRange<Int> { 1...16 }

    package var setup: ModelSetup {
        ModelSetup(
            device: device, threads: threads, modelPath: modelPath, keepsModels: mode == .image)
    }
}

/// The number of things of a stream that are followed, and the certainty that they need.
package struct TrackingLimits {
    /// The maximum number of things.
    package let maximumCount: Int
    /// The presence that a thing needs to stay, 0...1.
    package let minimumPresence: Double

    package init(maximumCount: Int, minimumPresence: Double) {
        (self.maximumCount, self.minimumPresence) = (maximumCount, minimumPresence)
    }

    /// Creates limits for a minimum confidence of reports.
    ///
    /// A thing whose confidence falls below the reported minimum is still followed, so that its track does
    /// not end and start again.
    package init(maximumCount: Int, reportedFrom minimumConfidence: Double) {
        self.init(
            maximumCount: maximumCount,
            minimumPresence: min(max(minimumConfidence, Self.lowest), Self.highest))
    }

    /// The presence, 0...1, below which there is nothing.
    private static let lowest = 0.05
    /// The presence, 0...1, from which on the models' authors count a thing as found.
    private static let highest = 0.5
}

/// A tracker's knowledge of a frame besides its pixels.
struct TrackingContext<Configuration: TrackingConfiguration> {
    /// The user's settings with the additions of the request.
    let configuration: Configuration
    /// Seconds since the last frame.
    let seconds: Double
    /// The places where things can be, in pixels of the upright frame; nil for anywhere.
    var places: [Rectangle]?

    var limits: TrackingLimits {
        TrackingLimits(
            maximumCount: configuration.maximumCount, reportedFrom: configuration.minimumConfidence)
    }

    /// Seconds since the last frame; nil for a single image, which is not smoothed.
    var interval: Double? { configuration.mode.isStream ? seconds : nil }

    /// Seconds from one search to the next; nil searches the first frame only.
    var searchInterval: Double? { configuration.searchInterval?.seconds }

    /// Whether the first frame is searched like a single image; without later searches, it has to be.
    var searchesFirstFrameFully: Bool {
        configuration.mode != .camera || searchInterval == nil
    }
}

/// Attributes that found things can have besides their place.
public protocol TrackedAttributes: OptionSet, Hashable, Sendable where RawValue == Int {}

extension TrackedAttributes {
    /// Whether things have all of `attributes`.
    public subscript(attributes: Self) -> Bool {
        get { isSuperset(of: attributes) }
        set { if newValue { formUnion(attributes) } else { subtract(attributes) } }
    }
}
