import Imaging
import TestSupport
import Testing

/// Cuts between scenes.
struct SceneChangeTests {
    private func picture(_ format: PixelFormat, offset: Int, scene: Int) -> TestImage {
        let image = TestImage(format, 192, 108)
        image.paint { x, y in
            let value =
                scene == 0
                ? ((x + offset) / 24 + y / 24) * 20 % 200 : 220 - ((x + offset) / 16 * 31 + y / 16 * 47) % 180
            return RGBColor(red: UInt8(value), green: UInt8(value), blue: UInt8(value))
        }
        return image
    }

    @Test(arguments: [PixelFormat.i420, .nv12, .yuy2, .rgb, .bgra, .gray8, .p010])
    func cutsAreFoundAndMotionIsNot(_ format: PixelFormat) {
        var change = SceneChange()
        var cuts: [Int] = []
        for frame in 0..<40 where change.isCut(picture(format, offset: frame % 20, scene: frame / 20).view) {
            cuts.append(frame)
        }
        #expect(cuts == [20])
        change.reset()
        let isCut = change.isCut(picture(format, offset: 0, scene: 0).view)
        #expect(!isCut)
    }
}
