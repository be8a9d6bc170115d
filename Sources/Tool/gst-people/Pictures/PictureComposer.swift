import CommandKit
import Composer
import GStreamerKit
import Imaging
import PeopleSettings

/// Composes one still picture: its people in front of a background.
struct PictureComposer {
    private let composer = FrameComposer()
    /// The picture behind the people, decoded; nil for none.
    private let background: StillPicture?

    /// Decodes the background.
    ///
    /// - Throws: when a setting is malformed, or the background cannot be read.
    init(_ settings: BlendSettings) throws(ToolError) {
        do throws(MalformedProperty) { try composer.start(settings) } catch {
            throw ToolError(.failed, error.description)
        }
        do throws(ElementError) {
            background = try composer.settings.location.flatMap { location throws(ElementError) in
                try StillPicture.load(location)
            }
        } catch { throw ToolError(background: error) }
    }

    /// Whether pictures stay as they are.
    var isIdentity: Bool { composer.isIdentity }

    /// Whether the composed picture has alpha.
    var needsAlpha: Bool { composer.settings.needsAlpha }

    /// Composes a picture in place.
    ///
    /// - Parameters:
    ///   - heads: the heads that were found; with nil everything of the people whose heads are to be hidden is.
    ///   - direction: the direction of the face that sets the colour of the background.
    func compose(
        _ image: MutableImageView, _ masks: FrameMasks, _ heads: FoundHeads? = nil,
        _ direction: FaceDirection? = nil
    ) throws(ToolError) {
        let picture = try converted(like: image)
        defer { withExtendedLifetime(picture) {} }
        var media = picture.map { BackgroundSource.picture($0.image, revision: $0.revision) }
        if composer.settings.resolvedSource == .pose {
            var color = PoseColor()
            media = .color(color.color(direction, showing: composer.settings.poseAngle, at: 0))
        }
        let outcome = composer.compose(
            image, masks, over: composer.background(media, in: image.format), heads)
        switch outcome {
        case .shown, .headsHidden, .covered, .kept: return
        case .refused: throw ToolError(.failed, "The picture has no usable mask.")
        case .failed(let error): throw ToolError(.failed, "Blending failed: \(error.description).")
        }
    }

    /// Returns the background in the size and format of a picture.
    private func converted(like image: MutableImageView) throws(ToolError) -> ConvertedPicture? {
        guard let background else { return nil }
        let settings = composer.settings
        let caps = GStreamer.Caps(
            "video/x-raw,format=\(image.format.rawValue),width=\(image.width),height=\(image.height),framerate=0/1"
        )
        guard let info = caps.flatMap({ VideoInfo($0) }) else {
            throw ToolError(.failed, "The background could not be converted.")
        }
        let style = PictureStyle(
            fit: settings.fit, isMirrored: settings.isMirrored, border: settings.color)
        do throws(ElementError) {
            return try ConvertedPicture.converting(background, to: info.timeless, style)
        } catch { throw ToolError(background: error) }
    }
}

extension ToolError {
    /// The error of a background.
    fileprivate init(background error: ElementError) {
        self.init(error.code == .resourceOpenRead ? .input : .failed, error.text)
    }
}
