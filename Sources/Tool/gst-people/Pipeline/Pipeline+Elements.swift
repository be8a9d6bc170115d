import CommandKit
import GStreamerKit

/// Pipelines and elements with errors for users of the tool.
extension GStreamer.Pipeline {
    /// An empty pipeline.
    static func make() throws(ToolError) -> GStreamer.Pipeline {
        guard let pipeline = GStreamer.Pipeline() else {
            throw ToolError(.failed, "GStreamer could not make a pipeline.")
        }
        return pipeline
    }

    /// Makes an element and puts it into the pipeline.
    func add(_ factory: String) throws(ToolError) -> GStreamer.Element {
        guard let element = GStreamer.Element(factory: factory) else { throw .missing(element: factory) }
        self.element.add(element)
        return element
    }

    /// Makes the elements of a pipeline description, as one element with the free pads of its ends.
    ///
    /// - Parameter hasEnds: false for a chain from source to sink.
    func add(chain description: String, hasEnds: Bool = true) throws(ToolError) -> GStreamer.Element {
        let chain = try GStreamer.Element.parse(description, hasEnds: hasEnds)
        element.add(chain)
        return chain
    }

    /// Adds the first of several chains whose elements are installed.
    func add(firstOf descriptions: [String], hasEnds: Bool = true) throws(ToolError) -> GStreamer.Element {
        var first: ToolError?
        for description in descriptions {
            do { return try add(chain: description, hasEnds: hasEnds) } catch { first = first ?? error }
        }
        throw first ?? ToolError(.failed, "No alternative is available.")
    }
}

extension GStreamer.Element {
    /// The elements of a pipeline description, which are put nowhere.
    static func parse(_ description: String, hasEnds: Bool = true) throws(ToolError) -> GStreamer.Element {
        do throws(DescriptionError) {
            return try GStreamer.Element(parsing: description, hasEnds: hasEnds)
        } catch {
            if let name = error.missing.first { throw .missing(element: name) }
            throw ToolError(.failed, "GStreamer could not make \"\(description)\": \(error.reason)")
        }
    }
}

extension ToolError {
    static func missing(element name: String) -> ToolError {
        ToolError(
            .missing,
            "GStreamer's element \(name) is not installed: \(DebianPackages.advice(forElement: name)).")
    }
}

/// Links the source pad of one element to the sink pad of another.
func link(_ upstream: GStreamer.Element, _ downstream: GStreamer.Element) throws(ToolError) {
    guard upstream.link(to: downstream) else {
        throw ToolError(.failed, "GStreamer could not link \(upstream.name) to \(downstream.name).")
    }
}

/// Links a pad to the sink pad of an element.
func link(_ pad: GStreamer.Pad, _ element: GStreamer.Element) throws(ToolError) {
    guard let sink = element.pad("sink") else {
        throw ToolError(.failed, "\(element.name) has no input.")
    }
    guard pad.link(to: sink) else {
        throw ToolError(.failed, "GStreamer could not link a stream to \(element.name).")
    }
}
