import CKernels
import TestSupport
import Testing

@Suite struct MotionTests {
    @Test func blocksAreComparedWithAllAroundThem() {
        var generator = SeededGenerator(seed: 21)
        let (pitch, reach, side) = (20, 3, Int(kernel_block_side))
        let block: [UInt8] = generator.integers(20 * 20, 0...255)
        let other: [UInt8] = generator.integers(20 * 20, 0...255)
        let corner = 5 * pitch + 6
        var found = [UInt16](repeating: 0, count: (2 * reach + 1) * (2 * reach + 1))
        block.withUnsafeBufferPointer { block in
            other.withUnsafeBufferPointer { other in
                guard let block = block.baseAddress, let other = other.baseAddress else { return }
                kernel_match_block(block + corner, other + corner, pitch, reach, &found)
            }
        }
        var expected: [UInt16] = []
        for y in -reach...reach {
            for x in -reach...reach {
                let places = (0..<side * side).map { corner + $0 / side * pitch + $0 % side }
                let sum = places.reduce(0) { $0 + abs(Int(block[$1]) - Int(other[$1 + y * pitch + x])) }
                expected.append(UInt16(sum))
            }
        }
        #expect(found == expected)
    }

    @Test(arguments: [false, true]) func pixelsCountByTheirWeights(isLarge: Bool) {
        var generator = SeededGenerator(seed: 23)
        let (pitch, reach) = (28, 3)
        let side = Int(isLarge ? kernel_large_block_side : kernel_block_side)
        let block: [UInt8] = generator.integers(pitch * pitch, 0...255)
        let other: [UInt8] = generator.integers(pitch * pitch, 0...255)
        let weights: [UInt8] = generator.integers(pitch * pitch, 1...255)
        let corner = 5 * pitch + 6
        var found = [UInt16](repeating: 0, count: (2 * reach + 1) * (2 * reach + 1))
        block.withUnsafeBufferPointer { block in
            other.withUnsafeBufferPointer { other in
                weights.withUnsafeBufferPointer { weights in
                    guard let block = block.baseAddress, let other = other.baseAddress,
                        let weights = weights.baseAddress
                    else { return }
                    kernel_match_weighted_block(
                        block + corner, other + corner, weights + corner, pitch, isLarge ? 1 : 0, reach,
                        &found)
                }
            }
        }
        var index = 0
        for y in -reach...reach {
            for x in -reach...reach {
                let places = (0..<side * side).map { corner + $0 / side * pitch + $0 % side }
                let total = places.reduce(0) { $0 + Int(weights[$1 + y * pitch + x]) }
                let sum = places.reduce(0) {
                    let there = $1 + y * pitch + x
                    return $0 + Int(weights[there]) * abs(Int(block[$1]) - Int(other[there]))
                }
                let mean = Double(sum) / Double(total) * Double(kernel_block_side * kernel_block_side)
                #expect(abs(Double(found[index]) - mean) <= 1)
                index += 1
            }
        }
    }

    @Test(arguments: rowLengths)
    func rowsAreWarpedLinearly(width: Int) {
        var generator = SeededGenerator(seed: 22)
        let height = 7
        let values = generator.floats(width * height, 0...1)
        let (across, down) = (generator.floats(width, -9...9), generator.floats(width, -9...9))
        for row in 0..<height {
            var warped = [Float](repeating: 9, count: width)
            kernel_warp_row(values, width, height, row, across, down, 0.5, 0.25, &warped)
            let exact = (0..<width).map { (i: Int) -> Double in
                let x = min(max(Double(i) + Double(across[i]) * 0.5, 0), Double(width - 1))
                let y = min(max(Double(row) + Double(down[i]) * 0.25, 0), Double(height - 1))
                let (left, top) = (Int(x), Int(y))
                let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
                let value = { (x: Int, y: Int) in Double(values[y * width + x]) }
                let (a, b) = (x - Double(left), y - Double(top))
                let upper = value(left, top) * (1 - a) + value(right, top) * a
                return upper * (1 - b) + (value(left, bottom) * (1 - a) + value(right, bottom) * a) * b
            }
            #expect(worst(warped, exact) < 1e-4)
        }
    }
}
