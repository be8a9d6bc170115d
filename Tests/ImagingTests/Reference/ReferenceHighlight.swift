import Foundation
import Imaging
import TestSupport

/// The definitions of exposure and desaturation, in doubles.
struct ReferenceHighlight {
    let highlight: Highlight
    let image: TestImage

    private var color: ReferenceColor {
        ReferenceColor(format: image.view.format, colorimetry: image.view.colorimetry)
    }

    private var gain: Double { pow(2, highlight.exposure / 2.4) }
    private var share: Double { 1 - highlight.desaturation }

    /// Returns the new value of a sample.
    func value(at place: SamplePlace) -> Double {
        guard let part = place.part, part < 3 else { return image[place] }
        switch image.view.format.layout.model {
        case .gray: return tone(image[place])
        case .yuv:
            let neutral = color.components(.black)[1]
            return part == 0
                ? tone(image[place]) : inside(neutral + (image[place] - neutral) * gain * share)
        case .rgb:
            let step = image.view.format.layout.component(0)
            let x = place.index * image.view.format.layout.bytesPerSample / step.pixelStride
            let rgb = (0..<3).map { Double(image[$0, x, place.row]) }
            let luma = weights.0 * rgb[0] + weights.1 * rgb[1] + weights.2 * rgb[2]
            return tone(luma + (rgb[part] - luma) * share)
        }
    }

    private var weights: (Double, Double, Double) {
        switch image.view.colorimetry.matrix {
        case .bt601: (0.299, 0.587, 0.114)
        case .bt709: (0.2126, 0.7152, 0.0722)
        case .bt2020: (0.2627, 0.678, 0.0593)
        }
    }

    private func tone(_ code: Double) -> Double {
        let (black, white) = (color.components(.black)[0], color.components(.white)[0])
        let value = (code - black) / (white - black)
        return inside(black + (white - black) * min(value * gain, max(value, 1)))
    }

    private func inside(_ code: Double) -> Double { min(max(code, 0), image.maximum) }
}
