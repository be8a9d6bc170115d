/// The inner loops of separable resampling.
enum RowKernels {
    /// Computes the weighted sum of the source rows of tensor row `output`.
    static func combine<Sample: PixelSample>(
        _ plane: Plane, _: Sample.Type, samples: Range<Int>, taps: AxisTaps, output: Int,
        into sums: UnsafeMutablePointer<Float>
    ) {
        let weights = taps.weights + output &* taps.tapCount
        let start = Int(taps.starts[output])
        var tap = 0
        while tap < taps.tapCount {
            let isPair = tap &+ 1 < taps.tapCount
            let upper: UnsafePointer<Sample> = plane.samples(start &+ tap) + samples.lowerBound
            let lower = isPair ? plane.samples(start &+ tap &+ 1) + samples.lowerBound : upper
            let (upperWeight, lowerWeight) = (weights[tap], isPair ? weights[tap &+ 1] : 0)
            if tap == 0 {
                setSum(upper, upperWeight, lower, lowerWeight, count: samples.count, into: sums)
            } else if upperWeight != 0 || lowerWeight != 0 {
                addSum(upper, upperWeight, lower, lowerWeight, count: samples.count, into: sums)
            }
            tap &+= 2
        }
    }

    private static func setSum<Sample: PixelSample>(
        _ a: UnsafePointer<Sample>, _ weightA: Float, _ b: UnsafePointer<Sample>, _ weightB: Float,
        count: Int, into sums: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { sums[i] = a[i].float * weightA + b[i].float * weightB }
    }

    private static func addSum<Sample: PixelSample>(
        _ a: UnsafePointer<Sample>, _ weightA: Float, _ b: UnsafePointer<Sample>, _ weightB: Float,
        count: Int, into sums: UnsafeMutablePointer<Float>
    ) {
        for i in 0..<count { sums[i] += a[i].float * weightA + b[i].float * weightB }
    }

    /// Writes column i of four rows to vector i; `count` is in vectors of four columns.
    static func interleave(
        _ row0: UnsafePointer<Float>, _ row1: UnsafePointer<Float>, _ row2: UnsafePointer<Float>,
        _ row3: UnsafePointer<Float>, count: Int, into columns: UnsafeMutablePointer<SIMD4<Float>>
    ) {
        for vector in 0..<count {
            let i = vector &* 4
            let a = UnsafeRawPointer(row0 + i).loadUnaligned(as: SIMD4<Float>.self)
            let b = UnsafeRawPointer(row1 + i).loadUnaligned(as: SIMD4<Float>.self)
            let c = UnsafeRawPointer(row2 + i).loadUnaligned(as: SIMD4<Float>.self)
            let d = UnsafeRawPointer(row3 + i).loadUnaligned(as: SIMD4<Float>.self)
            columns[i] = SIMD4(a[0], b[0], c[0], d[0])
            columns[i &+ 1] = SIMD4(a[1], b[1], c[1], d[1])
            columns[i &+ 2] = SIMD4(a[2], b[2], c[2], d[2])
            columns[i &+ 3] = SIMD4(a[3], b[3], c[3], d[3])
        }
    }

    /// Computes the weighted sums of columns, minus `bias` times the share of the box that lies in the frame.
    static func resample(
        _ columns: UnsafePointer<SIMD4<Float>>, sampleStride: Int, taps: AxisTaps, bias: SIMD4<Float>,
        into sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        let (starts, coverage, tapCount) = (taps.starts, taps.coverage, taps.tapCount)
        var weights = taps.weights
        for i in 0..<count {
            var column = columns + Int(starts[i]) &* sampleStride
            var sum = -bias * coverage[i]
            for tap in 0..<tapCount {
                sum += column.pointee * weights[tap]
                column += sampleStride
            }
            weights += tapCount
            sums[i] = sum
        }
    }
}
