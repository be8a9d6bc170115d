import GStreamerKit
import Imaging

/// Replaces what is behind the people whom `personsegment` found, in the frame's own format.
///
///     gst-launch-1.0 v4l2src ! personsegment quality=fast ! blendmask background=forest.jpg ! autovideosink
///
/// Fails closed: a frame without a usable mask is covered wholly unless asked otherwise.
final class BlendMaskElement: VideoElement {
    override class var metadata: Metadata {
        Metadata(
            factoryName: "blendmask", typeName: "GstBlendMask", longName: "Background replacement",
            klass: "Filter/Effect/Video",
            description: "Puts a picture, a colour or a blur behind the people of a GstPeopleMask")
    }

    override class var base: Base { .filter }
    // Where a sink takes only what the camera cannot give, the pipeline must work all the same.
    override class var changesFormat: Bool { true }

    // MARK: - Properties

    /// What happens to a frame that carries no mask, or one that is too old or broken.
    enum NoMaskPolicy: String, PropertyChoice {
        case cover, pass, error

        static var typeName: String { "GstPeopleNoMaskPolicy" }
        var blurb: String {
            switch self {
            case .cover: "Show only the background"
            case .pass: "Show the frame as it is"
            case .error: "Stop with an error"
            }
        }
    }

    struct Settings: ElementSettings {
        var background: String?
        var fit = PictureFit.cover
        var color: UInt32 = 0xff00_0000
        var blur = 0.0
        var noMask = NoMaskPolicy.cover
        var maximumAge: Int32 = -1
        var keepMask = false

        /// Where the picture is; an empty text, which is all that a launch line can say for none, means none.
        var location: String? { background.flatMap { $0.isEmpty ? nil : $0 } }

        static var properties: [Property<Settings>] {
            [
                .string("background", "Path or URI of the picture to put behind the people", \.background),
                .choice("background-fit", "How the picture fills the frame", \.fit),
                .color(
                    "background-color",
                    "Colour behind the people without a picture, and around it: 0xAARRGGBB", \.color),
                .double(
                    "blur",
                    "Blur of the frame's own background when there is no picture, in percent of the strongest; "
                        + "0 is off",
                    in: 0...100, \.blur),
                .choice("no-mask", "What to do with a frame that has no usable mask", \.noMask),
                .int(
                    "max-mask-age",
                    "Oldest usable mask in frames; -1 for twice the interval at which masks are made",
                    in: -1...100_000, \.maximumAge),
                .bool("keep-mask", "Leave the mask on the frame for elements downstream", \.keepMask),
            ]
        }
    }

    private let settings = SettingsBox<Settings>()
    override class var settingsType: any ElementSettings.Type { Settings.self }
    override var settingsStore: SettingsStore { SettingsStore(settings) }

    /// Standard deviation of the blur at 100, in frame heights.
    private static let strongestBlur = 0.1

    // MARK: - State of the stream

    private let picture = BackgroundPicture()
    private let compositor = MaskCompositor()

    // MARK: - Life cycle

    override func start() throws(ElementError) {
        if let location = settings.snapshot().location { try picture.decode(location) }
    }

    override func stop() { picture.clear() }

    override func capsChanged(to info: VideoInfo) throws(ElementError) {
        if let wanted = BackgroundPicture.Wanted(settings.snapshot(), info) { try picture.load(wanted) }
    }

    // MARK: - Frames

    override func process(_ frame: borrowing VideoFrame) throws(ElementError) {
        let settings = settings.snapshot()
        let wanted = BackgroundPicture.Wanted(settings, frame.info)
        let fitted = wanted.flatMap { picture.picture($0, for: self) }
        let color = RGBColor(argb: settings.color)
        if try !blend(frame, settings, background(settings, fitted, color)) {
            try withoutMask(frame, settings, fitted.map { .picture($0.image) } ?? .color(color))
        }
        if !settings.keepMask { frame.remove(PeopleMaskMeta.kind) }
    }

    private func background(_ settings: Settings, _ picture: FittedPicture?, _ color: RGBColor) -> Background
    {
        if let picture { return .picture(picture.image) }
        let blurs = settings.blur > 0 && settings.location == nil
        return blurs ? .blur(radius: settings.blur / 100 * Self.strongestBlur) : .color(color)
    }

    /// Blends with the frame's mask; false when it has none that can be used.
    private func blend(
        _ frame: borrowing VideoFrame, _ settings: Settings, _ background: Background
    ) throws(ElementError) -> Bool {
        guard let mask = PeopleMaskMeta.Reader(frame), mask.isFresh(settings.maximumAge) else { return false }
        let image = frame.image
        let outcome = mask.withMask { view in
            Result { () throws(CompositingError) in
                try compositor.replaceBackground(of: image, mask: view, background: background)
            }
        }
        guard let outcome else { return false }
        do throws(CompositingError) { try outcome.get() } catch { throw ElementError(error) }
        return true
    }

    /// Follows the `no-mask` policy; a blur is no cover, it would show where people are.
    private func withoutMask(
        _ frame: borrowing VideoFrame, _ settings: Settings, _ cover: Background
    ) throws(ElementError) {
        switch settings.noMask {
        case .pass: break
        case .cover:
            do throws(CompositingError) {
                try compositor.cover(frame.image, with: cover)
            } catch { throw ElementError(error) }
        case .error:
            throw ElementError(
                .streamFailed, "A frame without a usable mask reached blendmask; put personsegment before it."
            )
        }
    }
}

extension BackgroundPicture.Wanted {
    fileprivate init?(_ settings: BlendMaskElement.Settings, _ info: VideoInfo) {
        guard let location = settings.location else { return nil }
        self.init(location: location, fit: settings.fit, border: settings.color, info: info)
    }
}

extension PeopleMaskMeta.Reader {
    /// Whether the mask has a valid age and is not too old; a negative `maximum` means twice its interval.
    fileprivate func isFresh(_ maximum: Int32) -> Bool {
        let (twice, overflows) = interval.multipliedReportingOverflow(by: 2)
        return age >= 0 && age <= (maximum >= 0 ? Int(maximum) : overflows ? .max : twice)
    }
}

extension RGBColor {
    /// A colour written as 0xAARRGGBB.
    fileprivate init(argb: UInt32) {
        self.init(
            red: UInt8(truncatingIfNeeded: argb >> 16), green: UInt8(truncatingIfNeeded: argb >> 8),
            blue: UInt8(truncatingIfNeeded: argb))
    }
}
