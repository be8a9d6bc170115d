import Imaging
import PeopleVision
import TestSupport
import Testing

/// Tests of both saliency requests on images.
struct SaliencyRequestTests {
    /// Returns the heat at a point of the image.
    private func heat(_ found: SaliencyImageObservation, _ point: Point) -> Float {
        let side = SaliencyMap.side
        return found.heatMap.values[Int(point.y * Double(side)) * side + Int(point.x * Double(side))]
    }

    @Test func objectsAreTheSubjects() throws {
        let request = GenerateObjectnessBasedSaliencyImageRequest()
        request.modelPath = Checkout.models.path
        let image = Photo.balls.image
        let found = try request.perform(on: image.view)
        #expect(found.heatMap.view.width == 68 && found.heatMap.view.height == 68)
        #expect(found.salientObjects.count == 2 && found.salientObjects.allSatisfy { $0.confidence > 0.8 })
        for center in Photo.ballCenters { #expect(heat(found, center) > 0.9) }
        #expect(heat(found, Point(x: 0.5, y: 0.1)) < 0.05)
        request.maximumObjects = 1
        #expect(try request.perform(on: image.view).salientObjects.count == 1)
        let grey = Photo.grey(width: 64, height: 48).image
        let nothing = try request.perform(on: grey.view)
        #expect(nothing.salientObjects.isEmpty && nothing.heatMap.values.allSatisfy { $0 == 0 })
    }

    @Test func aStreamFollowsItsSubjectsAndAnImageDoesNot() throws {
        let request = GenerateObjectnessBasedSaliencyImageRequest()
        request.modelPath = Checkout.models.path
        let balls = Photo.balls.image
        let grey = Photo.grey(width: balls.view.width, height: balls.view.height).image
        func heatOfGrey(after mode: AnalysisMode) throws -> [Float] {
            request.mode = mode
            request.reset()
            for frame in 0..<4 {
                _ = try request.perform(on: InputFrame(balls.view, time: .milliseconds(40 * frame)))
            }
            return try request.perform(on: InputFrame(grey.view, time: .milliseconds(160))).heatMap.values
        }
        let nothing = try heatOfGrey(after: .image)
        #expect(nothing.allSatisfy { $0 == 0 })
        // Equal frames of a recording give equal results.
        #expect(try heatOfGrey(after: .recording) == heatOfGrey(after: .recording))
    }

    @Test func attentionGoesToTheFace() throws {
        let request = GenerateAttentionBasedSaliencyImageRequest()
        request.modelPath = Checkout.models.path
        let image = try #require(Photo.portrait).image
        let found = try request.perform(on: image.view)
        let face = Point(x: 0.44, y: 0.22)
        #expect(found.salientObjects.count == 1 && heat(found, face) > 0.8)
        #expect(heat(found, Point(x: 0.45, y: 0.8)) < heat(found, face))
        let mirrored = try request.perform(on: image.view, orientation: .upMirrored)
        #expect(abs(heat(mirrored, face) - heat(found, face)) < 0.1)
        request.revision = 7
        #expect(throws: VisionError.self) { try request.perform(on: image.view) }
    }
}
