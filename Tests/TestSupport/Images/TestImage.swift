public import Imaging

/// An image that owns its memory, with padded rows and canary bytes around every row.
public final class TestImage {
    /// The image; valid as long as this object lives.
    public let view: ImageView
    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int
    /// For each byte, whether it may be written.
    private var isSample: [Bool]
    private static let canary: UInt8 = 0xA5

    /// A black-or-grey image: all sample bytes are 0.
    ///
    /// - Parameter padding: bytes behind each row that nobody may touch.
    public init(
        _ format: PixelFormat, _ width: Int, _ height: Int, colorimetry: Colorimetry = Colorimetry(),
        padding: Int = 7
    ) {
        let layout = format.layout
        let (guardBytes, planes) = (32, 0..<layout.planeCount)
        let strides = (0..<3).map {
            layout.rowBytes(plane: min($0, planes.count - 1), width: width) + padding
        }
        let heights = (0..<3).map { layout.rows(plane: min($0, planes.count - 1), height: height) }
        var offsets = [guardBytes]
        for plane in 0..<3 { offsets.append(offsets[plane] + strides[plane] * heights[plane] + guardBytes) }
        byteCount = offsets[3]
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        self.memory = memory
        memory.initializeMemory(as: UInt8.self, repeating: Self.canary, count: byteCount)
        isSample = [Bool](repeating: false, count: byteCount)
        for plane in planes {
            for row in 0..<heights[plane] {
                for byte in 0..<layout.rowBytes(plane: plane, width: width) {
                    let offset = offsets[plane] + row * strides[plane] + byte
                    isSample[offset] = true
                    memory.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
                }
            }
        }
        let all = (0..<3).map { Plane(base: memory + offsets[$0], stride: strides[$0]) }
        let counts = (0..<3).map { strides[$0] * heights[$0] }
        guard
            let view = ImageView(
                format: format, width: width, height: height, colorimetry: colorimetry,
                planes: (all[0], all[1], all[2]), byteCounts: (counts[0], counts[1], counts[2]))
        else { fatalError("a test image of \(format) \(width)x\(height) is not valid") }
        self.view = view
    }

    deinit { memory.deallocate() }

    /// True while every byte outside the samples is as it was made.
    public var canariesAreIntact: Bool {
        (0..<byteCount).allSatisfy {
            isSample[$0] || memory.load(fromByteOffset: $0, as: UInt8.self) == Self.canary
        }
    }

    /// All sample bytes in memory order.
    public var bytes: [UInt8] {
        (0..<byteCount).filter { isSample[$0] }.map { memory.load(fromByteOffset: $0, as: UInt8.self) }
    }

    /// Gives every sample byte a random value.
    public func fillRandomly(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for offset in 0..<byteCount where isSample[offset] {
            memory.storeBytes(
                of: UInt8.random(in: 0...255, using: &generator), toByteOffset: offset, as: UInt8.self)
        }
    }

    /// Paints the picture; a shared chroma sample takes the colour of its first pixel.
    public func paint(_ color: (_ x: Int, _ y: Int) -> RGBColor) {
        let layout = view.format.layout
        for index in 0..<layout.colorCount {
            let part = layout.component(index)
            for y in 0..<part.sampleHeight(view.height) {
                for x in 0..<part.sampleWidth(view.width) {
                    let parts = color(x << part.widthShift, y << part.heightShift)
                        .components(of: view.format, colorimetry: view.colorimetry)
                    self[index, x, y] = [parts.0, parts.1, parts.2][index]
                }
            }
        }
    }

    /// Sample (`x`, `y`) of colour component `component`, in samples of that component.
    public subscript(component: Int, x: Int, y: Int) -> UInt8 {
        get { sample(component, x, y).pointee }
        set { sample(component, x, y).pointee = newValue }
    }

    private func sample(_ component: Int, _ x: Int, _ y: Int) -> UnsafeMutablePointer<UInt8> {
        let part = view.format.layout.component(component)
        return view.plane(part.plane).row(y) + part.offset + x * part.pixelStride
    }
}
