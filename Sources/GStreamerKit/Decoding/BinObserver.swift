import CGStreamer

/// Looks at the elements that are put into a bin, on whatever thread that happens.
protocol BinObserver: AnyObject, Sendable {
    /// An element has been put into the bin, or into one inside it.
    func added(_ element: UnsafeMutablePointer<GstElement>)
}

extension BinObserver {
    /// Begins to look at what is put into `bin`, which keeps the observer.
    func watch(_ bin: UnsafeMutablePointer<GstElement>) {
        typealias Added =
            @convention(c) (gpointer?, gpointer?, UnsafeMutablePointer<GstElement>?, gpointer?) -> Void
        let added: Added = { _, _, element, data in
            guard let element, let data else { return }
            Unmanaged<Reference>.fromOpaque(data).takeUnretainedValue().observer.added(element)
        }
        g_signal_connect_data(
            bin, "deep-element-added", unsafeBitCast(added, to: GCallback.self),
            Unmanaged.passRetained(Reference(self)).toOpaque(),
            { data, _ in if let data { Unmanaged<Reference>.fromOpaque(data).release() } },
            GConnectFlags(rawValue: 0))
    }
}

/// What a pointer can point to.
private final class Reference {
    let observer: any BinObserver

    init(_ observer: any BinObserver) { self.observer = observer }
}
