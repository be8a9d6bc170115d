import Imaging

/// What all face requests share: the models, the faces that are followed, and the observations made of them.
///
/// Each request has one of its own; it has nothing to call.
public final class FacePipeline {
    private var loaded = LoadedModels<FaceModels>()
    private let replica = ModelReplica()
    private let tracker = FaceTracker()
    private let poseEstimator = HeadPoseEstimator()
    private var lastShape: FrameShape?
    private var observations: [FaceObservation] = []

    /// Seconds from one picture of a stream to the next.
    var frameDuration = 1.0 / 30
    /// Whether the first picture of a stream takes no longer than others.
    var spreadsFirstSearch = false

    init() {}

    func prepare(_ configuration: FaceConfiguration, _ attributes: FaceAttributes) throws(VisionError) {
        let models = try loaded.models(configuration.setup.using(replica), load: FaceModels.init)
        if attributes.union(configuration.attributes).contains(.captureQuality) {
            _ = try models.captureRater()
        }
    }

    func reset() {
        tracker.reset()
        observations.removeAll(keepingCapacity: true)
    }

    func unload() {
        reset()
        loaded.unload()
    }

    /// Finds the faces of `image`, with `attributes` and those of `configuration`.
    func perform(
        on image: ImageView, _ orientation: ImageOrientation, _ configuration: FaceConfiguration,
        _ attributes: FaceAttributes
    ) throws(VisionError) -> [FaceObservation] {
        // No observation shares the tracks' memory then, unless the caller kept one: it is written in place.
        observations.removeAll(keepingCapacity: true)
        let models = try loaded.models(configuration.setup.using(replica), load: FaceModels.init)
        let frame = UprightFrame(image, orientation: orientation)
        let attributes = attributes.union(configuration.attributes)
        let shape = FrameShape(image, orientation)
        if shape != lastShape { tracker.reset() }
        lastShape = shape
        if configuration.tracksFaces {
            let timing = StreamTiming(
                seconds: frameDuration, searchInterval: configuration.searchInterval,
                spreadsFirstSearch: spreadsFirstSearch)
            try tracker.follow(
                in: frame, models, models.trackingLandmarker(isFull: attributes.needFullModel),
                configuration.limits, timing)
        } else {
            try tracker.find(in: frame, models, configuration.limits)
        }
        try observe(frame, models, configuration, attributes)
        return observations
    }

    private func observe(
        _ frame: UprightFrame, _ models: FaceModels, _ configuration: FaceConfiguration,
        _ attributes: FaceAttributes
    ) throws(VisionError) {
        let rater = attributes.contains(.captureQuality) ? try models.captureRater() : nil
        let camera = Camera(configuration.verticalFieldOfView, frame.size)
        let interval = configuration.tracksFaces ? frameDuration : nil
        for index in tracker.tracks.indices
        where tracker.tracks[index].confidence >= configuration.minimumConfidence {
            let fit = try fit(index, frame, models, camera, configuration, attributes)
            let quality = try rater?.rate(tracker.tracks[index].face, fit, in: frame)
            observations.append(
                tracker.tracks[index].observation(
                    in: frame, fit, interval: interval, withLandmarks: attributes.contains(.landmarks),
                    pointCount: configuration.tracksFaces && !attributes.needFullModel
                        ? FaceMesh.pointCount : .max, quality))
        }
    }

    /// The pose of the face of track `index`; nil when its landmarks span no face.
    private func fit(
        _ index: Int, _ frame: UprightFrame, _ models: FaceModels, _ camera: Camera,
        _ configuration: FaceConfiguration, _ attributes: FaceAttributes
    ) throws(VisionError) -> PoseFitter.Fit? {
        let face = tracker.tracks[index].face
        guard configuration.tracksFaces else {
            return try poseEstimator.fit(face, in: frame, models, camera)
        }
        if tracker.wasFirst {
            return try poseEstimator.fit(
                face, in: frame, models, camera,
                trackedBy: models.trackingLandmarker(isFull: attributes.needFullModel),
                &tracker.tracks[index].correction)
        }
        return try poseEstimator.fit(
            face, in: frame, models, camera, isFull: attributes.needFullModel,
            updatesCorrection: tracker.tracks[index].id == tracker.correctedID,
            &tracker.tracks[index].correction)
    }
}

extension FaceConfiguration {
    var setup: ModelSetup { ModelSetup(device: device, threads: threads, modelPath: modelPath) }

    fileprivate var limits: TrackingLimits {
        TrackingLimits(most: maximumFaces, reportedFrom: minimumConfidence)
    }
}
