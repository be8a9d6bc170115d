import Imaging
import TestSupport
import Testing

@Suite struct PixelFormatTests {
    @Test(arguments: PixelFormat.allCases)
    func componentsShareNoByteAndStayInTheRow(format: PixelFormat) {
        let layout = format.layout
        for width in 1...9 {
            for plane in 0..<layout.planeCount {
                var owners = [Int](repeating: 0, count: layout.rowBytes(plane: plane, width: width))
                let parts =
                    (0..<layout.colorCount).map { layout.component($0) } + (layout.alpha.map { [$0] } ?? [])
                for part in parts where part.plane == plane {
                    for sample in 0..<part.sampleWidth(width) {
                        let first = part.offset + sample * part.pixelStride
                        for byte in first..<(first + layout.bytesPerSample) { owners[byte] += 1 }
                    }
                }
                #expect(owners.allSatisfy { $0 <= 1 })
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func everyPlaneHasRows(format: PixelFormat) {
        let layout = format.layout
        let isHalf = layout.component(1).heightShift == 1
        for plane in 0..<layout.planeCount {
            let isChroma = plane == 1 || plane == 2
            #expect(layout.rows(plane: plane, height: 1) == 1)
            #expect(layout.rows(plane: plane, height: 5) == (isChroma && isHalf ? 3 : 5))
        }
    }

    @Test func rowsHaveTheirNumberOfBytes() {
        #expect(PixelFormat.i420.layout.rowBytes(plane: 1, width: 5) == 3)
        #expect(PixelFormat.nv12.layout.rowBytes(plane: 1, width: 5) == 6)
        #expect(PixelFormat.yuy2.layout.rowBytes(plane: 0, width: 5) == 12)
        #expect(PixelFormat.bgr.layout.rowBytes(plane: 0, width: 5) == 15)
        #expect(PixelFormat.y41b.layout.rowBytes(plane: 2, width: 5) == 2)
        #expect(PixelFormat.p010.layout.rowBytes(plane: 1, width: 5) == 12)
        #expect(PixelFormat.rgba64.layout.rowBytes(plane: 0, width: 5) == 40)
        #expect(PixelFormat.argb.layout.alpha?.offset == 0)
        #expect(PixelFormat.bgra64.layout.component(0).offset == 4)
        #expect(PixelFormat.a420.layout.alpha?.plane == 3)
        #expect(PixelFormat.yv12.layout.component(1).plane == 2)
    }
}

@Suite struct ImageViewTests {
    private func isAccepted(
        _ format: PixelFormat, _ width: Int, _ height: Int, strides: (Int, Int, Int, Int),
        bytes: (Int, Int, Int, Int), offset: Int = 0
    ) -> Bool {
        let memory = UnsafeMutableRawPointer.allocate(byteCount: 4096, alignment: 16)
        defer { memory.deallocate() }
        let base = memory + offset
        let planes = (
            Plane(base: base, stride: strides.0), Plane(base: base, stride: strides.1),
            Plane(base: base, stride: strides.2), Plane(base: base, stride: strides.3)
        )
        return ImageView(format: format, width: width, height: height, planes: planes, byteCounts: bytes)
            != nil
    }

    @Test func acceptsExactlyEnoughMemory() {
        let strides = (8, 4, 4, 8)
        #expect(isAccepted(.i420, 5, 3, strides: strides, bytes: (21, 7, 7, 0)))
        #expect(!isAccepted(.i420, 5, 3, strides: strides, bytes: (20, 7, 7, 0)))
        #expect(!isAccepted(.i420, 5, 3, strides: strides, bytes: (21, 6, 7, 0)))
        #expect(!isAccepted(.i420, 5, 3, strides: strides, bytes: (21, 7, 6, 0)))
        #expect(isAccepted(.a420, 5, 3, strides: strides, bytes: (21, 7, 7, 21)))
        #expect(!isAccepted(.a420, 5, 3, strides: strides, bytes: (21, 7, 7, 20)))
    }

    @Test func refusesWordsAtOddAddresses() {
        let bytes = (100, 0, 0, 0)
        #expect(isAccepted(.gray16, 5, 3, strides: (10, 0, 0, 0), bytes: bytes))
        #expect(!isAccepted(.gray16, 5, 3, strides: (11, 0, 0, 0), bytes: bytes))
        #expect(!isAccepted(.gray16, 5, 3, strides: (10, 0, 0, 0), bytes: bytes, offset: 1))
        #expect(isAccepted(.gray8, 5, 3, strides: (11, 0, 0, 0), bytes: bytes, offset: 1))
    }

    @Test func refusesImpossibleSizes() {
        let strides = (4096, 4096, 4096, 4096)
        for (width, height) in [(0, 1), (1, 0), (-5, 3), (5, .min), (.max, 1), (32769, 1)] {
            #expect(!isAccepted(.rgb, width, height, strides: strides, bytes: (.max, .max, .max, .max)))
        }
        #expect(!isAccepted(.rgb, 5, 3, strides: (14, 0, 0, 0), bytes: (4096, 0, 0, 0)))
        #expect(!isAccepted(.rgb, 5, 3, strides: (-16, 0, 0, 0), bytes: (4096, 0, 0, 0)))
        #expect(!isAccepted(.rgb, 5, 3, strides: (.max, 0, 0, 0), bytes: (.max, 0, 0, 0)))
        #expect(isAccepted(.rgb, 5, 3, strides: (15, 0, 0, 0), bytes: (45, 0, 0, 0)))
    }
}
