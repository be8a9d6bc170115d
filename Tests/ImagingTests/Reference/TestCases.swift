import Imaging
import TestSupport

/// Sizes that are tiny, odd, even, and larger than the vectors in use.
let testSizes = [(1, 1), (3, 5), (17, 9), (64, 48)]

/// All matrices, ranges and chroma sites in use.
let testColorimetries: [Colorimetry] = {
    let sites = [
        Colorimetry.ChromaSite.jpeg, .mpeg2, .init(cositedHorizontally: true, cositedVertically: true),
    ]
    var all: [Colorimetry] = []
    for matrix in [Colorimetry.Matrix.bt601, .bt709, .bt2020] {
        for range in [Colorimetry.Range.limited, .full] {
            all += sites.map { Colorimetry(matrix: matrix, range: range, chromaSite: $0) }
        }
    }
    return all
}()

extension TestImage {
    /// Makes an image of random bytes.
    static func random(
        _ format: PixelFormat, _ size: (Int, Int), colorimetry: Colorimetry = Colorimetry(), seed: UInt64 = 1
    ) -> TestImage {
        let image = TestImage(format, size.0, size.1, colorimetry: colorimetry)
        image.fillRandomly(seed: seed)
        return image
    }
}

extension TensorInput {
    /// Returns the index of a value in the tensor, from the definition of the layouts.
    func offset(x: Int, y: Int, channel: Int) -> Int {
        switch layout {
        case .nhwc: (y * width + x) * 3 + channel
        case .nchw: (channel * height + y) * width + x
        }
    }
}

/// Returns the largest error of a sample that was rounded twice: one code value, plus in formats as deep as
/// alpha the error of alpha's own rounding.
func twoRoundings(_ format: PixelFormat) -> Double { format.layout.maximum < 65535 ? 1 : 1.5 }
