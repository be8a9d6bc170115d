import GStreamerKit
import Imaging
import PeopleVision

/// A request that follows what it finds from one frame of a stream to the next.
protocol TrackingRequest: AnyObject {
    /// Seconds from one frame to the next.
    var frameDuration: Double { get set }
    /// Whether the first frame of a stream takes no longer than others.
    var spreadsFirstSearch: Bool { get set }
    /// Loads the models, so that the first frame does not wait for them.
    func prepare() throws(VisionError)
    /// Forgets what is being followed.
    func reset()
}

extension DetectFaceRectanglesRequest: TrackingRequest {}
extension DetectHumanBodyPoseRequest: TrackingRequest {}
extension DetectHumanHandPoseRequest: TrackingRequest {}

/// An analyser whose request follows what it finds through the stream.
class TrackingElement: VideoElement {
    /// The request; subclasses have one.
    var tracking: (any TrackingRequest)? { nil }

    /// How frames must be turned to be upright.
    private(set) var orientation = ImageOrientation.up
    private var lastTime: UInt64?

    override func start() throws(ElementError) {
        VideoFrame.prepareRegions()
        do throws(VisionError) { try tracking?.prepare() } catch { throw ElementError(error) }
    }

    /// The models stay, so that the next start is at once; they go with the element.
    override func stop() {
        discontinuity()
        orientation = .up
    }

    /// A camera's frames are not to wait for the search of the first one; a file's first frame has what it shows.
    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        tracking?.spreadsFirstSearch = isLive
        discontinuity()
    }

    override func discontinuity() {
        tracking?.reset()
        lastTime = nil
    }

    override func orientationChanged(to orientation: ImageOrientation) {
        guard orientation != self.orientation else { return }
        self.orientation = orientation
        discontinuity()
    }

    /// Tells the request how long after the last frame this one comes: results are smoothed over time, not over frames,
    /// which may come at any rate.
    func noteTime(of frame: borrowing VideoFrame) {
        tracking?.frameDuration = frame.seconds(since: lastTime)
        lastTime = frame.presentationTime
    }
}
