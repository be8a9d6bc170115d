import GStreamerKit
import Imaging
import PeopleSettings
import PeopleVision

/// The settings of an element that tracks its findings and may draw them.
protocol TrackingSettings: ElementSettings {
    associatedtype Request: StreamRequest
    associatedtype Meta: FindingsMeta where Meta.Finding == Request.Finding

    /// The configuration of the request.
    var request: Request.Configuration { get set }
    /// Whether a message is posted for each frame.
    var postsMessages: Bool { get set }
    /// Whether the element draws into the frames.
    var drawsOnFrames: Bool { get }

    /// The configuration with additions that drawing needs, for example.
    var completeRequest: Request.Configuration { get }
    /// Returns the metadata of the findings.
    func meta(_ found: [Request.Finding], _ orientation: ImageOrientation) -> Meta
    /// Draws the findings.
    func draw(_ found: [Request.Finding], on image: MutableImageView, _ orientation: ImageOrientation)
}

/// A request that tracks its findings from one frame of a stream to the next.
protocol StreamRequest: VisionRequest where Observation == [Finding], Configuration: TrackingConfiguration {
    associatedtype Finding: TrackedObservation

    init(_ configuration: Configuration)
    func prepare() throws(VisionError)
    func unload()
    func reset()
}

extension TrackingSettings {
    var completeRequest: Request.Configuration { request }

    /// Returns the properties of an element's confidence, search and messages.
    ///
    /// - Parameters:
    ///   - element: name of the element, and of its messages.
    ///   - things: the kind of findings, as the beginning of a sentence.
    ///   - search: description of `search-interval`.
    static func trackingProperties(of element: String, _ things: String, search: String) -> [Property<Self>] {
        [
            .double(
                "min-confidence", "\(things) with a lower confidence are left out", in: 0...1,
                \.request.minimumConfidence),
            .int(
                "search-interval", search, in: 0...60000, as: .milliseconds, \.request.searchInterval),
            .bool(
                "post-messages", "Posts an element message \"\(element)\" for each frame", \.postsMessages),
        ] + inferenceProperties(\.request, modelPath: "Directory that is searched for models first")
    }
}

/// An element that lists its findings in each frame.
protocol FindingsElement: VideoElement {
    /// The kind of metadata, and the name of the list in it.
    static var findingsList: (meta: CustomMeta, name: StaticString) { get }
}

/// An analyser whose request tracks its findings through the stream.
class TrackingElement<Settings: TrackingSettings>: VideoElement, FindingsElement {
    static var findingsList: (meta: CustomMeta, name: StaticString) {
        (Settings.Meta.kind, Settings.Meta.list.name)
    }
    override class var attachedMetas: [CustomMeta] { [findingsList.meta] }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    // MARK: - State of the stream

    private let request = Settings.Request(Settings.Request.Configuration())
    private var applied: Settings.Request.Configuration?
    private let people = StreamPeople()
    /// Whether frames come from a camera, so that none waits for the first search.
    private var isCamera = false
    /// Rotation and mirroring that make the stored frames upright.
    private var orientation = ImageOrientation.up

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        VideoFrame.prepareRegions()
        applySettings()
        do throws(VisionError) { try request.prepare() } catch { throw ElementError(error) }
    }

    override func stop() {
        discontinuity()
        orientation = .up
        request.unload()
    }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        isCamera = isLive
        discontinuity()
    }

    override func discontinuity() {
        request.reset()
        people.reset()
    }

    override func orientationChanged(to orientation: ImageOrientation) {
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        discontinuity()
    }

    // MARK: - Frames

    override var drawsOnFrames: Bool { settings.current.drawsOnFrames }

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        applySettings()
        let found = try find(in: frame)
        log.frame("frame \(time(of: frame)): \(found.count) found", of: self)
        let meta = settings.current.meta(found, orientation)
        guard meta.attach(to: frame, tracks(in: frame)) else {
            throw ElementError(.streamFailed, "The metadata could not be attached to the frame.")
        }
        people.write(to: frame)
        if let image = frame.mutableImage { settings.current.draw(found, on: image, orientation) }
        if settings.current.postsMessages {
            post(message: Self.metadata.factoryName, at: frame) { fields in
                frame.read(Settings.Meta.kind).map { fields.set(Settings.Meta.list.name, copying: $0) }
            }
        }
    }

    private func find(in frame: borrowing VideoFrame) throws(ElementError) -> [Settings.Request.Finding] {
        // Some frames of cameras have no duration.
        var input = InputFrame(frame, orientation, isStill: frame.isStill && !isCamera)
        if input.isStill {
            people.reset()
            beginTracks()
        }
        let found = PeopleDepthMeta.withDepth(of: frame) { depth in
            input.depth = depth
            return Result { () throws(VisionError) in try request.perform(on: input) }
        }
        do throws(VisionError) { return try found.get() } catch { throw ElementError(error) }
    }

    private func applySettings() {
        var configuration = settings.current.completeRequest
        configuration.mode = isCamera ? .camera : .recording
        guard configuration != applied else { return }
        applied = configuration
        log.info("at most \(configuration.maximumCount), device \(configuration.device)", of: self)
        request.configuration = configuration
    }
}
