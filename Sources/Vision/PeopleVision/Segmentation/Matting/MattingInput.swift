package import Imaging
import Inference

/// An input size of the matting model.
///
/// MODNet takes any multiple of 32. Each size is compiled by itself, which takes half a second, so crops
/// share a few.
package struct MattingInput: Equatable {
    /// The name of the model's manifest.
    static let modelName = "modnet"

    /// Width in pixels.
    package let width: Int
    /// Height in pixels.
    package let height: Int

    /// Width divided by height of crops: a standing person, one cut off at the hips, a portrait, two people,
    /// more.
    private static let cropAspects = [0.38, 0.54, 0.75, 1.1, 16.0 / 9]
    /// Sides are multiples of `unit` pixels, at least `smallest`.
    private static let unit = 32.0
    private static let smallest = 128

    /// Creates an input of about `pixels` pixels, of an aspect near that of a crop of `size`.
    package init(crop size: Size, pixels: Double) {
        let aspect = size.width / max(size.height, .leastNormalMagnitude)
        let nearest = Self.cropAspects.min { Self.distance($0, aspect) < Self.distance($1, aspect) }
        self.init(aspect: nearest ?? 1, pixels: pixels)
    }

    /// Creates an input of about `pixels` pixels for a whole frame of `size`.
    package init(frame size: Size, pixels: Double) {
        self.init(aspect: size.boundedAspect, pixels: pixels)
    }

    /// Creates an input for a whole frame of `size`, whose shorter side has about `shortSide` pixels.
    package init(frame size: Size, shortSide: Double) {
        let aspect = size.boundedAspect
        self.init(aspect: aspect, pixels: shortSide * shortSide * max(aspect, 1 / aspect))
    }

    /// Creates an input for a whole frame of `size`, whose longer side has about `longSide` pixels.
    package init(frame size: Size, longSide: Double) {
        let aspect = size.boundedAspect
        self.init(aspect: aspect, pixels: longSide * longSide / max(aspect, 1 / aspect))
    }

    /// Returns the nearest size that a model takes whose manifest has this input description.
    func fitted(to input: ModelInfo.Input) -> MattingInput {
        func side(_ wanted: Int, _ own: Int?) -> Int {
            if let own, own > 0 { return own }
            return max(1, (wanted + input.multiple / 2) / input.multiple) * input.multiple
        }
        return MattingInput(width: side(width, input.width), height: side(height, input.height))
    }

    private init(width: Int, height: Int) { (self.width, self.height) = (width, height) }

    private init(aspect: Double, pixels: Double) {
        let high = (pixels / aspect).squareRoot()
        width = Self.side(high * aspect)
        height = Self.side(high)
    }

    /// Returns width divided by height, in units of the frame's sides, of a crop of `frame` that this input
    /// shows undistorted.
    package func aspect(in frame: Size) -> Double {
        Double(width) / Double(height) * frame.height / frame.width
    }

    /// Returns the difference of the input's shape from an `aspect` (width by height); 0 when they are the
    /// same.
    func distance(to aspect: Double) -> Double { Self.distance(Double(width) / Double(height), aspect) }

    private static func distance(_ a: Double, _ b: Double) -> Double { abs(a / b - b / a) }

    private static func side(_ ideal: Double) -> Int { max(smallest, Int((ideal / unit).rounded() * unit)) }
}
