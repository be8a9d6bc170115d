import CGStreamer
import Imaging

extension VideoElement {
    /// Offers the element an event from downstream if it is a press of the first button of a pointer on the image.
    ///
    /// The sink has turned places in its window into pixels of the image that it gets; elements between that change
    /// its size or turn it do the same with theirs.
    ///
    /// - Returns: whether the element took it.
    func takesNavigation(_ event: UnsafeMutablePointer<GstEvent>) -> Bool {
        guard people_event_type(event) == GST_EVENT_NAVIGATION else { return false }
        var button: gint = 0
        var (x, y): (gdouble, gdouble) = (0, 0)
        guard gst_navigation_event_get_type(event) == GST_NAVIGATION_EVENT_MOUSE_BUTTON_PRESS,
            gst_navigation_event_parse_mouse_button_event(event, &button, &x, &y) != 0, button == 1,
            let (width, height) = outputSize
        else { return false }
        let place = Point(x: x / Double(width), y: y / Double(height))
        // Around the image a window may have borders.
        guard (0..<1).contains(place.x), (0..<1).contains(place.y) else { return false }
        return pressed(at: place)
    }

    /// By the caps that are agreed on now, since this is not the streaming thread.
    private var outputSize: (width: Int, height: Int)? {
        guard let pad = gstTransform.pointee.srcpad, let caps = GStreamer.Pad(retaining: pad).currentCaps
        else { return nil }
        var info = GstVideoInfo()
        guard gst_video_info_from_caps(&info, caps.pointer()) != 0, info.width > 0, info.height > 0 else {
            return nil
        }
        return (Int(info.width), Int(info.height))
    }
}

extension Element {
    /// Sets a property to a text, as an application would; `notify` is emitted.
    public func set(_ property: String, to text: String) {
        GStreamer.Element(retaining: gobject).set(property, to: text)
    }
}
