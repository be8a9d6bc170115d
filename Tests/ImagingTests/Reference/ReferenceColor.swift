import Imaging

/// The conversion between Y'CbCr and R'G'B' in the words of the ITU-R recommendations, in doubles.
struct ReferenceColor {
    let format: PixelFormat
    let colorimetry: Colorimetry

    private var isLimited: Bool { colorimetry.range == .limited }
    /// The largest code value, and the number of code values for one of 8 bits.
    private var maximum: Double { Double(1 << format.layout.depth) - 1 }
    private var unit: Double { Double(1 << (format.layout.depth - 8)) }

    private var weights: (red: Double, blue: Double) {
        switch colorimetry.matrix {
        case .bt601: (0.299, 0.114)
        case .bt709: (0.2126, 0.0722)
        case .bt2020: (0.2627, 0.0593)
        }
    }

    /// Returns R, G, B, limited to 0...255.
    func rgb(_ a: Double, _ b: Double, _ c: Double) -> [Double] {
        let values: [Double]
        switch format.layout.model {
        case .rgb: values = [a, b, c].map { $0 / maximum * 255 }
        case .gray: values = [Double](repeating: luma(a) * 255, count: 3)
        case .yuv:
            let (y, pb, pr) = (luma(a), chroma(b), chroma(c))
            let red = y + 2 * (1 - weights.red) * pr
            let blue = y + 2 * (1 - weights.blue) * pb
            let green = (y - weights.red * red - weights.blue * blue) / (1 - weights.red - weights.blue)
            values = [red * 255, green * 255, blue * 255]
        }
        return values.map { min(max($0, 0), 255) }
    }

    /// Returns the components of a colour, not rounded.
    func components(_ color: RGBColor) -> [Double] {
        let (r, g, b) = (Double(color.red) / 255, Double(color.green) / 255, Double(color.blue) / 255)
        if format.layout.model == .rgb { return [r, g, b].map { $0 * maximum } }
        let y = weights.red * r + (1 - weights.red - weights.blue) * g + weights.blue * b
        let code = isLimited ? (16 + 219 * y) * unit : maximum * y
        if format.layout.model == .gray { return [code, code, code] }
        let swing: Double = isLimited ? 224 * unit : maximum
        return [
            code, 128 * unit + swing * (b - y) / (2 * (1 - weights.blue)),
            128 * unit + swing * (r - y) / (2 * (1 - weights.red)),
        ]
    }

    /// Returns the component's value outside the frame when the border is black.
    func black(_ component: Int) -> Double {
        switch (format.layout.model, component) {
        case (.rgb, _): 0
        case (_, 0): isLimited ? 16 * unit : 0
        default: 128 * unit
        }
    }

    private func luma(_ code: Double) -> Double { isLimited ? (code / unit - 16) / 219 : code / maximum }
    private func chroma(_ code: Double) -> Double {
        isLimited ? (code / unit - 128) / 224 : (code - 128 * unit) / maximum
    }
}
