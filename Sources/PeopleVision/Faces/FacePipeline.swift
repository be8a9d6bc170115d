import Imaging

/// What all face requests do: models, tracks of faces, and observations made of them.
///
/// Each request has a pipeline of its own, which is used through the request only.
public final class FacePipeline {
    private var loaded = LoadedModels<FaceModels>()
    private let replica = ModelReplica()
    private let tracker = FaceTracker()
    private let poseEstimator = HeadPoseEstimator()
    private var lastView: (width: Int, height: Int, orientation: ImageOrientation)?
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
        if lastView ?? (0, 0, .up) != (image.width, image.height, orientation) { tracker.reset() }
        lastView = (image.width, image.height, orientation)
        if configuration.tracksFaces {
            let pace = FaceTracker.Pace(
                seconds: frameDuration, searchInterval: configuration.searchInterval,
                isFull: attributes.needFullModel, spreadsFirstSearch: spreadsFirstSearch)
            try tracker.follow(in: frame, models, configuration.limits, pace)
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

    /// The pose of the track `index`; nil when its landmarks span no face.
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
                followedBy: attributes.needFullModel ? models.closeLandmarker : models.liteLandmarker,
                &tracker.tracks[index].correction)
        }
        return try poseEstimator.fit(
            face, in: frame, models, camera, isFull: attributes.needFullModel,
            looksCloser: tracker.tracks[index].id == tracker.closerID, &tracker.tracks[index].correction)
    }
}

extension FaceConfiguration {
    var setup: ModelSetup { ModelSetup(device: device, threads: threads, modelPath: modelPath) }

    /// A face that is hardly certain stays followed, so that it does not flicker.
    fileprivate var limits: FaceTracker.Limits {
        FaceTracker.Limits(most: maximumFaces, least: min(max(minimumConfidence, 0.05), 0.5))
    }
}
