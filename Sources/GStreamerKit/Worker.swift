import CGStreamer

extension Element {
    /// Runs `work` on a thread of GStreamer's, away from the streaming thread (`gst_element_call_async`).
    ///
    /// The element stays alive until it has run. What `work` throws is posted as a warning.
    public func runAsynchronously(_ work: @escaping @Sendable () throws(ElementError) -> Void) {
        let box = Unmanaged.passRetained(WorkBox(work)).toOpaque()
        gst_element_call_async(gstElement, runWork, box) { data in
            if let data { Unmanaged<WorkBox>.fromOpaque(data).release() }
        }
    }
}

private final class WorkBox {
    let work: @Sendable () throws(ElementError) -> Void

    init(_ work: @escaping @Sendable () throws(ElementError) -> Void) { self.work = work }
}

private let runWork: GstElementCallAsyncFunc = { element, data in
    guard let data, let peer = peer(of: element) else { return }
    do throws(ElementError) {
        try Unmanaged<WorkBox>.fromOpaque(data).takeUnretainedValue().work()
    } catch { peer.post(warning: error) }
}
