/// What a byte of a plane's row belongs to.
enum ByteOwner: Equatable {
    /// Sample `sample` of colour component `component`.
    case color(component: Int, sample: Int)
    /// Alpha or padding of pixel `pixel`.
    case other(pixel: Int)
}

extension PixelLayout {
    /// The owner of byte `byte` of a row of `plane`.
    func owner(ofByte byte: Int, plane: Int) -> ByteOwner {
        for index in 0..<colorCount {
            let part = component(index)
            let distance = byte - part.offset
            if part.plane == plane, distance >= 0, distance % part.pixelStride == 0 {
                return .color(component: index, sample: distance / part.pixelStride)
            }
        }
        return .other(pixel: byte / components.0.pixelStride)
    }
}
