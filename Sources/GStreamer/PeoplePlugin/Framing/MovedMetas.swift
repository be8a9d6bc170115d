import GStreamerKit
import Imaging
import PeopleSettings
import PeopleVision

/// Moves metadata about a frame into a frame that shows a part of it.
///
/// Metadata that does not belong to the frame's image, or cannot be moved, is left out: a frame without a mask is covered.
final class MovedMetas {
    private let cutter = MaskCrop()
    private var pools = MaskPools()
    private let slot = BufferSlot()

    /// Attaches the metadata of `frame` to `output`.
    ///
    /// - Parameters:
    ///   - part: the rectangle of `frame`, normalised, that `output` shows.
    ///   - orientation: the orientation of the stream's frames.
    func move(
        from frame: borrowing VideoFrame, to output: borrowing VideoFrame, part: Rectangle,
        _ orientation: ImageOrientation
    ) {
        guard let map = FrameTransform.crop(part).inverse else { return }
        let (source, target, isCropped) = (frame.info, output.info, frame.isCropped)
        for (kind, list) in findingsLists {
            output.attachCopies(of: kind, from: frame) { fields, editor in
                guard fields.isOfImage(source, isCropped, orientation) else { return false }
                editor.setImage(target, orientation)
                fields.edit(list) { $1.move(by: map) }
                fields.keep(list) { $0.box?.isSeen ?? false }
                return true
            }
        }
        output.attachCopies(of: PeopleMaskMeta.kind, from: frame) { fields, editor in
            guard fields.isOfImage(source, isCropped, orientation) else { return false }
            return moveMasks(fields, editor, part, map, target, orientation)
        }
        output.attachRegions(of: frame, movedBy: map)
        slot.clear()
    }

    private func moveMasks(
        _ fields: StructureReader, _ editor: StructureWriter, _ part: Rectangle, _ map: FrameTransform,
        _ target: VideoInfo, _ orientation: ImageOrientation
    ) -> Bool {
        editor.setImage(target, orientation)
        let isWhole = part == .unit
        guard let mask = PeopleMaskMeta.Reader(fields) else { return false }
        var isMoved = true
        if !isWhole {
            // Larger ones would hold nothing more.
            let width = min(mask.layout.width, target.width)
            let height = min(max(1, Int(Double(width) / target.displayAspectRatio)), target.height)
            let layout = MaskLayout(width: width, height: height, format: mask.layout.format)
            isMoved = cut(mask, layout, part, fields, editor)
            editor.set("width", layout.width)
            editor.set("height", layout.height)
            editor.set("stride", layout.width * layout.format.bytesPerValue)
        }
        fields.edit("instances") { $1.moveBox(by: map) }
        return isMoved
    }

    /// Replaces all masks by those of the part; false if one cannot be read.
    private func cut(
        _ mask: PeopleMaskMeta.Reader, _ layout: MaskLayout, _ part: Rectangle, _ fields: StructureReader,
        _ editor: StructureWriter
    ) -> Bool {
        guard
            keep(layout, { target in mask.withMask { self.cutter.cut(part, of: $0, into: target) } ?? false })
        else {
            return false
        }
        slot.write(to: editor, as: "mask")
        guard fields.has("labels") else { return true }
        let labels = layout.labels
        let hasLabels = keep(labels) { target in
            PeopleMaskMeta.withLabels(of: fields) { map in
                map.map { self.cutter.cut(labels: part, of: $0, into: target) } ?? false
            }
        }
        guard hasLabels else { return false }
        slot.write(to: editor, as: "labels")
        editor.set("labels-stride", labels.width)
        var isCut = true
        fields.edit("instances") { instance, editor in
            let done = keep(layout) { target in
                mask.withMask(ofFields: instance) { self.cutter.cut(part, of: $0, into: target) } ?? false
            }
            if done { slot.write(to: editor, as: "mask") } else { isCut = false }
        }
        return isCut
    }

    /// Stores a new mask in `slot`; false if there is no memory, or `write` cannot fill it.
    private func keep(_ layout: MaskLayout, _ write: (MutableMaskView) -> Bool) -> Bool {
        var isWritten = false
        do throws(ElementError) {
            try pools.keep(layout, in: slot) { target throws(VisionError) in isWritten = write(target) }
        } catch { return false }
        return isWritten
    }
}

extension Rectangle {
    /// Whether the rectangle and the unit square have a part in common.
    fileprivate var isSeen: Bool { x < 1 && y < 1 && x + width > 0 && y + height > 0 }
}

extension StructureWriter {
    /// Writes the size, shape and orientation of the image that metadata belongs to.
    fileprivate func setImage(_ info: VideoInfo, _ orientation: ImageOrientation) {
        set("frame-width", info.width)
        set("frame-height", info.height)
        set("pixel-aspect-ratio", fraction: info.pixelAspectRatio)
        set("orientation", orientation.rawValue)
    }

    /// Moves the places of a face, body or hand.
    fileprivate func move(by map: FrameTransform) {
        moveBox(by: map)
        movePoints(of: "joints", by: map)
        movePoints(of: "landmarks", by: map)
        // Depths are shares of the frame's width.
        movePoints(ofArray: "mesh", by: map, depth: abs(map.xx))
    }
}
