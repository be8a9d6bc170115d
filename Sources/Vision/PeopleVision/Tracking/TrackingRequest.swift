public import Imaging

/// A request that can follow the things it finds through a stream.
///
/// Single images need no setup. For a stream, set the configuration's `mode`, keep one object per
/// stream, and give each frame its time.
public class TrackingRequest<Configuration: TrackingConfiguration, Found> {
    /// The settings; changed ones count from the next frame on.
    public var configuration: Configuration {
        get { settings.value }
        set { settings.value = newValue }
    }
    /// The places in the next images where things can be, as stored, in the unit square; nil for anywhere.
    ///
    /// Views that show the whole image are searched all the same.
    var places: [Rectangle]?
    private let pipeline: any TrackingPipelineProtocol<Configuration, Found>
    private let settings: Settings<Configuration>
    let lock = RequestLock()

    init(_ configuration: Configuration, _ pipeline: any TrackingPipelineProtocol<Configuration, Found>) {
        settings = Settings(configuration)
        self.pipeline = pipeline
    }

    /// The supported revisions.
    public static var supportedRevisions: ClosedRange<Int> { Configuration.supportedRevisions }

    /// `configuration` with the additions of the request itself.
    var completeConfiguration: Configuration { configuration }

    func find(in frame: InputFrame) throws(VisionError) -> [Found] {
        lock.enter()
        defer { lock.leave() }
        let configuration = try checkedConfiguration()
        return try pipeline.perform(on: frame.of(configuration), configuration, at: places)
    }

    /// Loads the models, so that the first frame does not wait for them.
    public func prepare() throws(VisionError) {
        lock.enter()
        defer { lock.leave() }
        try pipeline.prepare(checkedConfiguration())
    }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try pipeline.check(configuration) }

    /// Forgets the followed things; the things of the next frame get other ids.
    public func reset() {
        lock.enter()
        defer { lock.leave() }
        pipeline.reset()
    }

    /// Releases the loaded models, and forgets the followed things.
    public func unload() {
        lock.enter()
        defer { lock.leave() }
        pipeline.unload()
    }

    private func checkedConfiguration() throws(VisionError) -> Configuration {
        let (complete, supported) = (completeConfiguration, Self.supportedRevisions)
        guard supported.contains(complete.revision) else {
            throw .unsupportedRevision(complete.revision, supported: supported)
        }
        return complete
    }
}

/// A thing that a request has found.
public protocol TrackedObservation: VisionObservation {
    /// The box around the thing, in the image's stored orientation, normalised to 0...1.
    var boundingBox: Rectangle { get }
    /// The models' certainty that the thing is there, 0...1.
    var confidence: Double { get }
    /// A number that distinguishes the things of a frame, and stays with a thing that is followed.
    var id: Int { get }
}

/// A joint, or another point, of a body or hand.
public struct Joint: Sendable, Hashable, Codable {
    /// The position in the image's stored orientation, normalised; outside of 0...1 where the joint lies
    /// beyond the image.
    public let location: Point
    /// The model's certainty, 0...1.
    public let confidence: Double

    package init(location: Point, confidence: Double) {
        (self.location, self.confidence) = (location, confidence)
    }
}

extension TrackingRequest {
    /// Loads the models on a thread of the library.
    ///
    /// - Parameter isolation: the actor of the caller.
    public func prepare(isolation: isolated (any Actor)? = #isolation) async throws(VisionError) {
        try await runOnLibraryThread(of: self, isolation) { () throws(VisionError) in try self.prepare() }
    }
}

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

/// The interface between a request of one family and its pipeline, independent of the tracker.
protocol TrackingPipelineProtocol<Configuration, Observation>: AnyObject {
    associatedtype Configuration
    associatedtype Observation

    func perform(
        on frame: InputFrame, _ configuration: Configuration, at places: [Rectangle]?
    ) throws(VisionError) -> [Observation]
    func prepare(_ configuration: Configuration) throws(VisionError)
    func check(_ configuration: Configuration) throws(VisionError)
    func reset()
    func unload()
}

/// The parts that all requests of one family share: the models, the tracker, and the observations.
final class TrackingPipeline<Tracker: StreamTracker>: TrackingPipelineProtocol {
    private var loaded = LoadedModels<Tracker.Models>()
    private let replica = ModelReplica()
    private let detections: SharedDetections?
    private let tracker = Tracker()
    private var lastShape: InputFrame.Shape?
    private var lastTime: UInt64?
    private var observations: [Tracker.Observation] = []

    /// Creates a pipeline.
    ///
    /// - Parameter detections: shared with requests that look at the same frames.
    init(sharing detections: SharedDetections? = nil) { self.detections = detections }

    /// Finds the things of `frame`.
    ///
    /// - Parameter places: as in `TrackingRequest`.
    func perform(
        on frame: InputFrame, _ configuration: Tracker.Configuration, at places: [Rectangle]?
    ) throws(VisionError) -> [Tracker.Observation] {
        // Without these observations the tracks' memory is not shared and is written in place, unless the
        // caller kept one.
        observations.removeAll(keepingCapacity: true)
        let models = try models(configuration)
        if frame.shape != lastShape { tracker.reset() }
        lastShape = frame.shape
        let upright = UprightFrame(frame)
        let context = Tracker.Context(
            configuration: configuration, seconds: frame.seconds(since: lastTime),
            places: places.flatMap(upright.upright))
        lastTime = frame.nanoseconds
        if configuration.mode.isStream, !frame.isStill {
            try tracker.follow(in: upright, models, context)
        } else {
            try tracker.find(in: upright, models, context)
        }
        for index in tracker.tracks.indices
        where tracker.tracks[index].confidence >= configuration.minimumConfidence {
            observations.append(try tracker.observation(index, in: upright, models, context))
        }
        return observations
    }

    func prepare(_ configuration: Tracker.Configuration) throws(VisionError) {
        try models(configuration).prepare(configuration)
    }

    func check(_ configuration: Tracker.Configuration) throws(VisionError) {
        try Tracker.Models.uses(configuration.setup).checkAll()
    }

    func reset() {
        tracker.reset()
        lastTime = nil
        observations.removeAll(keepingCapacity: true)
    }

    func unload() {
        reset()
        loaded.unload()
    }

    private func models(_ configuration: Tracker.Configuration) throws(VisionError) -> Tracker.Models {
        let setup = configuration.setup.using(replica).sharing(detections)
        return try loaded.models(setup) { setup throws(VisionError) in
            let compiled = Tracker.Models.uses(setup).compileAll()
            defer { withExtendedLifetime(compiled) {} }
            return try Tracker.Models(setup)
        }
    }
}
