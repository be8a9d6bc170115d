import Glibc

/// A conversion between a setting as it is stored and the value of its property, in another unit or type.
public struct PropertyConversion<Stored, Shown> {
    let show: (Stored) -> Shown
    let store: (Shown) -> Stored

    /// Makes a conversion of two functions, each the other's inverse.
    public init(show: @escaping (Stored) -> Shown, store: @escaping (Shown) -> Stored) {
        (self.show, self.store) = (show, store)
    }
}

extension PropertyConversion where Stored == Int, Shown == Int32 {
    /// An integer.
    public static var count: Self { Self(show: { Int32(clamping: $0) }, store: { Int($0) }) }
}

extension PropertyConversion where Stored == Duration?, Shown == Int32 {
    /// A time, shown in milliseconds; nil is shown as 0.
    public static var milliseconds: Self {
        Self(
            show: { Int32(exactly: (($0 ?? .zero) / .milliseconds(1)).rounded()) ?? 0 },
            store: { $0 > 0 ? .milliseconds($0) : nil })
    }
}

extension PropertyConversion where Stored == Double?, Shown == Double {
    /// Radians, shown in degrees; nil is shown as 0.
    public static var degrees: Self {
        Self(show: { shown(($0 ?? 0) * 180 / .pi) }, store: { $0 > 0 ? $0 * .pi / 180 : nil })
    }
}

extension PropertyConversion where Stored == Float, Shown == Double {
    /// A number in single precision.
    public static var single: Self { Self(show: { shown(Double($0)) }, store: { Float($0) }) }

    /// A share in single precision, shown in percent.
    public static var percent: Self { Self(show: { shown(Double($0) * 100) }, store: { Float($0 / 100) }) }
}

/// Returns a value without the rounding error of its storage: single precision has seven significant digits.
private func shown(_ value: Double) -> Double {
    guard value.isFinite, value != 0 else { return value }
    let scale = pow(10, 6 - log10(abs(value)).rounded(.down))
    return (value * scale).rounded() / scale
}
