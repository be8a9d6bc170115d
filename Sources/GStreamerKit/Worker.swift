import CGStreamer

extension Element {
    /// Runs `work` on a thread of GStreamer's, away from the streaming thread (`gst_element_call_async`).
    ///
    /// The element stays alive until it has run. What `work` throws is posted as a warning, or as an error if
    /// `isFatal`.
    public func runAsynchronously(
        isFatal: Bool = false, _ work: @escaping @Sendable () throws(ElementError) -> Void
    ) {
        let box = Unmanaged.passRetained(WorkBox(work, isFatal: isFatal)).toOpaque()
        gst_element_call_async(gstElement, runWork, box) { data in
            if let data { Unmanaged<WorkBox>.fromOpaque(data).release() }
        }
    }
}

private final class WorkBox {
    let work: @Sendable () throws(ElementError) -> Void

    let isFatal: Bool

    init(_ work: @escaping @Sendable () throws(ElementError) -> Void, isFatal: Bool) {
        (self.work, self.isFatal) = (work, isFatal)
    }
}

private let runWork: GstElementCallAsyncFunc = { element, data in
    guard let data, let peer = peer(of: element) else { return }
    let box = Unmanaged<WorkBox>.fromOpaque(data).takeUnretainedValue()
    do throws(ElementError) { try box.work() } catch {
        if box.isFatal { peer.post(error: error) } else { peer.post(warning: error) }
    }
}
