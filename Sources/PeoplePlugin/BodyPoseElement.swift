import GStreamerKit
import Imaging
import PeopleVision

/// Finds people and attaches them to each frame as `GstPeopleBodies`, with the joints of their bodies.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! bodypose draw=all ! videoconvert ! autovideosink
final class BodyPoseElement: TrackingElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "bodypose", typeName: "GstBodyPose", longName: "Body pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches people with the joints of their bodies to each frame (GstPeopleBodies)")
    }

    override class var attachedMetas: [CustomMeta] { [PeopleBodiesMeta.kind] }

    // MARK: - Properties

    struct Settings: TrackingSettings, Equatable {
        var maximumPeople: Int32 = 4
        var minimumConfidence = 0.5
        var upperBodyOnly = true
        var hasPose3D = false
        var fieldOfView = 0.0
        var smoothing = 0.5
        var searchInterval: Int32 = 500
        var overlay = BodyOverlay.none
        var device: String? = "CPU"
        var threads: Int32 = 0
        var modelPath: String?
        var postsMessages = false

        static var properties: [Property<Settings>] {
            [
                .int("max-people", "Most people to look for; the largest count", in: 1...16, \.maximumPeople),
                .bool(
                    "upper-body-only",
                    "Boxes and regions are those of the upper body: head, arms, and the trunk down to the hips",
                    \.upperBodyOnly, .whilePlaying),
                .bool("pose-3d", "Adds 17 joints in metres to each person", \.hasPose3D),
                .double(
                    "field-of-view",
                    "The camera's angle of view in degrees from the upright picture's upper to its lower edge, "
                        + "0 for unknown: 40 along the longer side", in: 0...150, \.fieldOfView,
                    .whilePlaying),
                .double(
                    "smoothing", "How much joints are steadied over time; 0 is not at all", in: 0...1,
                    \.smoothing, .whilePlaying),
                .choice("draw", "What to draw into the frame", \.overlay),
            ]
                + trackingProperties(
                    of: "bodypose", "People",
                    search:
                        "Milliseconds of the stream from one search for people to the next; 0 searches the first frame only"
                )
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let request = DetectHumanBodyPoseRequest()
    override var tracking: (any TrackingRequest)? { request }
    private var applied: Settings?

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        apply(settings.snapshot())
        try super.start()
    }

    // MARK: - Frames

    override var drawsOnFrames: Bool { settings.snapshot().overlay != .none }

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        let settings = settings.snapshot()
        apply(settings)
        noteTime(of: frame)
        let bodies = try bodies(in: frame)
        log.frame("frame \(time(of: frame)): \(bodies.count) people", of: self)
        let meta = PeopleBodiesMeta(
            bodies: bodies, revision: request.configuration.revision, orientation: orientation)
        guard meta.attach(to: frame, tracks(in: frame)) else {
            throw ElementError(.streamFailed, "The people could not be attached to the frame.")
        }
        if let image = frame.mutableImage { settings.overlay.draw(bodies, on: image) }
        if settings.postsMessages { post(message: "bodypose", at: frame) { meta.writeBodies(to: $0) } }
    }

    private func bodies(in frame: borrowing VideoFrame) throws(ElementError) -> [HumanBodyPoseObservation] {
        let image = frame.image
        let found = PeopleDepthMeta.withDepth(of: frame) { depth in
            Result { () throws(VisionError) in
                try request.perform(on: image, depth: depth, orientation: orientation)
            }
        }
        do throws(VisionError) { return try found.get() } catch { throw ElementError(error) }
    }

    private func apply(_ settings: Settings) {
        guard settings != applied else { return }
        applied = settings
        log.info("people: \(settings.maximumPeople) at most, device \(settings.device ?? "CPU")", of: self)
        request.configuration = settings.configuration
    }
}

extension BodyPoseElement.Settings {
    /// What the request is asked for.
    fileprivate var configuration: BodyConfiguration {
        var configuration = BodyConfiguration()
        configuration.tracksPeople = true
        configuration.searchInterval = searchSeconds
        configuration.maximumPeople = Int(maximumPeople)
        configuration.minimumConfidence = minimumConfidence
        configuration.upperBodyOnly = upperBodyOnly
        configuration.verticalFieldOfView = fieldOfView > 0 ? fieldOfView * .pi / 180 : nil
        configuration.smoothing = smoothing
        if hasPose3D { configuration.attributes.insert(.pose3D) }
        configuration.device = device ?? "CPU"
        configuration.threads = Int(threads)
        configuration.modelPath = modelPath
        return configuration
    }
}
