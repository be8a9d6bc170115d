import Imaging

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
