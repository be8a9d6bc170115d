import PeopleVision
import Testing

/// Tests that one import is enough for the types that requests and observations show, as in this file.
@Suite struct ReexportTests {
    @Test func oneImportMakesAllTypesVisible() {
        let point = Point(x: 0.25, y: 0.5)
        #expect(Rectangle(x: 0, y: 0, width: 0.5, height: 1).center == point)
        #expect(GeneratePersonSegmentationRequest().precision == ModelPrecision.automatic)
        let mask: Mask? = Mask(format: .gray8, width: 2, height: 2) { _ in }
        #expect(mask?.values == [0, 0, 0, 0])
        #expect(ImageOrientation(rawValue: 6) == .right)
    }
}
