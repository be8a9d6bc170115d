package import Imaging
package import PeopleVision

/// The masks of one frame, in memory that the next frame's use again.
package final class FrameMasks: SelectableMasks {
    /// A person with a mask of his or her own.
    package struct Person: SelectablePerson {
        package let id: Int?
        package let label: Int
    }

    /// The people with masks of their own; nil where they were not separated, and before the first frame.
    package private(set) var instances: [Person]?
    private var source: InstanceMasks?
    private let (all, one, labels) = (Memory(), Memory(), Memory())

    /// Whether the mask has the fine, soft edges of a matte.
    package private(set) var isMatte = false

    /// Creates memory for the masks of the frames that follow.
    package init() {}

    /// Analyses a frame; the masks are valid until the next.
    package func find(in frame: InputFrame, _ request: any MaskRequest, separates: Bool) throws(VisionError) {
        source = nil
        let masks = try request.find(in: frame)
        try all.fill(masks.layout) { view throws(VisionError) in try masks.writeMask(into: view) }
        source = masks
        instances = separates ? masks.instances.map { Person(id: $0.id, label: $0.label) } : nil
        isMatte = masks.qualityLevel == .balanced || masks.qualityLevel == .accurate
    }

    package func withMask<Result>(_ body: (MaskView) -> Result) -> Result? {
        source == nil ? nil : all.mask.map { body($0.view) }
    }

    package func withMask<Result>(of person: Person, _ body: (MaskView) -> Result) -> Result? {
        guard let source else { return nil }
        do throws(VisionError) {
            try one.fill(source.layout) { view throws(VisionError) in
                try source.writeMask(of: person.label, into: view)
            }
        } catch { return nil }
        return one.mask.map { body($0.view) }
    }

    package func label(at point: Point) -> Int? { withLabels { $0?.value(at: point) } }

    /// Lends the label map to `body`; nil where there is none.
    package func withLabels<Result>(_ body: (MaskView?) -> Result) -> Result {
        guard let source else { return body(nil) }
        do throws(VisionError) {
            try labels.fill(source.layout.labels) { view throws(VisionError) in
                try source.writeLabels(into: view)
            }
        } catch { return body(nil) }
        return body(labels.mask?.view)
    }

    /// The instances of the last frame with their places; none before the first.
    package var found: [MaskInstance] { source?.instances ?? [] }

    /// Whether the last frame's mask is nowhere more than half visible.
    package var isEmpty: Bool { withMask { mask in !mask.values.contains { $0 > 0.5 } } ?? false }

    /// Memory for a mask, which stays as long as the layout.
    private final class Memory {
        private(set) var mask: MaskMemory?
        private var layout: MaskLayout?

        func fill(
            _ layout: MaskLayout, _ write: (MutableMaskView) throws(VisionError) -> Void
        ) throws(VisionError) {
            if layout != self.layout {
                mask = MaskMemory(format: layout.format, width: layout.width, height: layout.height)
                self.layout = layout
            }
            guard let mask else { throw .noMemory(layout) }
            try write(mask.mutableView)
        }
    }
}
