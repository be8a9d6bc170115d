import Glibc

/// What becomes of a component from 0 (black) to 1 (white) when the light changes by some stops.
struct ToneCurve {
    private let light: Float
    private let transfer: Colorimetry.Transfer
    private let gain: Float

    /// ITU-R BT.1886: how displays turn a component into light.
    private static let gamma: Float = 2.4

    init(stops: Double, _ transfer: Colorimetry.Transfer) {
        light = exp2f(Float(stops.limited(-10, 10)))
        gain = powf(light, 1 / Self.gamma)
        self.transfer = transfer
    }

    /// By how much reference white grows.
    var whiteGain: Float {
        guard transfer != .sdr else { return gain }
        let white = ReferenceWhite.component(in: transfer)
        return value(at: white) / white
    }

    /// By how much components grow as long as they stay below white; nil where that differs from value to value.
    var linearGain: Float? { transfer == .sdr ? gain : nil }

    /// The new value; what was not brighter than white does not become so.
    func value(at value: Float) -> Float {
        guard light != 1 else { return value }
        let changed =
            switch transfer {
            case .sdr: value * gain
            case .pq:
                value > 0 ? TransferFunction.pq(light: TransferFunction.light(pq: value) * light) : value
            case .hlg:
                value > 0
                    ? TransferFunction.hlg(scene: TransferFunction.sceneLight(hlg: value) * light) : value
            }
        return min(changed, max(value, 1))
    }
}
