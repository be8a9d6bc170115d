import CommandKit
import GStreamerKit

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
