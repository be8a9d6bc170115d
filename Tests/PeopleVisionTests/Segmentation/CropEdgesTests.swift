import Imaging
import PeopleVision
import TestSupport
import Testing

struct CropEdgesTests {
    private let inside = Rectangle(x: 0.1, y: 0.1, width: 0.8, height: 0.8)

    private func cut(_ matte: FloatImage, _ crop: Rectangle) -> CropEdges {
        CropEdges(
            cutting: UnsafeBufferPointer(matte.values), width: matte.width, height: matte.height, crop: crop)
    }

    @Test func peopleAreCutOffAtInnerEdgesOnly() {
        let matte = FloatImage(64, 48) { x, y in
            (20..<30).contains(x) && y < 40 || x > 60 && y == 47 ? 1 : 0
        }
        #expect(cut(matte, inside) == [.top, .bottom])
        #expect(cut(matte, .unit) == [])
        #expect(cut(matte, Rectangle(x: 0.1, y: 0, width: 0.8, height: 1)) == [])
        #expect(cut(matte, Rectangle(x: 0.1, y: 0.2, width: 0.8, height: 0.8)) == .top)
    }

    @Test func aSingleValueIsNoPerson() {
        let matte = FloatImage(64, 48)
        matte.row(10)[0] = 1
        #expect(cut(matte, inside) == [])
        matte.row(11)[0] = 1
        matte.row(11)[63] = 1
        matte.row(12)[63] = 1
        #expect(cut(matte, inside) == [.left, .right])
    }

    @Test func valuesThatAreMissingOrNoNumbersAreNoPerson() {
        #expect(cut(FloatImage(8, 8) { _, _ in .nan }, inside) == [])
        let few = FloatImage(8, 8) { _, _ in 1 }
        #expect(
            CropEdges(cutting: UnsafeBufferPointer(few.values), width: 9, height: 8, crop: inside) == [])
        #expect(CropEdges(cutting: .init(start: nil, count: 0), width: 0, height: 0, crop: inside) == [])
    }
}
