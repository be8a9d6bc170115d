import CKernels

/// Converts component sums (black already subtracted) to a tensor's RGB values.
struct TensorConversion {
    /// The places of the results, in values of the tensor.
    struct Target {
        /// Distance from one vector's first lane to the next vector's.
        let vectorStride: Int
        /// Distance from lane to lane.
        let laneStride: Int
        /// Distance from R to G and from G to B.
        let channelStride: Int
    }

    /// The components of black.
    let black: SIMD3<Float>
    private let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    private let low: Float
    private let limits: (low: Float, high: Float)

    init(_ image: ImageView, input: TensorInput) {
        let matrix = ColorMatrix(image.format.layout, image.colorimetry)
        let scale = (input.high - input.low) / 255
        black = matrix.black
        columns = (matrix.columns.0 * scale, matrix.columns.1 * scale, matrix.columns.2 * scale)
        low = input.low
        limits = (min(input.low, input.high), max(input.low, input.high))
    }

    /// Converts `count` vectors of each component in place and stores them.
    ///
    /// - Parameters:
    ///   - spacing: number of vectors from one component to the next.
    ///   - lanes: number of lanes of each vector that are stored.
    func convert(
        _ sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int, spacing: Int, lanes: Int,
        into tensor: UnsafeMutablePointer<Float>, _ target: Target
    ) {
        sums.withMemoryRebound(to: Float.self, capacity: 4 * (2 * spacing + count)) { first in
            let (second, third) = (first + 4 * spacing, first + 8 * spacing)
            multiply(first, second, third, count: 4 * count)
            for lane in 0..<lanes {
                store(
                    first + lane, second + lane, third + lane, count: count,
                    at: tensor + lane * target.laneStride, target)
            }
        }
    }

    /// Converts and stores a row: `count` values of the first component, then those of the second and the third.
    func convertRow(
        _ sums: UnsafePointer<Float>, count: Int, into tensor: UnsafeMutablePointer<Float>, pixelStride: Int,
        channelStride: Int
    ) {
        let (a, b, c) = columns
        withUnsafeTemporaryAllocation(of: Float.self, capacity: 9) { matrix in
            for channel in 0..<3 {
                (matrix[channel], matrix[3 + channel], matrix[6 + channel]) = (
                    a[channel], b[channel], c[channel]
                )
            }
            guard let matrix = matrix.baseAddress else { return }
            kernel_convert_row(
                sums, sums + count, sums + 2 * count, matrix, low, limits.low, limits.high, tensor,
                pixelStride,
                channelStride, count)
        }
    }

    /// Multiplies by the matrix in scalar code, which the compiler vectorizes; in vector code the limits
    /// became branches.
    private func multiply(
        _ first: UnsafeMutablePointer<Float>, _ second: UnsafeMutablePointer<Float>,
        _ third: UnsafeMutablePointer<Float>, count: Int
    ) {
        let (a, b, c) = columns
        let (low, limits) = (low, limits)
        for i in 0..<count {
            let (x, y, z) = (first[i], second[i], third[i])
            first[i] = limited(x * a.x + y * b.x + z * c.x + low, limits)
            second[i] = limited(x * a.y + y * b.y + z * c.y + low, limits)
            third[i] = limited(x * a.z + y * b.z + z * c.z + low, limits)
        }
    }

    @inline(__always)
    private func limited(_ value: Float, _ limits: (low: Float, high: Float)) -> Float {
        let raised = value < limits.low ? limits.low : value
        return raised > limits.high ? limits.high : raised
    }

    /// Stores one lane: every fourth float.
    private func store(
        _ red: UnsafePointer<Float>, _ green: UnsafePointer<Float>, _ blue: UnsafePointer<Float>, count: Int,
        at tensor: UnsafeMutablePointer<Float>, _ target: Target
    ) {
        let (next, channel) = (target.vectorStride, target.channelStride)
        var pixel = tensor
        for i in 0..<count {
            pixel[0] = red[4 &* i]
            pixel[channel] = green[4 &* i]
            pixel[2 &* channel] = blue[4 &* i]
            pixel += next
        }
    }
}
