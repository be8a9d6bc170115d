import Imaging
import Testing

/// Distances read from depth maps.
@Suite struct DepthViewTests {
    /// Returns the distance in a map at an odd address, whose rows have 13 bytes more than needed.
    private func distance(_ format: DepthFormat, _ values: [[Double]], at x: Double, _ y: Double) -> Double? {
        let stride = values[0].count * format.bytesPerValue + 13
        var bytes = [UInt8](repeating: 0xA5, count: 1 + stride * values.count)
        for (row, line) in values.enumerated() {
            for (column, value) in line.enumerated() {
                let place = 1 + row * stride + column * format.bytesPerValue
                let stored =
                    switch format {
                    case .millimetres: withUnsafeBytes(of: UInt16(value * 1000).littleEndian) { Array($0) }
                    case .metres: withUnsafeBytes(of: Float(value)) { Array($0) }
                    }
                bytes.replaceSubrange(place..<place + stored.count, with: stored)
            }
        }
        return bytes.withUnsafeBytes { bytes in
            bytes.baseAddress.flatMap {
                DepthView(
                    format: format, width: values[0].count, height: values.count, base: $0 + 1,
                    stride: stride,
                    byteCount: bytes.count - 1)
            }?.distance(at: Point(x: x, y: y))
        }
    }

    private let steps = [
        [1.0, 1.1, 1.2, 5.0], [1.3, 1.4, 1.5, 5.5], [1.6, 1.7, 1.8, 6.0],
    ]

    @Test(arguments: DepthFormat.allCases)
    func isTheMedianAroundThePoint(_ format: DepthFormat) throws {
        for (x, y, expected) in [(0.4, 0.5, 1.4), (0.6, 0.5, 1.7), (0.1, 0.1, 1.2), (0.99, 0.99, 3.65)] {
            let found = try #require(distance(format, steps, at: x, y))
            #expect(abs(found - expected) < 1e-5, "\(x) \(y): \(found)")
        }
    }

    @Test(arguments: [(-0.01, 0.5), (1.0, 0.5), (0.5, 1.0), (.nan, 0.5), (.infinity, 0.5)])
    func isUnknownOutside(_ x: Double, _ y: Double) {
        #expect(distance(.metres, steps, at: x, y) == nil)
    }

    @Test func ignoresUnknownDepths() throws {
        let holes: [[Double]] = [[0.0, 0, 0], [0, 2.5, 0], [0, 0, 0]]
        for format in DepthFormat.allCases {
            #expect(distance(format, holes, at: 0.1, 0.1) == 2.5)
            #expect(distance(format, [[0, 0], [0, 0]], at: 0.1, 0.1) == nil)
        }
        let wrong: [[Double]] = [[-1.0, .nan, .infinity], [2, -.infinity, .nan], [0, 3, 0]]
        #expect(distance(.metres, wrong, at: 0.5, 0.5) == 2.5)
    }

    @Test func refusesSizesBeyondItsMemory() {
        let bytes = [UInt8](repeating: 0, count: 24)
        func view(_ width: Int, _ height: Int, stride: Int, count: Int = 24) -> DepthView? {
            bytes.withUnsafeBytes { bytes in
                bytes.baseAddress.flatMap {
                    DepthView(
                        format: .millimetres, width: width, height: height, base: $0, stride: stride,
                        byteCount: count)
                }
            }
        }
        #expect(view(4, 3, stride: 8) != nil && view(3, 3, stride: 8, count: 22) != nil)
        #expect(view(4, 3, stride: 7) == nil && view(4, 3, stride: 8, count: 23) == nil)
        #expect(view(0, 3, stride: 8) == nil && view(4, -1, stride: 8) == nil)
        #expect(view(1 << 40, 1, stride: 1 << 41) == nil && view(4, 3, stride: .max) == nil)
    }
}
