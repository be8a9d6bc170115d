import Imaging

extension MutableImageView {
    /// Fills a plane that contains only alpha.
    ///
    /// `GstVideoConverter` leaves such a plane half transparent. Seen in GStreamer 1.22; `ConversionTests`
    /// show when this workaround can go.
    func makeAlphaPlaneOpaque() {
        let layout = format.layout
        guard let alpha = layout.alpha, alpha.pixelStride == layout.bytesPerSample else { return }
        let byteCount = layout.rowBytes(plane: alpha.plane, width: width)
        for row in 0..<layout.rows(plane: alpha.plane, height: height) {
            plane(alpha.plane).row(row).update(repeating: .max, count: byteCount)
        }
    }
}
