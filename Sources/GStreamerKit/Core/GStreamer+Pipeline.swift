import CGStreamer

extension GStreamer {
    /// A pipeline, which stops when the last user of this object goes.
    package final class Pipeline: Sendable {
        /// The pipeline as an element.
        package let element: Element
        /// Where its elements post messages.
        package let bus: Bus

        /// An empty pipeline; nil when memory is short.
        package convenience init?() {
            guard let pipeline = gst_pipeline_new(nil) else { return nil }
            self.init(Element(taking: pipeline))
        }

        /// The elements of a description; nil for a single one, which makes no pipeline.
        package convenience init?(_ description: String) throws(DescriptionError) {
            self.init(try Element(launching: description))
        }

        private init?(_ element: Element) {
            guard let bus = gst_element_get_bus(element.pointer()) else { return nil }
            (self.element, self.bus) = (element, Bus(taking: bus))
        }

        deinit { element.setState(.null) }
    }
}
