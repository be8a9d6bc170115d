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
