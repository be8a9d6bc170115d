import GStreamerKit
import Imaging
import PeopleVision

/// Finds faces and attaches them to each frame as `GstPeopleFaces`, with where they look.
///
///     gst-launch-1.0 -m v4l2src ! facepose post-messages=true ! autovideosink
final class FacePoseElement: TrackingElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "facepose", typeName: "GstFacePose", longName: "Face pose",
            klass: "Filter/Analyzer/Video",
            description: "Attaches faces with their roll, yaw and pitch to each frame (GstPeopleFaces)")
    }

    override class var attachedMetas: [CustomMeta] { [PeopleFacesMeta.kind] }

    // MARK: - Properties

    struct Settings: TrackingSettings, Equatable {
        var maximumFaces: Int32 = 4
        var minimumConfidence = 0.5
        var fieldOfView = 0.0
        var searchInterval: Int32 = 100
        var findsLandmarks = false
        var hasMesh = false
        var ratesCaptureQuality = false
        var overlay = FaceOverlay.none
        var device: String? = "CPU"
        var threads: Int32 = 0
        var modelPath: String?
        var postsMessages = false

        static var properties: [Property<Settings>] {
            [
                .int("max-faces", "Most faces to look for", in: 1...16, \.maximumFaces),
                .double(
                    "field-of-view",
                    "The camera's angle of view in degrees from the upright picture's upper to its lower edge, "
                        + "0 for unknown: 40 along the longer side", in: 0...150, \.fieldOfView,
                    .whilePlaying),
                .bool("landmarks", "Adds 76 points in named regions to each face", \.findsLandmarks),
                .bool("mesh", "Adds the 478 points of the face mesh to each face", \.hasMesh),
                .bool(
                    "capture-quality", "Adds how well each face was captured, for the best of a burst",
                    \.ratesCaptureQuality),
                .choice("draw", "What to draw into the frame", \.overlay),
            ]
                + trackingProperties(
                    of: "facepose", "Faces",
                    search:
                        "Milliseconds of the stream for which a large new face waits at most until it is searched for, "
                        + "ten times as long for small ones, sixty times for turned ones; 0 searches the first frame only (Since: 0.2.0)"
                )
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let request = DetectFaceRectanglesRequest()
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
        let faces: [FaceObservation]
        do throws(VisionError) {
            faces = try request.perform(on: frame.image, orientation: orientation)
        } catch { throw ElementError(error) }
        log.frame("frame \(time(of: frame)): \(faces.count) faces", of: self)
        let meta = PeopleFacesMeta(
            faces: faces, revision: request.configuration.revision, orientation: orientation,
            hasLandmarks: settings.findsLandmarks, hasMesh: settings.hasMesh)
        guard meta.attach(to: frame, tracks(in: frame)) else {
            throw ElementError(.streamFailed, "The faces could not be attached to the frame.")
        }
        if let image = frame.mutableImage {
            settings.overlay.draw(faces, on: image, orientation: orientation)
        }
        if settings.postsMessages { post(message: "facepose", at: frame) { meta.writeFaces(to: $0) } }
    }

    private func apply(_ settings: Settings) {
        guard settings != applied else { return }
        applied = settings
        log.info("faces: \(settings.maximumFaces) at most, device \(settings.device ?? "CPU")", of: self)
        request.configuration = settings.configuration
    }
}

extension FacePoseElement.Settings {
    /// What the request is asked for.
    fileprivate var configuration: FaceConfiguration {
        var configuration = FaceConfiguration()
        configuration.tracksFaces = true
        configuration.searchInterval = searchSeconds
        configuration.maximumFaces = Int(maximumFaces)
        configuration.minimumConfidence = minimumConfidence
        configuration.verticalFieldOfView = fieldOfView > 0 ? fieldOfView * .pi / 180 : nil
        if findsLandmarks || overlay.needsLandmarks { configuration.attributes.insert(.landmarks) }
        if hasMesh { configuration.attributes.insert(.irises) }
        if ratesCaptureQuality { configuration.attributes.insert(.captureQuality) }
        configuration.device = device ?? "CPU"
        configuration.threads = Int(threads)
        configuration.modelPath = modelPath
        return configuration
    }
}
