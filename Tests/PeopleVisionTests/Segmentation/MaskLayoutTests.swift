import PeopleVision
import Testing

@Suite struct MaskLayoutTests {
    @Test func theMaskSizeIsKnownInAdvance() {
        let request = GeneratePersonSegmentationRequest()
        request.qualityLevel = .fast
        #expect(request.maskLayout(width: 1280, height: 720).description == "256x144 gray8")
        #expect(request.maskLayout(width: 640, height: 480).description == "256x256 gray8")
        request.qualityLevel = .balanced
        #expect(request.maskLayout(width: 1280, height: 720).description == "768x432 gray8")
        #expect(
            request.maskLayout(width: 1280, height: 720, orientation: .left).description == "768x432 gray8")
        #expect(request.maskLayout(width: 351, height: 263).description == "351x263 gray8")
        request.qualityLevel = .accurate
        #expect(request.maskLayout(width: 4000, height: 3000).description == "2048x1536 gray8")
        #expect(request.maskLayout(width: 0, height: -5).width == 1)
    }
}
