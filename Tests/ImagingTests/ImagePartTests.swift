import Imaging
import TestSupport
import Testing

@Suite struct ImagePartTests {
    /// A part for reading is widened to pixels that share no chroma with others, and has their samples.
    @Test(arguments: PixelFormat.allCases)
    func partForReadingHasTheSamplesOfItsPlace(format: PixelFormat) throws {
        let image = TestImage.random(format, (29, 18))
        for rect in [(0, 0, 29, 18), (4, 2, 16, 10), (9, 7, 20, 11), (28, 17, 1, 1)] {
            let wanted = PixelRect(x: rect.0, y: rect.1, width: rect.2, height: rect.3)
            let (view, place) = try #require(image.view.part(around: wanted))
            #expect(place.x <= rect.0 && place.y <= rect.1 && place.x > rect.0 - 4 && place.y > rect.1 - 4)
            #expect(place.x + place.width == rect.0 + rect.2 && place.y + place.height == rect.1 + rect.3)
            #expect(view.width == place.width && view.height == place.height)
            let writable = try #require(image.mutableView.part(place))
            for plane in 0..<format.layout.planeCount {
                #expect(view.plane(plane).base == UnsafeRawPointer(writable.plane(plane).base))
                #expect(view.plane(plane).stride == writable.plane(plane).stride)
            }
        }
        for outside in [
            (-1, 0, 4, 4), (0, 0, 30, 4), (28, 0, 2, 2), (0, 16, 4, 4), (3, 3, 0, 4), (3, 3, 4, 0),
        ] {
            let rect = PixelRect(x: outside.0, y: outside.1, width: outside.2, height: outside.3)
            #expect(image.view.part(around: rect) == nil)
        }
    }

    /// Samples of a part are those of the whole image at its place, and written there without touching others.
    @Test(arguments: PixelFormat.allCases)
    func partHasTheSamplesOfItsPlace(format: PixelFormat) throws {
        let image = TestImage.random(format, (29, 18))
        let layout = format.layout
        let parts = (0..<layout.colorCount).map { layout.component($0) } + (layout.alpha.map { [$0] } ?? [])
        let (across, down) = (parts.map(\.widthShift).max() ?? 0, parts.map(\.heightShift).max() ?? 0)
        for rect in [(0, 0, 29, 18), (4, 2, 16, 10), (9, 7, 20, 11), (28, 17, 1, 1)] {
            let copy = TestImage.random(format, (rect.2, rect.3))
            let part = try #require(
                image.mutableView.part(PixelRect(x: rect.0, y: rect.1, width: rect.2, height: rect.3)))
            copy.mutableView.copyRows(of: ImageView(part))
            // The corner does not divide pixels that share chroma.
            let (x, y) = ((rect.0 >> across) << across, (rect.1 >> down) << down)
            for (index, component) in parts.enumerated() {
                let number = index < layout.colorCount ? index : 3
                let isSame = (0..<component.sampleHeight(rect.3)).allSatisfy { row in
                    (0..<component.sampleWidth(rect.2)).allSatisfy { column in
                        let (left, top) = (x >> component.widthShift, y >> component.heightShift)
                        return copy[number, column, row] == image[number, column + left, row + top]
                    }
                }
                #expect(isSame, "\(rect) component \(index)")
            }
            let before = image.bytes
            part.copyRows(of: ImageView(copy.mutableView))
            #expect(image.bytes == before && image.canariesAreIntact && copy.canariesAreIntact)
        }
        for outside in [(-1, 0, 4, 4), (0, 0, 30, 4), (28, 0, 2, 2), (0, 16, 4, 4)] {
            let rect = PixelRect(x: outside.0, y: outside.1, width: outside.2, height: outside.3)
            #expect(image.mutableView.part(rect) == nil)
        }
    }
}
