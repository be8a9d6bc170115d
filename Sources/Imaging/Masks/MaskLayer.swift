/// A mask made from a frame's mask; its memory is kept from frame to frame.
final class MaskLayer {
    private var mask: Mask?

    /// The layer, ready to be read; nil before `resize`.
    var view: MaskView? { mask?.view }

    /// Makes the layer as large as `field`; its contents are lost when the size changes.
    ///
    /// - Returns: where to write rows.
    func resize(to field: MaskField) -> MutableMaskView? {
        if mask?.view.width != field.width || mask?.view.height != field.height {
            mask = Mask(format: .f32, width: field.width, height: field.height)
        }
        return mask?.mutableView
    }
}
