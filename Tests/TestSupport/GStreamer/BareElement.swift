public import CGStreamer

/// An element by itself, in no pipeline and linked to nothing.
public final class BareElement {
    private let raw: UnsafeMutablePointer<GstElement>
    private let bus: Bus
    // Outlives the object, which GObject tells by clearing it.
    private let watch: UnsafeMutablePointer<gpointer?>

    /// Makes an element with properties given as texts.
    public init(_ factory: String, _ properties: [(name: String, value: String)] = []) throws {
        GStreamer.boot()
        bus = Bus(gst_bus_new())
        guard let raw = gst_element_factory_make(factory, nil) else { throw SetupFailure("no \(factory)") }
        self.raw = raw
        watch = .allocate(capacity: 1)
        watch.initialize(to: raw)
        let object = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GObject.self)
        g_object_add_weak_pointer(object, watch)
        gst_element_set_bus(raw, bus.raw)
        for property in properties { gst_util_set_object_arg(object, property.name, property.value) }
    }

    deinit { watch.deallocate() }

    /// Changes the state; true when the element is in it then.
    public func enter(_ state: GstState) -> Bool {
        gst_element_set_state(raw, state) == GST_STATE_CHANGE_SUCCESS && raw.pointee.current_state == state
    }

    /// The next error or warning that it has posted.
    public var message: BusMessage? { bus.next(within: 0) }

    /// Gives the only reference away, so that nothing may be called afterwards; true when the element is gone then.
    public func dispose() -> Bool {
        gst_element_set_state(raw, GST_STATE_NULL)
        gst_element_set_bus(raw, nil)
        // Messages name the element that has posted them.
        gst_bus_set_flushing(bus.raw, 1)
        gst_object_unref(raw)
        return watch.pointee == nil
    }
}
