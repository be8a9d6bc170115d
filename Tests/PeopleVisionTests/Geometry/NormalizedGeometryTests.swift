import PeopleVision
import Testing

@Suite struct NormalizedGeometryTests {
    private let size = Size(width: 200, height: 100)

    @Test func pointsBecomePixels() {
        let point = NormalizedPoint(x: 0.25, y: 0.1)
        #expect(point.toImageCoordinates(size) == Point(x: 50, y: 10))
        #expect(point.toImageCoordinates(size, origin: .lowerLeft) == Point(x: 50, y: 90))
    }

    @Test func rectanglesBecomePixels() {
        let box = NormalizedRect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)
        #expect(box.toImageCoordinates(size) == Rectangle(x: 50, y: 25, width: 100, height: 50))
        let low = NormalizedRect(x: 0, y: 0, width: 1, height: 0.25)
        #expect(
            low.toImageCoordinates(size, origin: .lowerLeft)
                == Rectangle(x: 0, y: 75, width: 200, height: 25))
    }
}
