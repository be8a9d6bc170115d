import GStreamerKit
import Imaging
import PeopleVision

/// Finds hands and attaches them to each frame as `GstPeopleHands`, with their joints and whether they are left or right.
///
///     gst-launch-1.0 v4l2src ! videoconvert ! handpose draw=all ! videoconvert ! autovideosink
final class HandPoseElement: TrackingElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "handpose", typeName: "GstHandPose", longName: "Hand pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches hands with their joints to each frame (GstPeopleHands)")
    }

    override class var attachedMetas: [CustomMeta] { [PeopleHandsMeta.kind] }

    // MARK: - Properties

    struct Settings: TrackingSettings, Equatable {
        var maximumHands: Int32 = 2
        var minimumConfidence = 0.5
        var hasPose3D = false
        var smoothing = 0.5
        var searchInterval: Int32 = 200
        var overlay = HandOverlay.none
        var device: String? = "CPU"
        var threads: Int32 = 0
        var modelPath: String?
        var postsMessages = false

        static var properties: [Property<Settings>] {
            [
                .int("max-hands", "Most hands to look for; the largest count", in: 1...16, \.maximumHands),
                .bool("pose-3d", "Adds the joints in metres to each hand", \.hasPose3D, .whilePlaying),
                .double(
                    "smoothing", "How much joints are steadied over time; 0 is not at all", in: 0...1,
                    \.smoothing, .whilePlaying),
                .choice("draw", "What to draw into the frame", \.overlay),
            ]
                + trackingProperties(
                    of: "handpose", "Hands",
                    search:
                        "Milliseconds of the stream from one search for hands to the next; 0 searches the first frame only"
                )
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let request = DetectHumanHandPoseRequest()
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
        let hands: [HumanHandPoseObservation]
        do throws(VisionError) {
            hands = try request.perform(on: frame.image, orientation: orientation)
        } catch { throw ElementError(error) }
        log.frame("frame \(time(of: frame)): \(hands.count) hands", of: self)
        let meta = PeopleHandsMeta(
            hands: hands, revision: request.configuration.revision, orientation: orientation,
            hasPose3D: settings.hasPose3D)
        guard meta.attach(to: frame, tracks(in: frame)) else {
            throw ElementError(.streamFailed, "The hands could not be attached to the frame.")
        }
        if let image = frame.mutableImage { settings.overlay.draw(hands, on: image) }
        if settings.postsMessages { post(message: "handpose", at: frame) { meta.writeHands(to: $0) } }
    }

    private func apply(_ settings: Settings) {
        guard settings != applied else { return }
        applied = settings
        log.info("hands: \(settings.maximumHands) at most, device \(settings.device ?? "CPU")", of: self)
        request.configuration = settings.configuration
    }
}

extension HandPoseElement.Settings {
    /// What the request is asked for.
    fileprivate var configuration: HandConfiguration {
        var configuration = HandConfiguration()
        configuration.tracksHands = true
        configuration.searchInterval = searchSeconds
        configuration.maximumHandCount = Int(maximumHands)
        configuration.minimumConfidence = minimumConfidence
        configuration.smoothing = smoothing
        configuration.device = device ?? "CPU"
        configuration.threads = Int(threads)
        configuration.modelPath = modelPath
        return configuration
    }
}
