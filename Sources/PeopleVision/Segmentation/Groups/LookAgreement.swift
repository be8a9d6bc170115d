package import Imaging

/// How far several mattes of a frame agree.
///
/// Mattes of a portrait differ by hairs; where MODNet does not understand a picture, each size and crop
/// gives another one.
package final class LookAgreement {
    private let lowest = FloatImage()
    private let highest = FloatImage()
    private let shrink = LinearResizer()

    /// No mattes yet.
    package init() {}

    /// Starts a frame; mattes are compared at `width` x `height`.
    package func begin(width: Int, height: Int) {
        lowest.resize(width: width, height: height)
        highest.resize(width: width, height: height)
        lowest.fill(1)
        highest.fill(0)
    }

    /// Takes note of a matte.
    package func add(_ matte: FloatImage) {
        shrink.begin(matte, width: lowest.width, height: lowest.height)
        for y in 0..<lowest.height {
            let (row, low, high) = (shrink.row(y, of: matte), lowest.row(y), highest.row(y))
            for x in 0..<lowest.width {
                low[x] = min(low[x], row[x])
                high[x] = max(high[x], row[x])
            }
        }
    }

    /// What all mattes hold, as a share of what any of them holds; 1 when none holds anything.
    package var share: Double {
        let (every, any) = (lowest.covered, highest.covered)
        return any == 0 ? 1 : Double(every) / Double(any)
    }
}

extension FloatImage {
    fileprivate var covered: Int {
        var covered = 0
        for i in 0..<count where base[i] > 0.5 { covered += 1 }
        return covered
    }
}
