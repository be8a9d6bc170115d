import CGStreamer

extension GStreamer {
    /// An `appsink`: hands samples to the program.
    package struct AppSink: Sendable {
        package let element: Element

        /// Returns nil if `element` is not an `appsink`.
        package init?(_ element: Element?) {
            guard let element, element.isA(gst_app_sink_get_type()) else { return nil }
            self.element = element
        }

        private var sink: UnsafeMutablePointer<GstAppSink> { element.pointer() }

        /// Returns the next sample; nil if none comes within the given nanoseconds, or none will come any
        /// more.
        package func pull(within time: UInt64) -> Sample? {
            gst_app_sink_try_pull_sample(sink, GstClockTime(time))
                .map { Sample(taking: UnsafeMutableRawPointer($0)) }
        }

        /// Returns the next sample, however long it takes; nil at the end of the stream.
        package func pull() -> Sample? {
            gst_app_sink_pull_sample(sink).map { Sample(taking: UnsafeMutableRawPointer($0)) }
        }

        /// Whether no sample will come any more.
        package var isAtEnd: Bool { gst_app_sink_is_eos(sink) != 0 }

        /// Calls back on the streaming thread.
        ///
        /// - Parameters:
        ///   - onSample: called when a sample can be pulled; returns false to end the stream.
        ///   - onEnd: called at the end of the stream.
        package func setCallbacks(
            onSample: @escaping @Sendable (AppSink) -> Bool, onEnd: @escaping @Sendable () -> Void
        ) {
            typealias Bodies = (sample: @Sendable (AppSink) -> Bool, end: @Sendable () -> Void)
            typealias Box = ClosureBox<Bodies>
            var callbacks = GstAppSinkCallbacks()
            callbacks.new_sample = { sink, data in
                guard let sink, let sink = AppSink(Element(retaining: sink)), let bodies = Box.body(data)
                else { return GST_FLOW_FLUSHING }
                return bodies.sample(sink) ? GST_FLOW_OK : GST_FLOW_FLUSHING
            }
            callbacks.eos = { _, data in Box.body(data)?.end() }
            gst_app_sink_set_callbacks(sink, &callbacks, Box((onSample, onEnd)).retained, releaseClosure)
        }

        /// Removes the callbacks of `setCallbacks`.
        package func removeCallbacks() {
            var none = GstAppSinkCallbacks()
            gst_app_sink_set_callbacks(sink, &none, nil, nil)
        }
    }

    /// An `appsrc`: takes buffers from the program.
    package struct AppSource: Sendable {
        package let element: Element

        /// Returns nil if `element` is not an `appsrc`.
        package init?(_ element: Element?) {
            guard let element, element.isA(gst_app_src_get_type()) else { return nil }
            self.element = element
        }

        private var source: UnsafeMutablePointer<GstAppSrc> { element.pointer() }

        /// Gives a sample's buffer to the pipeline, with its caps.
        package func push(_ sample: Sample) {
            sample.withOpaque { _ = gst_app_src_push_sample(source, $0) }
        }

        /// Gives a buffer to the pipeline.
        package func push(_ buffer: Buffer) { gst_app_src_push_buffer(source, buffer.retained()) }

        /// Sends an event before the next buffer.
        package func send(_ event: Event) { gst_element_send_event(element.pointer(), event.retained()) }

        package func endStream() { gst_app_src_end_of_stream(source) }
    }
}
