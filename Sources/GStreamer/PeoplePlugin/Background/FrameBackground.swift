import Composer
import GStreamerKit
import Imaging
import PeopleSettings

/// The background that settings ask for beside the frames themselves: a picture, a clip, or a colour that follows a head.
final class FrameBackground {
    private let media = BackgroundMedia()
    /// The picture of the current frame, whose memory it keeps alive.
    private var shown: BackgroundMedia.Shown?
    private var poseColor = PoseColor()

    /// Decodes the picture, so that a wrong name is reported before the stream starts.
    func decode(_ settings: BlendSettings) throws(ElementError) {
        if let location = settings.location { try media.decode(location) }
    }

    /// Loads the picture or clip for frames.
    func load(
        _ settings: BlendSettings, _ info: VideoInfo, for element: VideoElement
    ) throws(ElementError) {
        try media.load(BackgroundMedia.Wanted(settings, info), for: element)
    }

    /// Ends all waits, because the stream ends; called from any thread.
    func interrupt() { media.interrupt() }

    /// Releases everything.
    func clear() {
        shown = nil
        media.clear()
        poseColor = PoseColor()
    }

    /// Handles a frame that does not follow the last one.
    func discontinuity() { poseColor.interrupt() }

    /// Begins an image that shares nothing with those before it.
    func beginScene() { poseColor = PoseColor() }

    /// Returns the picture or colour of a frame, valid until the next call; nil while there is none.
    func source(
        _ settings: BlendSettings, for frame: borrowing VideoFrame, of element: VideoElement
    ) -> BackgroundSource? {
        switch settings.resolvedSource {
        case .pose:
            let pose = PeopleFacesMeta.largestPose(in: frame)
            return .color(
                poseColor.color(pose, showing: settings.poseAngle, at: frame.presentationTime))
        case .picture, .clip:
            let time = element.runningTime(of: frame)
            let wanted = BackgroundMedia.Wanted(settings, frame.info)
            shown = wanted.flatMap { media.picture($0, for: element, at: time) }
            return shown.map {
                .picture($0.picture.image, revision: $0.isStill ? $0.picture.revision : nil)
            }
        case .auto, .original, .color, .transparent: return nil
        }
    }
}

extension BackgroundMedia.Wanted {
    fileprivate init?(_ settings: BlendSettings, _ info: VideoInfo) {
        guard let location = settings.location else { return nil }
        let style = PictureStyle(
            fit: settings.fit, isMirrored: settings.isMirrored, border: settings.color)
        self.init(location: location, style: style, plays: settings.source != .picture, info: info.timeless)
    }
}
