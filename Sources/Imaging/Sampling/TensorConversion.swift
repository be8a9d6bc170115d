/// From component sums (black already subtracted) to a tensor's RGB values.
struct TensorConversion {
    /// Where results go, in values of the tensor.
    struct Target {
        /// From one vector's first lane to the next's.
        let vectorStride: Int
        /// From lane to lane.
        let laneStride: Int
        /// From R to G and from G to B.
        let channelStride: Int
    }

    /// The components of black.
    let black: SIMD3<Float>
    private let columns: (SIMD3<Float>, SIMD3<Float>, SIMD3<Float>)
    private let low: Float
    private let limits: (Float, Float)

    init(_ image: ImageView, input: TensorInput) {
        let matrix = ColorMatrix(image.format.layout.model, image.colorimetry)
        let scale = (input.high - input.low) / 255
        black = matrix.black
        columns = (matrix.columns.0 * scale, matrix.columns.1 * scale, matrix.columns.2 * scale)
        low = input.low
        limits = (min(input.low, input.high), max(input.low, input.high))
    }

    /// Converts `count` vectors of each component.
    ///
    /// - Parameters:
    ///   - spacing: vectors from one component to the next.
    ///   - lanes: how many lanes of each vector are stored.
    func convert(
        _ sums: UnsafePointer<SIMD4<Float>>, count: Int, spacing: Int, lanes: Int,
        into tensor: UnsafeMutablePointer<Float>, _ target: Target
    ) {
        let (second, third) = (sums + spacing, sums + 2 &* spacing)
        var pixel = tensor
        for i in 0..<count {
            let (a, b, c) = (sums[i], second[i], third[i])
            store(channel(0, a, b, c), lanes: lanes, at: pixel, target.laneStride)
            store(channel(1, a, b, c), lanes: lanes, at: pixel + target.channelStride, target.laneStride)
            store(channel(2, a, b, c), lanes: lanes, at: pixel + 2 &* target.channelStride, target.laneStride)
            pixel += target.vectorStride
        }
    }

    @inline(__always)
    private func channel(
        _ index: Int, _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>
    ) -> SIMD4<Float> {
        let value = a * columns.0[index] + b * columns.1[index] + c * columns.2[index] + low
        return value.clamped(
            lowerBound: SIMD4(repeating: limits.0), upperBound: SIMD4(repeating: limits.1))
    }

    @inline(__always)
    private func store(
        _ value: SIMD4<Float>, lanes: Int, at pixel: UnsafeMutablePointer<Float>, _ laneStride: Int
    ) {
        if lanes == 4 {
            pixel[0] = value[0]
            pixel[laneStride] = value[1]
            pixel[2 &* laneStride] = value[2]
            pixel[3 &* laneStride] = value[3]
        } else {
            for lane in 0..<lanes { pixel[lane &* laneStride] = value[lane] }
        }
    }
}
