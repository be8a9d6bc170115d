/// The inner loops of separable resampling.
enum RowKernels {
    /// The weighted sum of the rows that tensor row `output` is made of.
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

    /// The same for two rows of bytes, exactly, in 1/`AxisTaps.unit`.
    static func combine(
        _ plane: Plane, samples: Range<Int>, start: Int, weights: UnsafePointer<UInt16>,
        into sums: UnsafeMutablePointer<UInt16>
    ) {
        let upper: UnsafePointer<UInt8> = plane.samples(start) + samples.lowerBound
        let lower: UnsafePointer<UInt8> = plane.samples(start &+ 1) + samples.lowerBound
        let (upperWeight, lowerWeight) = (weights[0], weights[1])
        // A row that counts for nothing is not fetched: that takes the most time.
        if lowerWeight == 0 { return scale(upper, upperWeight, count: samples.count, into: sums) }
        if upperWeight == 0 { return scale(lower, lowerWeight, count: samples.count, into: sums) }
        for i in 0..<samples.count {
            sums[i] = UInt16(upper[i]) &* upperWeight &+ UInt16(lower[i]) &* lowerWeight
        }
    }

    private static func scale(
        _ row: UnsafePointer<UInt8>, _ weight: UInt16, count: Int, into sums: UnsafeMutablePointer<UInt16>
    ) {
        for i in 0..<count { sums[i] = UInt16(row[i]) &* weight }
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

    /// Makes column i of four rows vector i; `count` is in vectors of four columns.
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

    /// The same for whole numbers.
    static func interleave(
        _ row0: UnsafePointer<UInt16>, _ row1: UnsafePointer<UInt16>, _ row2: UnsafePointer<UInt16>,
        _ row3: UnsafePointer<UInt16>, count: Int, into columns: UnsafeMutablePointer<SIMD4<UInt16>>
    ) {
        for i in 0..<(4 &* count) { columns[i] = SIMD4(row0[i], row1[i], row2[i], row3[i]) }
    }

    /// The weighted sums of columns, less `bias` times the share of the box that lies in the frame.
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

    /// The same for columns in 1/`AxisTaps.unit` and two taps.
    static func resample(
        _ columns: UnsafePointer<SIMD4<UInt16>>, sampleStride: Int, taps: AxisTaps, bias: SIMD4<Float>,
        into sums: UnsafeMutablePointer<SIMD4<Float>>, count: Int
    ) {
        let (starts, weights, coverage, share) = (taps.starts, taps.weights, taps.coverage, 1 / AxisTaps.unit)
        for i in 0..<count {
            let column = columns + Int(starts[i]) &* sampleStride
            let first = SIMD4<Float>(column.pointee) * (weights[2 &* i] * share)
            let second = SIMD4<Float>(column[sampleStride]) * (weights[2 &* i &+ 1] * share)
            sums[i] = first + second - bias * coverage[i]
        }
    }
}
