import TestSupport
import Testing

/// The label map in the metadata of GStreamer's analytics library.
struct InstanceAnalyticsTests {
    @Test(.enabled(if: Analytics.hasSegmentations, "GStreamer has it from 1.26 on"))
    func theLabelMapIsASegmentationOfInstances() throws {
        let clip = try Frame.picture(Checkout.clip.path, "video/x-raw,format=RGB")
        let frame = try Harness("personsegment quality=fast instance-masks=true", caps: clip.caps).transform(
            clip)
        let expected = Analytics.Segmentation(
            regions: 4, x: 0, y: 0, width: clip.width, height: clip.height,
            labels: try #require(MaskMeta(frame)?.labels))
        #expect(try Analytics.segmentations(of: frame) == [expected])
    }
}
