import CGStreamer

extension VideoFrame {
    /// Hands a label map of the whole frame to other plugins, in the words of GStreamer's analytics library (from 1.26 on).
    ///
    /// - Parameters:
    ///   - labels: an 8-bit grey picture; what is equal belongs to one instance, 0 is the background.
    ///   - highest: the highest label; all from 0 on are there.
    public func attachSegmentation(_ labels: BufferSlot, highest: Int) {
        guard let library = AnalyticsLibrary.shared, let add = library.addSegmentation,
            let meta = library.meta(of: buffer), let width = guint(exactly: info.width),
            let height = guint(exactly: info.height)
        else { return }
        let count = min(max(highest, 0), 255) + 1
        withUnsafeTemporaryAllocation(of: guint32.self, capacity: count) { regions in
            for label in 0..<count { regions.initializeElement(at: label, to: guint32(label)) }
            var handle = AnalyticsLibrary.Handle()
            // It takes the reference over.
            guard let first = regions.baseAddress, let map = labels.reference() else { return }
            _ = add(
                meta, map, AnalyticsLibrary.instances, gsize(count), first, 0, 0, width, height, &handle)
        }
    }
}
