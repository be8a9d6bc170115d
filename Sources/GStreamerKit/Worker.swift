import CGStreamer

extension Element {
    /// Runs `work` on a thread of GStreamer's, away from the streaming thread.
    ///
    /// The element stays alive until it has run (`gst_element_call_async`).
    public func runAsynchronously(_ work: @escaping @Sendable () -> Void) {
        let box = Unmanaged.passRetained(WorkBox(work)).toOpaque()
        gst_element_call_async(
            gstElement,
            { _, data in data.map { Unmanaged<WorkBox>.fromOpaque($0).takeUnretainedValue().work() } }, box,
            { data in data.map { Unmanaged<WorkBox>.fromOpaque($0).release() } })
    }
}

private final class WorkBox {
    let work: @Sendable () -> Void
    init(_ work: @escaping @Sendable () -> Void) { self.work = work }
}
