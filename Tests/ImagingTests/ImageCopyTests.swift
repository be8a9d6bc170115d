import Imaging
import TestSupport
import Testing

@Suite struct ImageCopyTests {
    /// Returns the bytes of all rows, plane by plane.
    private func bytes(_ view: ImageView) -> [[UInt8]] {
        let layout = view.format.layout
        return (0..<layout.planeCount).map { plane in
            (0..<layout.rows(plane: plane, height: view.height)).flatMap { y in
                UnsafeBufferPointer(
                    start: view.plane(plane).row(y), count: layout.rowBytes(plane: plane, width: view.width))
            }
        }
    }

    @Test(arguments: PixelFormat.allCases)
    func copiesImagesOfEachFormat(format: PixelFormat) throws {
        let copy = ImageCopy()
        for size in testSizes {
            let image = TestImage.random(format, size)
            let expected = bytes(image.view)
            copy.take(image.view)
            // The copy has its own memory.
            image.mutableView.flipHorizontally()
            let view = try #require(copy.view)
            #expect(view.format == format && view.width == size.0 && view.height == size.1)
            #expect(view.colorimetry == image.view.colorimetry)
            #expect(bytes(view) == expected, "\(size)")
        }
    }
}
