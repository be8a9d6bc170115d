/// Takes the orientation out of a stream's tags once its frames are turned.
///
/// videoflip leaves it in: elements downstream would turn the image once more. Seen in GStreamer 1.22;
/// `VideoTranscodingTests.turnsPortraitClipsUpright` tells when it can go.
package enum OrientationTag {
    /// - Parameter pad: where turned frames leave.
    package static func remove(at pad: GStreamer.Pad) {
        pad.onEvent { event, info in
            guard let rest = event.tags?.removing("image-orientation"), let event = GStreamer.Event(rest)
            else { return }
            info.replace(with: event)
        }
    }
}
