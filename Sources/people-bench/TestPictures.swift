import Imaging

/// A picture in its own memory, filled with noise: nothing in it is predictable or constant.
final class NoisePicture {
    let mutableView: MutableImageView
    var view: ImageView { ImageView(mutableView) }
    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int

    init(_ format: PixelFormat, _ size: Size2D) throws {
        let layout = format.layout
        let strides = (0..<4).map {
            ($0 < layout.planeCount ? layout.rowBytes(plane: $0, width: size.width) : 0)
        }
        let counts = (0..<4).map { strides[$0] * layout.rows(plane: $0, height: size.height) }
        byteCount = counts.reduce(0, +)
        memory = .allocate(byteCount: byteCount, alignment: 64)
        // A linear congruential generator (Knuth, MMIX): its upper bits are noise enough.
        var random: UInt64 = 1
        for offset in 0..<byteCount {
            random = random &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            // 16...235.
            memory.storeBytes(of: UInt8(16 + (random >> 40) % 220), toByteOffset: offset, as: UInt8.self)
        }
        let second = memory + counts[0]
        let third = second + counts[1]
        let planes = (
            MutablePlane(base: memory, stride: strides[0]), MutablePlane(base: second, stride: strides[1]),
            MutablePlane(base: third, stride: strides[2]),
            MutablePlane(base: third + counts[2], stride: strides[3])
        )
        guard
            let view = MutableImageView(
                format: format, width: size.width, height: size.height,
                planes: planes, byteCounts: (counts[0], counts[1], counts[2], counts[3]))
        else { throw BenchError("no picture of \(size) \(format.rawValue)") }
        mutableView = view
    }

    deinit { memory.deallocate() }

    /// Copies all samples of a picture of the same format and size: the least that any change of a frame costs.
    func copy(_ other: NoisePicture) {
        memory.copyMemory(from: other.memory, byteCount: min(byteCount, other.byteCount))
    }
}

/// A mask that covers a third of the frame with a soft edge, about as a person in front of a camera does.
func personMask(width: Int, height: Int) throws -> Mask {
    guard let mask = Mask(format: .gray8, width: width, height: height) else {
        throw BenchError("no mask of \(width)x\(height)")
    }
    var row = [Float](repeating: 0, count: width)
    for y in 0..<height {
        for x in 0..<width {
            let (dx, dy) = ((Float(x) / Float(width) - 0.5) / 0.27, (Float(y) / Float(height) - 0.6) / 0.45)
            row[x] = (1 - (dx * dx + dy * dy).squareRoot()) * 12 + 0.5
        }
        mask.mutableView.writeRow(y, from: row)
    }
    return mask
}
