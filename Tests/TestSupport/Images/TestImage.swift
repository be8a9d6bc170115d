public import Imaging

/// An image that owns its memory, with padded rows and canary bytes around every row.
public final class TestImage {
    /// The image for writing; valid as long as this object lives.
    public let mutableView: MutableImageView
    /// The image for reading; valid as long as this object lives.
    public var view: ImageView { ImageView(mutableView) }
    private let memory: UnsafeMutableRawPointer
    private let byteCount: Int
    /// Whether each byte may be written.
    private var isSample: [Bool]
    private static let canary: UInt8 = 0xA5
    private static let guardBytes = 32

    /// Makes an image whose sample bytes are all 0: black or grey.
    ///
    /// - Parameter padding: number of samples after each row that must stay unchanged.
    public init(
        _ format: PixelFormat, _ width: Int, _ height: Int, colorimetry: Colorimetry = Colorimetry(),
        padding: Int = 7
    ) {
        let layout = format.layout
        let used = (0..<4).map { min($0, layout.planeCount - 1) }
        let strides = used.map {
            layout.rowBytes(plane: $0, width: width) + padding * layout.bytesPerSample
        }
        let heights = used.map { layout.rows(plane: $0, height: height) }
        var offsets = [Self.guardBytes]
        for plane in 0..<4 {
            offsets.append(offsets[plane] + strides[plane] * heights[plane] + Self.guardBytes)
        }
        byteCount = offsets[4]
        let memory = UnsafeMutableRawPointer.allocate(byteCount: byteCount, alignment: 64)
        self.memory = memory
        memory.initializeMemory(as: UInt8.self, repeating: Self.canary, count: byteCount)
        isSample = [Bool](repeating: false, count: byteCount)
        let all = (0..<4).map { MutablePlane(base: memory + offsets[$0], stride: strides[$0]) }
        let counts = (0..<4).map { strides[$0] * heights[$0] }
        guard
            let view = MutableImageView(
                format: format, width: width, height: height, colorimetry: colorimetry,
                planes: (all[0], all[1], all[2], all[3]),
                byteCounts: (counts[0], counts[1], counts[2], counts[3]))
        else { fatalError("a test image of \(format) \(width)x\(height) is not valid") }
        mutableView = view
        for plane in 0..<layout.planeCount {
            for row in 0..<heights[plane] {
                for byte in 0..<layout.rowBytes(plane: plane, width: width) {
                    let offset = offsets[plane] + row * strides[plane] + byte
                    isSample[offset] = true
                    memory.storeBytes(of: 0, toByteOffset: offset, as: UInt8.self)
                }
            }
        }
    }

    deinit { memory.deallocate() }

    /// Whether every byte outside the samples is unchanged.
    public var canariesAreIntact: Bool {
        (0..<byteCount).allSatisfy {
            isSample[$0] || memory.load(fromByteOffset: $0, as: UInt8.self) == Self.canary
        }
    }

    /// All sample bytes in memory order.
    public var bytes: [UInt8] {
        (0..<byteCount).filter { isSample[$0] }.map { memory.load(fromByteOffset: $0, as: UInt8.self) }
    }

    /// Fills all samples, alpha and padding inside pixels with random values.
    public func fillRandomly(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let layout = view.format.layout
        for plane in 0..<layout.planeCount {
            for row in 0..<layout.rows(plane: plane, height: view.height) {
                for index in 0..<sampleCount(plane: plane) {
                    let value = UInt16.random(in: 0...UInt16(layout.maximum), using: &generator)
                    self[plane: plane, row, index] = value
                }
            }
        }
    }

    /// Paints the image; a shared chroma sample takes the colour of its first pixel.
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
}

// MARK: - Samples, as code values

extension TestImage {
    /// Returns the number of samples in a row of `plane`, padding inside pixels included.
    public func sampleCount(plane: Int) -> Int {
        view.format.layout.rowBytes(plane: plane, width: view.width) / view.format.layout.bytesPerSample
    }

    /// Sample (`x`, `y`) of colour component `component`, in samples of that component; 3 is alpha.
    public subscript(component: Int, x: Int, y: Int) -> UInt16 {
        get { self[plane: part(component).plane, y, place(component, x)] }
        set { self[plane: part(component).plane, y, place(component, x)] = newValue }
    }

    /// Sample `index` of row `row` of `plane`.
    public subscript(plane plane: Int, row: Int, index: Int) -> UInt16 {
        get {
            let bytes = view.plane(plane).row(row) + index * bytesPerSample
            let stored = bytesPerSample == 1 ? UInt16(bytes[0]) : UInt16(bytes[0]) | UInt16(bytes[1]) << 8
            return stored >> UInt16(view.format.layout.shift)
        }
        set {
            let bytes = mutableView.plane(plane).row(row) + index * bytesPerSample
            let stored = newValue << UInt16(view.format.layout.shift)
            bytes[0] = UInt8(stored & 255)
            if bytesPerSample == 2 { bytes[1] = UInt8(stored >> 8) }
        }
    }

    private var bytesPerSample: Int { view.format.layout.bytesPerSample }

    private func part(_ component: Int) -> ComponentLayout {
        let layout = view.format.layout
        return component < 3 ? layout.component(component) : layout.alpha ?? layout.component(0)
    }

    private func place(_ component: Int, _ x: Int) -> Int {
        (part(component).offset + x * part(component).pixelStride) / bytesPerSample
    }
}
