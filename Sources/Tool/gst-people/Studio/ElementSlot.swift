import CommandKit
import GStreamerKit
import Synchronization

/// A place in a running chain where elements are exchanged between two frames.
final class ElementSlot: Sendable {
    private let chain: GStreamer.Element
    private let output: GStreamer.Pad
    private let input: GStreamer.Pad
    private let filling = Mutex<GStreamer.Element?>(nil)
    private let elements = Mutex<[String]>([])
    /// The elements that are, or will be with the next frame, in the place.
    private let newest = Mutex<GStreamer.Element?>(nil)

    /// Makes an empty place.
    ///
    /// - Parameter name: name of the element before the place.
    init(_ chain: GStreamer.Element, after name: String) throws(ToolError) {
        guard let output = chain.element(named: name)?.pad("src"), let input = output.peer else {
            throw ToolError(.failed, "GStreamer could not make the pipeline.")
        }
        (self.chain, self.output, self.input) = (chain, output, input)
    }

    /// Returns an element of the place.
    func element(named name: String) -> GStreamer.Element? {
        guard let newest = newest.withLock({ $0 }) else { return nil }
        return newest.name == name ? newest : newest.element(named: name)
    }

    /// Replaces the elements of the place, unless the same ones are there, whatever their properties.
    func fill(_ elements: [String]) throws(ToolError) {
        let isSame = self.elements.withLock { $0.map(Self.factory) == elements.map(Self.factory) }
        guard !isSame else { return }
        let new =
            elements.isEmpty ? nil : try GStreamer.Element.parse(elements.joined(separator: " ! "))
        self.elements.withLock { $0 = elements }
        newest.withLock { $0 = new }
        output.addProbe(.block) { [weak self] info in
            self?.exchange(new, info.pad)
            return .remove
        }
    }

    /// The name of an element's factory, at the beginning of its description.
    private static func factory(_ description: String) -> Substring { description.prefix { $0 != " " } }

    private func exchange(_ new: GStreamer.Element?, _ output: GStreamer.Pad) {
        if let next = output.peer { output.unlink(from: next) }
        let old = filling.withLock { filling in
            defer { filling = new }
            return filling
        }
        if let old {
            old.setState(.null)
            chain.remove(old)
        }
        guard let new, let first = new.pad("sink"), let last = new.pad("src") else {
            output.link(to: input)
            return
        }
        chain.add(new)
        last.link(to: input)
        new.syncStateWithParent()
        output.link(to: first)
    }
}
