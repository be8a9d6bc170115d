import Glibc

/// Converts components in PQ or HLG to those that a computer's screen would show.
///
/// Models were trained on images of standard range; code values of other ranges look pale in comparison.
/// Graphics white (`ReferenceWhite`) and everything brighter becomes white. Primaries stay.
struct SDRToneMapping {
    private static let steps = 1024
    private static let pq = SDRToneMapping { TransferFunction.light(pq: $0) / ReferenceWhite.luminance }
    /// The mapping with HLG's system gamma, applied to each component by itself.
    private static let hlg = SDRToneMapping {
        powf(TransferFunction.sceneLight(hlg: $0), ReferenceWhite.hlgGamma) * ReferenceWhite.hlgPeak
            / ReferenceWhite.luminance
    }

    /// R', G' or B' in 0...1 for code values at equal steps, and one more value.
    private let values: [Float]

    /// Creates a mapping.
    ///
    /// - Parameter light: returns the light of a code value in 0...1; 1 is graphics white.
    private init(_ light: (Float) -> Float) {
        values = (0...Self.steps + 1).map {
            TransferFunction.sRGB(light: min(light(Float($0) / Float(Self.steps)), 1))
        }
    }

    /// Returns the mapping of a transfer; nil for standard range, whose components stay.
    static func of(_ transfer: Colorimetry.Transfer) -> SDRToneMapping? {
        switch transfer {
        case .sdr: nil
        case .pq: pq
        case .hlg: hlg
        }
    }

    /// Converts all values of a tensor in place.
    func apply(to tensor: UnsafeMutablePointer<Float>, _ input: TensorInput) {
        let (low, range, last) = (input.low, input.high - input.low, Float(Self.steps))
        values.withUnsafeBufferPointer { values in
            for index in 0..<input.valueCount {
                // Unlike `min` and `max`, these two functions return a number for NaN.
                let place = Float.minimum(Float.maximum((tensor[index] - low) / range * last, 0), last)
                let step = Int(place)
                let value = values[step] + (values[step + 1] - values[step]) * (place - Float(step))
                tensor[index] = low + value * range
            }
        }
    }
}
