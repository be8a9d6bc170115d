import CommandKit
import GStreamerKit

/// A black frame of a camera's size and format, which hides the room while the camera gives no frames.
struct CoveredFrame {
    private let buffer: GStreamer.Buffer
    private let caps: GStreamer.Caps

    /// Makes the frame.
    ///
    /// - Parameter caps: caps of the camera's frames, raw or JPEG.
    init?(_ caps: GStreamer.Caps) {
        guard let mode = CameraMode(caps) else { return nil }
        let wanted: [(caps: String, encoder: String)] =
            mode.type == "image/jpeg"
            ? [(mode.rawCaps, "! jpegenc ")]
            // The second choice has fewer fields, in case the drawing element does not accept all of them.
            : [(caps.text, ""), (mode.caps, "")]
        guard let buffer = wanted.lazy.compactMap({ Self.draw($0.caps, $0.encoder) }).first else {
            return nil
        }
        (self.buffer, self.caps) = (buffer, caps)
    }

    /// The frame as a sample with the camera's caps.
    var sample: GStreamer.Sample? { GStreamer.Sample(buffer, caps) }

    private static func draw(_ caps: String, _ encoder: String) -> GStreamer.Buffer? {
        let elements =
            "videotestsrc num-buffers=1 pattern=black ! capsfilter caps=\(descriptionText(caps)) \(encoder)"
            + "! appsink name=frame"
        guard let pipeline = try? GStreamer.Pipeline.make(),
            let chain = try? pipeline.add(chain: elements, hasEnds: false)
        else { return nil }
        pipeline.element.setState(.playing)
        defer { pipeline.element.setState(.null) }
        let sink = GStreamer.AppSink(chain.element(named: "frame"))
        return sink?.pull(within: SingleFrame.patience)?.buffer?.retained
    }
}

/// The picture that an offered camera shows while the real one is closed: the background without anybody.
enum CoveredPicture {
    /// Draws the picture: a black frame without a mask passes through the elements of the player.
    ///
    /// - Parameters:
    ///   - mode: the mode of the camera's frames.
    ///   - caps: caps of the picture, as a text.
    static func draw(
        _ options: LiveOptions, _ mode: CameraMode, caps: String
    ) throws(ToolError) -> GStreamer.Sample {
        let pipeline = try GStreamer.Pipeline.make()
        let chain = try pipeline.add(
            chain:
                "videotestsrc num-buffers=1 pattern=black ! capsfilter caps=\(mode.rawCaps),pixel-aspect-ratio=1/1 "
                + "! \(options.turn.elements)videoconvert ! blendmask name=blendmask ! videoconvert ! videoscale "
                + "! capsfilter caps=\(descriptionText(caps)) ! appsink name=frame sync=false",
            hasEnds: false)
        options.wholeCompositing.apply(to: chain)
        pipeline.element.setState(.playing)
        defer { pipeline.element.setState(.null) }
        let picture = GStreamer.AppSink(chain.element(named: "frame"))?.pull(within: SingleFrame.patience)
        guard let picture else {
            throw pipeline.bus.pop(.error).map { ToolError(liveError: $0.failure) }
                ?? ToolError(.failed, "GStreamer delivered no image.")
        }
        return picture
    }
}
