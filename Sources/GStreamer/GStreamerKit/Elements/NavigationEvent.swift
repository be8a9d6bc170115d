import CGStreamer
import Imaging

extension VideoElement {
    /// Offers an event from downstream to the element if it is a press of a pointer's first button on the
    /// image.
    ///
    /// The sink converts window positions to pixels of the image that it gets. Elements between the sink and
    /// this one that scale or turn the image convert the positions further.
    ///
    /// - Returns: whether the element handled the event.
    func takesNavigation(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
        guard people_event_type(event) == GST_EVENT_NAVIGATION else { return false }
        var button: gint = 0
        var (x, y): (gdouble, gdouble) = (0, 0)
        guard gst_navigation_event_get_type(event) == GST_NAVIGATION_EVENT_MOUSE_BUTTON_PRESS,
            gst_navigation_event_parse_mouse_button_event(event, &button, &x, &y) != 0, button == 1,
            let (width, height) = outputSize
        else { return false }
        let place = Point(x: x / Double(width), y: y / Double(height))
        // A window may have borders around the image.
        guard (0..<1).contains(place.x), (0..<1).contains(place.y) else { return false }
        return pressed(at: place)
    }

    /// Returns an event with positions in the output as one with positions in the input; takes the event over.
    func movedUpstream(_ event: UnsafeMutablePointer<GstEvent>) -> UnsafeMutablePointer<GstEvent>? {
        let object = UnsafeMutableRawPointer(event).assumingMemoryBound(to: GstMiniObject.self)
        guard let writable = gst_mini_object_make_writable(object) else { return nil }
        let own = UnsafeMutableRawPointer(writable).assumingMemoryBound(to: GstEvent.self)
        let structure = gst_event_writable_structure(own)
        var (x, y): (gdouble, gdouble) = (0, 0)
        guard gst_structure_get_double(structure, "pointer_x", &x) != 0,
            gst_structure_get_double(structure, "pointer_y", &y) != 0, let output = outputSize,
            let input = size(of: gstTransform.pointee.sinkpad)
        else { return own }
        let place = inputPoint(of: Point(x: x / Double(output.width), y: y / Double(output.height)))
        for (field, position) in [
            ("pointer_x", place.x * Double(input.width)), ("pointer_y", place.y * Double(input.height)),
        ] {
            var value = GValue()
            g_value_init(&value, GType(people_g_type_double))
            g_value_set_double(&value, position)
            gst_structure_take_value(structure, field, &value)
        }
        return own
    }

    /// Size of the output by the negotiated caps, since the caller is not on the streaming thread.
    private var outputSize: (width: Int, height: Int)? { size(of: gstTransform.pointee.srcpad) }

    private func size(of pad: UnsafeMutablePointer<GstPad>?) -> (width: Int, height: Int)? {
        guard let pad, let caps = GStreamer.Pad(retaining: pad).currentCaps else { return nil }
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps.pointer()) != 0, info.width > 0, info.height > 0 else {
            return nil
        }
        return (Int(info.width), Int(info.height))
    }
}

extension Element {
    /// Sets a property to a text, as an application would; emits `notify`.
    public func set(_ property: String, to text: String) {
        GStreamer.Element(retaining: gobject).set(property, to: text)
    }
}
