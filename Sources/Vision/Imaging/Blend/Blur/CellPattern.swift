/// The samples of a plane's row in one cell of a grid: the component of each, and the weights of the
/// neighbouring cells.
package final class CellPattern {
    /// Number of samples after which components repeat.
    private(set) var period = 1
    private(set) var samplesPerCell = 1
    private let componentBuffer = ScratchBuffer<Int32>()
    private let leftBuffer = ScratchBuffer<Float>()
    private let rightBuffer = ScratchBuffer<Float>()
    private let shareBuffer = ScratchBuffer<Float>()

    /// The component number of alpha and padding.
    static let noComponent = 3

    /// Weights of the left neighbour for each sample of a cell.
    var lefts: UnsafePointer<Float> { UnsafePointer(leftBuffer.base) }
    /// Weights of the right neighbour for each sample of a cell.
    var rights: UnsafePointer<Float> { UnsafePointer(rightBuffer.base) }
    /// The kind of each sample of a cell: 1 for colours, and 0 for alpha and padding.
    var shares: UnsafePointer<Float> { UnsafePointer(shareBuffer.base) }

    /// Returns the component of a sample of a period, or `noComponent`; 0...3.
    func component(_ index: Int) -> Int { Int(componentBuffer.base[index]) }

    /// Computes the pattern.
    ///
    /// - Parameter weights: weights of the left and the right neighbour at a distance from a cell's middle,
    ///   in cells.
    func build(
        _ layout: PixelLayout, plane: Int, cellSide: Int,
        weights: (_ distance: Double) -> (left: Float, right: Float)
    ) {
        (period, samplesPerCell) = (layout.period(plane: plane), cellSide)
        for index in 0..<layout.partCount where layout.part(index).plane == plane {
            samplesPerCell = (cellSide >> layout.part(index).widthShift) * layout.part(index).step
        }
        componentBuffer.reserve(4).update(repeating: Int32(Self.noComponent), count: 4)
        for buffer in [leftBuffer, rightBuffer, shareBuffer] {
            buffer.reserve(samplesPerCell).update(repeating: 0, count: samplesPerCell)
        }
        for index in 0..<samplesPerCell {
            guard case .part(let part, let sample) = layout.owner(ofSample: index, plane: plane),
                part < layout.colorCount
            else { continue }
            if index < period { componentBuffer.base[index] = Int32(truncatingIfNeeded: part) }
            let perCell = cellSide >> layout.part(part).widthShift
            let neighbours = weights((Double(sample) + 0.5) / Double(perCell) - 0.5)
            (leftBuffer.base[index], rightBuffer.base[index]) = (neighbours.left, neighbours.right)
            shareBuffer.base[index] = 1
        }
    }
}
