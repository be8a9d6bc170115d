import Imaging

/// What all body requests share: the models, the people who are followed, and the observations made of them.
///
/// Each request has one of its own; it has nothing to call.
public final class BodyPipeline {
    private var loaded = LoadedModels<BodyModels>()
    private let replica = ModelReplica()
    private let tracker = BodyTracker()
    private var lastShape: FrameShape?
    private var observations: [HumanBodyPoseObservation] = []

    /// Seconds from one picture of a stream to the next.
    var frameDuration = 1.0 / 30
    /// Whether the first picture of a stream takes no longer than others.
    var spreadsFirstSearch = false

    init() {}

    func prepare(_ configuration: BodyConfiguration) throws(VisionError) {
        _ = try loaded.models(configuration.setup.using(replica), load: BodyModels.init)
    }

    func reset() {
        tracker.reset()
        observations.removeAll(keepingCapacity: true)
    }

    func unload() {
        reset()
        loaded.unload()
    }

    /// Finds the people of `image`, with `attributes` and those of `configuration`.
    func perform(
        on image: ImageView, _ orientation: ImageOrientation, _ depth: DepthView?,
        _ configuration: BodyConfiguration, _ attributes: BodyAttributes
    ) throws(VisionError) -> [HumanBodyPoseObservation] {
        // No observation shares the tracks' memory then, unless the caller kept one: it is written in place.
        observations.removeAll(keepingCapacity: true)
        let models = try loaded.models(configuration.setup.using(replica), load: BodyModels.init)
        let frame = UprightFrame(image, orientation: orientation)
        let shape = FrameShape(image, orientation)
        if shape != lastShape { tracker.reset() }
        lastShape = shape
        if configuration.tracksPeople {
            let timing = StreamTiming(
                seconds: frameDuration, searchInterval: configuration.searchInterval,
                spreadsFirstSearch: spreadsFirstSearch)
            try tracker.follow(in: frame, models, configuration.limits, timing)
        } else {
            try tracker.find(in: frame, models, configuration.limits)
        }
        let content = BodyTrack.Content(configuration, attributes, interval: frameDuration, depth)
        for index in tracker.tracks.indices
        where tracker.tracks[index].confidence >= configuration.minimumConfidence {
            observations.append(tracker.tracks[index].observation(in: frame, content))
        }
        return observations
    }
}

extension BodyConfiguration {
    var setup: ModelSetup { ModelSetup(device: device, threads: threads, modelPath: modelPath) }

    fileprivate var limits: TrackingLimits {
        TrackingLimits(most: maximumPeople, reportedFrom: minimumConfidence)
    }
}
