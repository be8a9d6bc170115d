public import Imaging

/// A request that can follow what it finds through a stream.
///
/// For single images it is used as it is. For a stream set `followsStream` in its configuration, keep one object per stream,
/// and give each frame its time.
public class TrackingRequest<Configuration: TrackingConfiguration, Found> {
    /// The settings; changed ones count from the next frame on.
    public var configuration: Configuration
    /// Where in the next images things can be, as stored, in the unit square; nil for anywhere.
    ///
    /// Views that show the whole image are searched all the same.
    var places: [Rectangle]?
    private let pipeline: any TrackingPipelineProtocol<Configuration, Found>

    init(_ configuration: Configuration, _ pipeline: any TrackingPipelineProtocol<Configuration, Found>) {
        (self.configuration, self.pipeline) = (configuration, pipeline)
    }

    /// The revisions there are.
    public static var supportedRevisions: ClosedRange<Int> { Configuration.supportedRevisions }

    /// `configuration` with what the request itself asks for.
    var completeConfiguration: Configuration { configuration }

    func find(in frame: InputFrame) throws(VisionError) -> [Found] {
        try pipeline.perform(on: frame, checkedConfiguration(), at: places)
    }

    /// Loads the models, so that the first frame does not wait for them.
    public func prepare() throws(VisionError) { try pipeline.prepare(checkedConfiguration()) }

    /// Finds the models' files without loading them.
    public func checkModels() throws(VisionError) { try pipeline.check(configuration) }

    /// Forgets what is being followed; the things of the next frame get other ids.
    public func reset() { pipeline.reset() }

    /// Releases the loaded models, and forgets what is being followed.
    public func unload() { pipeline.unload() }

    private func checkedConfiguration() throws(VisionError) -> Configuration {
        let supported = Self.supportedRevisions
        guard supported.contains(configuration.revision) else {
            throw .unsupportedRevision(configuration.revision, supported: supported)
        }
        return completeConfiguration
    }
}

/// One thing that a request has found.
public protocol TrackedObservation: Sendable {
    /// In the image's stored orientation, normalised to 0...1.
    var boundingBox: Rectangle { get }
    /// The models' certainty that it is there, 0...1.
    var confidence: Double { get }
    /// Distinguishes the things of a frame; stays with a thing that is followed.
    var id: Int { get }
}

/// A joint, or another point, of a body or hand.
public struct Joint: Sendable, Equatable {
    /// In the image's stored orientation, normalised; outside of 0...1 where the joint lies beyond the image.
    public let location: Point
    /// The model's certainty, 0...1.
    public let confidence: Double

    package init(location: Point, confidence: Double) {
        (self.location, self.confidence) = (location, confidence)
    }
}
