public import CGStreamer
import GStreamerKit

/// A pipeline in this process, made from a pipeline description.
public final class Pipeline: Sendable {
    private let element: GStreamer.Element
    private let bus: GStreamer.Bus
    var raw: UnsafeMutablePointer<GstElement> { element.pointer() }

    /// Parses `line`.
    public init(_ line: String) throws {
        TestedPlugin.load()
        do throws(DescriptionError) { element = try GStreamer.Element(launching: line) } catch {
            throw SetupFailure(error.reason)
        }
        // The description of a single element makes no pipeline, and so no bus.
        guard let bus = element.bus ?? GStreamer.Bus() else { throw SetupFailure("no bus") }
        self.bus = bus
        gst_element_set_bus(element.pointer(), bus.pointer())
    }

    deinit { element.setState(.null) }

    /// Changes the state and waits for it.
    @discardableResult
    public func set(state: GstState) -> GstStateChangeReturn {
        let result = gst_element_set_state(raw, state)
        guard result == GST_STATE_CHANGE_ASYNC else { return result }
        return gst_element_get_state(raw, nil, nil, GstClockTime(Patience.event * 1e9))
    }

    /// Starts to play; false if an element refuses.
    public func start() -> Bool { element.setState(.playing) }

    /// Plays until the end of stream or an error; returns all messages, with that message last.
    public func play() -> [BusMessage] {
        element.setState(.playing)
        var messages: [BusMessage] = []
        while let message = bus.next(within: Patience.program) {
            messages.append(message)
            if message.kind != .warning { break }
        }
        element.setState(.null)
        return messages
    }

    /// Returns the next error, warning or end of stream; nil if none comes in `seconds`.
    public func nextMessage(within seconds: Double = Patience.event) -> BusMessage? {
        bus.next(within: seconds)
    }

    /// Sets a property of the element called `name` by its text.
    public func set(_ name: String, _ property: String, _ value: String) {
        element.element(named: name)?.set(property, parsing: value)
    }

    /// Returns the text of a property of the element called `name`.
    public func text(_ name: String, _ property: String) -> String? {
        element.element(named: name)?.word(of: property)
    }

    /// Returns the next sample of the appsink called `name`; nil at the end of the stream, or if none comes
    /// in `seconds`.
    public func pullSample(from name: String, within seconds: Double = Patience.event) -> Frame? {
        let sink = GStreamer.AppSink(element.element(named: name))
        return sink?.pull(within: UInt64(seconds * 1e9)).flatMap { Frame($0) }
    }

    /// Pushes a copy of the frame to the appsrc called `name`.
    public func push(_ frame: Frame, to name: String) {
        guard let copy = frame.content.view.deepCopy else { return }
        GStreamer.AppSource(element.element(named: name))?.push(copy)
    }

    /// Returns the errors and warnings posted since the last call.
    public func messages() -> [BusMessage] { bus.all() }

    /// Seeks to a part of the stream, in nanoseconds, with a flush.
    ///
    /// - Parameter rate: a negative rate plays the part backwards.
    public func seek(
        to start: Int64, until stop: Int64? = nil, rate: Double = 1, _ more: GstSeekFlags = GST_SEEK_FLAG_NONE
    ) -> Bool {
        let flags = GST_SEEK_FLAG_FLUSH.rawValue | GST_SEEK_FLAG_ACCURATE.rawValue | more.rawValue
        return gst_element_seek(
            raw, rate, GST_FORMAT_TIME, GstSeekFlags(rawValue: flags), GST_SEEK_TYPE_SET, gint64(start),
            GST_SEEK_TYPE_SET, gint64(stop ?? -1)) != 0
    }

    /// Waits for a message of this type, and removes the messages before it from the bus; false if none
    /// comes.
    public func waits(for type: GstMessageType) -> Bool {
        bus.pop(.init(rawValue: type.rawValue), within: UInt64(Patience.event * 1e9)) != nil
    }
}
