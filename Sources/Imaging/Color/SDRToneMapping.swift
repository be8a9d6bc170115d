import Glibc

/// What a computer's screen would show of components in PQ or HLG.
///
/// Models were trained on images of standard range, beside which the code values of others are pale. Graphics white
/// (`ReferenceWhite`) becomes white, and so does what is brighter. Primaries stay.
struct SDRToneMapping {
    private static let steps = 1024
    private static let pq = SDRToneMapping { TransferFunction.light(pq: $0) / ReferenceWhite.luminance }
    /// With HLG's system gamma of each component by itself.
    private static let hlg = SDRToneMapping {
        powf(TransferFunction.sceneLight(hlg: $0), ReferenceWhite.hlgGamma) * ReferenceWhite.hlgPeak
            / ReferenceWhite.luminance
    }

    /// R', G' or B' in 0...1 of code values at equal steps, and one more.
    private let values: [Float]

    /// - Parameter light: of a code value in 0...1; 1 is graphics white.
    private init(_ light: (Float) -> Float) {
        values = (0...Self.steps + 1).map {
            TransferFunction.sRGB(light: min(light(Float($0) / Float(Self.steps)), 1))
        }
    }

    /// Nil for standard range, whose components stay.
    static func of(_ transfer: Colorimetry.Transfer) -> SDRToneMapping? {
        switch transfer {
        case .sdr: nil
        case .pq: pq
        case .hlg: hlg
        }
    }

    /// Changes all values of a tensor in place.
    func apply(to tensor: UnsafeMutablePointer<Float>, _ input: TensorInput) {
        let (low, range, last) = (input.low, input.high - input.low, Float(Self.steps))
        values.withUnsafeBufferPointer { values in
            for index in 0..<input.valueCount {
                // These two, unlike min and max, give a number for what is none.
                let place = Float.minimum(Float.maximum((tensor[index] - low) / range * last, 0), last)
                let step = Int(place)
                let value = values[step] + (values[step + 1] - values[step]) * (place - Float(step))
                tensor[index] = low + value * range
            }
        }
    }
}
