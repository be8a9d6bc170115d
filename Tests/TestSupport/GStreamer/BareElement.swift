public import CGStreamer
import GStreamerKit

/// An element by itself, in no pipeline and linked to nothing.
public final class BareElement {
    private var element: GStreamer.Element?
    private let raw: UnsafeMutablePointer<GstElement>
    private let bus: GStreamer.Bus
    // Outlives the object; GObject clears it when the object is freed.
    private let watch: UnsafeMutablePointer<gpointer?>

    /// Makes an element with properties given as texts.
    public init(_ factory: String, _ properties: [(name: String, value: String)] = []) throws {
        TestedPlugin.load()
        guard let bus = GStreamer.Bus() else { throw SetupFailure("no bus") }
        guard let element = GStreamer.Element(factory: factory) else { throw SetupFailure("no \(factory)") }
        (self.bus, self.element, raw) = (bus, element, element.pointer())
        watch = .allocate(capacity: 1)
        watch.initialize(to: raw)
        let object = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GObject.self)
        g_object_add_weak_pointer(object, watch)
        gst_element_set_bus(raw, bus.pointer())
        for property in properties { element.set(property.name, parsing: property.value) }
    }

    deinit { watch.deallocate() }

    /// Changes the state; returns whether the element is then in that state.
    public func enter(_ state: GstState) -> Bool {
        gst_element_set_state(raw, state) == GST_STATE_CHANGE_SUCCESS && raw.pointee.current_state == state
    }

    /// The next error or warning of the element.
    public var message: BusMessage? { bus.next(within: 0) }

    /// Releases the only reference, so that nothing may be called afterwards; returns whether the element was
    /// freed.
    public func dispose() -> Bool {
        gst_element_set_state(raw, GST_STATE_NULL)
        gst_element_set_bus(raw, nil)
        // Messages keep a reference to the element that posted them.
        gst_bus_set_flushing(bus.pointer(), 1)
        element = nil
        return watch.pointee == nil
    }
}
