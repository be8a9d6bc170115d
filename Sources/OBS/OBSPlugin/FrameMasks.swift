import Composer
import Imaging
import PeopleVision

/// The masks of one frame, in memory that the next frame's use again.
final class FrameMasks: SelectableMasks {
    /// A person with a mask of his or her own.
    struct Person: SelectablePerson {
        let id: Int?
        let label: Int
    }

    private(set) var instances: [Person]?
    private var source: InstanceMasks?
    private let (all, one, labels) = (Memory(), Memory(), Memory())

    /// Whether the mask has the fine, soft edges of a matte.
    private(set) var isMatte = false

    /// Analyses a frame; the masks are valid until the next.
    func find(in frame: InputFrame, _ request: any MaskRequest, separates: Bool) throws(VisionError) {
        source = nil
        let masks = try request.find(in: frame)
        try all.fill(masks.layout) { view throws(VisionError) in try masks.writeMask(into: view) }
        source = masks
        instances = separates ? masks.instances.map { Person(id: $0.id, label: $0.label) } : nil
        isMatte = masks.qualityLevel == .balanced || masks.qualityLevel == .accurate
    }

    func withMask<Result>(_ body: (MaskView) -> Result) -> Result? {
        source == nil ? nil : all.mask.map { body($0.view) }
    }

    func withMask<Result>(of person: Person, _ body: (MaskView) -> Result) -> Result? {
        guard let source else { return nil }
        do throws(VisionError) {
            try one.fill(source.layout) { view throws(VisionError) in
                try source.writeMask(of: person.label, into: view)
            }
        } catch { return nil }
        return one.mask.map { body($0.view) }
    }

    func label(at point: Point) -> Int? {
        guard let source else { return nil }
        do throws(VisionError) {
            try labels.fill(source.layout.labels) { view throws(VisionError) in
                try source.writeLabels(into: view)
            }
        } catch { return nil }
        return labels.mask.flatMap { $0.view.value(at: point) }
    }

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
