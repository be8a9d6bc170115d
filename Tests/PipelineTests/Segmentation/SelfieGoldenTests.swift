import Foundation
import TestSupport
import Testing

/// Masks of `quality=fast`, compared with MediaPipe's masks of the same image.
///
/// Tests/Goldens/selfie/make_goldens.py made the numbers and explains the fields.
struct SelfieGoldenTests {
    struct Golden: Codable, Sendable {
        let name, mask, model: String
        /// x, y, width, height of the frame in the portrait.
        let crop: [Int]
        let first, step: Int
        let tolerance: Float
    }

    private static let folder = Checkout.root.appendingPathComponent("Tests/Goldens/selfie")

    @Test func equalsMediaPipe() throws {
        let list = try Data(contentsOf: Self.folder.appendingPathComponent("goldens.json"))
        let goldens = try JSONDecoder().decode([Golden].self, from: list)
        #expect(goldens.count >= 4)
        for golden in goldens { try compare(golden) }
    }

    private func compare(_ golden: Golden) throws {
        let frame = try crop(golden.crop)
        let mask = try mask(of: frame)
        let expected = try GrayImage(contentsOf: Self.folder.appendingPathComponent(golden.mask))
        let isLandscape = golden.model.hasSuffix("landscape")
        #expect(mask.int("height") == (isLandscape ? 144 : 256), "\(golden.name): the model is another")
        let values = mask.values
        let found = (0..<expected.height).flatMap { row in
            (0..<expected.width).map { column in
                let (x, y) = (golden.first + golden.step * column, golden.first + golden.step * row)
                let position = ((Float(x) + 0.5) / Float(frame.width), (Float(y) + 0.5) / Float(frame.height))
                return mask.interpolate(values, position)
            }
        }
        let difference = meanDifference(expected.values, found)
        #expect(difference <= golden.tolerance, "\(golden.name)")
        #expect(expected.values.contains { $0 > 0.9 } && expected.values.contains { $0 < 0.1 })
    }

    private func crop(_ crop: [Int]) throws -> Frame {
        let picture = try astronaut(512, 512)
        let frame = try Frame("video/x-raw,format=RGB,width=\(crop[2]),height=\(crop[3])")
        for index in 0..<3 {
            let samples = picture.samples(index)
            frame.fill(index) { samples[$1 + crop[1]][$0 + crop[0]] }
        }
        return frame
    }
}

extension MaskMeta {
    /// Returns the mask's `values` at a normalised position of the frame, interpolated linearly.
    fileprivate func interpolate(_ values: [Float], _ position: (x: Float, y: Float)) -> Float {
        let (width, height) = (int("width") ?? 1, int("height") ?? 1)
        let column = min(max(position.x * Float(width) - 0.5, 0), Float(width - 1))
        let row = min(max(position.y * Float(height) - 0.5, 0), Float(height - 1))
        let (left, top) = (Int(column), Int(row))
        let (right, bottom) = (min(left + 1, width - 1), min(top + 1, height - 1))
        let (across, down) = (column - Float(left), row - Float(top))
        let upper = values[top * width + left] * (1 - across) + values[top * width + right] * across
        let lower = values[bottom * width + left] * (1 - across) + values[bottom * width + right] * across
        return upper * (1 - down) + lower * down
    }
}
