package import CGStreamer

extension GStreamer {
    /// The queue in which messages wait for the application.
    package struct Bus: ObjectHandle {
        package let reference: ObjectReference

        package init(_ reference: ObjectReference) { self.reference = reference }

        /// Creates a new bus.
        package init?() {
            guard let bus = gst_bus_new() else { return nil }
            self.init(taking: bus)
        }

        /// Removes the next message of the given kinds from the bus, and all messages before it.
        ///
        /// - Parameter time: the longest wait for such a message, in nanoseconds.
        package func pop(_ kinds: Message.Kinds, within time: UInt64 = 0) -> Message? {
            gst_bus_timed_pop_filtered(
                pointer(), GstClockTime(time), GstMessageType(rawValue: kinds.rawValue)
            )
            .map { Message(taking: $0) }
        }

        /// Hands each message to `body` on the thread that posts it; none stays on the bus.
        package func consume(_ body: @escaping @Sendable (Message) -> Void) {
            typealias Box = ClosureBox<@Sendable (GStreamer.Message) -> Void>
            gst_bus_set_sync_handler(
                pointer(),
                { _, message, data in
                    // A handler that drops a message also releases it.
                    if let message { Box.body(data)?(GStreamer.Message(taking: message)) }
                    return GST_BUS_DROP
                }, Box(body).retained, releaseClosure)
        }

        /// Ends `consume`.
        package func stopConsuming() { gst_bus_set_sync_handler(pointer(), nil, nil, nil) }
    }

    /// A message of an element to the application.
    package struct Message: MiniObjectHandle {
        package let reference: MiniObjectReference

        package init(_ reference: MiniObjectReference) { self.reference = reference }

        /// Kinds of messages.
        package struct Kinds: OptionSet, Sendable {
            package let rawValue: GstMessageType.RawValue

            package init(rawValue: GstMessageType.RawValue) { self.rawValue = rawValue }
            private init(_ type: GstMessageType) { rawValue = type.rawValue }

            package static let error = Kinds(GST_MESSAGE_ERROR)
            package static let warning = Kinds(GST_MESSAGE_WARNING)
            package static let endOfStream = Kinds(GST_MESSAGE_EOS)
            package static let element = Kinds(GST_MESSAGE_ELEMENT)
            package static let application = Kinds(GST_MESSAGE_APPLICATION)
            package static let latency = Kinds(GST_MESSAGE_LATENCY)
            package static let tag = Kinds(GST_MESSAGE_TAG)
            package static let tableOfContents = Kinds(GST_MESSAGE_TOC)
            package static let asyncDone = Kinds(GST_MESSAGE_ASYNC_DONE)
            package static let any = Kinds(GST_MESSAGE_ANY)
        }
    }
}

extension GStreamer.Message {
    /// The kind of this message.
    package var kind: Kinds { Kinds(rawValue: people_message_type(pointer()).rawValue) }

    /// The fields of an element's or application's message.
    package var fields: StructureReader? {
        gst_message_get_structure(pointer()).map {
            StructureReader(structure: UnsafeMutablePointer(mutating: $0), owner: reference)
        }
    }

    /// The tags of a tag message.
    package var tags: GStreamer.TagList? {
        var list: UnsafeMutablePointer<GstTagList>?
        gst_message_parse_tag(pointer(), &list)
        return list.map { GStreamer.TagList(taking: $0) }
    }

    private var object: UnsafeMutablePointer<GstObject>? { pointer(GstMessage.self).pointee.src }

    /// The name of the object that posted the message.
    package var source: String { object?.pointee.name.map { String(cString: $0) } ?? "" }

    /// Whether the message was posted by `element`, or by an element inside it if `orInside`.
    package func isFrom(_ element: GStreamer.Element, orInside: Bool = false) -> Bool {
        let object = element.pointer(GstObject.self)
        return self.object == object || orInside && gst_object_has_as_ancestor(self.object, object) != 0
    }

    /// The element that posted the message.
    package var element: GStreamer.Element? {
        guard let object else { return nil }
        let element = GStreamer.Element(retaining: object)
        return element.isA(gst_element_get_type()) ? element : nil
    }

    /// The contents of an error or a warning message.
    package var failure: GStreamer.Failure { GStreamer.Failure(self) }
}

extension GStreamer {
    /// The contents of an error or a warning message.
    package struct Failure: Sendable {
        /// The name of the element that posted it.
        package let source: String
        /// The plugin of that element if it is an analyzer.
        private let analyzerPlugin: String?
        package let domain: GQuark
        package let code: gint
        /// A sentence.
        package let text: String

        fileprivate init(_ message: Message) {
            var error: UnsafeMutablePointer<GError>?
            if message.kind == .warning {
                gst_message_parse_warning(message.pointer(), &error, nil)
            } else {
                gst_message_parse_error(message.pointer(), &error, nil)
            }
            defer { g_clear_error(&error) }
            source = message.source
            domain = error?.pointee.domain ?? 0
            code = error?.pointee.code ?? 0
            text = error?.pointee.message.map { String(cString: $0) } ?? "unknown error"
            let element = message.element
            analyzerPlugin = element?.classification?.contains("Analyzer") ?? false ? element?.plugin : nil
        }

        /// Whether it was posted by an analyzer of the plugin `name`.
        package func isFromAnalyzer(ofPlugin name: String) -> Bool { analyzerPlugin == name }

        /// Whether it has the domain and the number of `code`.
        package func `is`(_ code: ElementError.Code) -> Bool {
            domain == code.domain && self.code == code.number
        }
    }
}
