import CGStreamer

extension Element {
    /// Runs `work` on a thread of GStreamer's, away from the streaming thread.
    ///
    /// The element stays alive until it has run. What `work` throws is posted as a warning, or as an error if
    /// `isFatal`.
    public func runAsynchronously(
        isFatal: Bool = false, _ work: @escaping @Sendable () throws(ElementError) -> Void
    ) {
        callAsynchronously(gstElement) { element in
            guard let peer = peer(of: element) else { return }
            do throws(ElementError) { try work() } catch {
                if isFatal { peer.post(error: error) } else { peer.post(warning: error) }
            }
        }
    }
}

/// Runs `work` with `element`, which stays alive until then, on a thread of GStreamer's (`gst_element_call_async`).
func callAsynchronously(
    _ element: UnsafeMutablePointer<GstElement>,
    _ work: @escaping @Sendable (UnsafeMutablePointer<GstElement>) -> Void
) {
    gst_element_call_async(
        element,
        { element, data in
            guard let element, let data else { return }
            Unmanaged<WorkBox>.fromOpaque(data).takeUnretainedValue().work(element)
        }, Unmanaged.passRetained(WorkBox(work)).toOpaque(),
        { data in
            if let data { Unmanaged<WorkBox>.fromOpaque(data).release() }
        })
}

private final class WorkBox {
    let work: @Sendable (UnsafeMutablePointer<GstElement>) -> Void

    init(_ work: @escaping @Sendable (UnsafeMutablePointer<GstElement>) -> Void) { self.work = work }
}
