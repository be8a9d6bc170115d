import Foundation
import Imaging
import Inference
import PeopleVision
import TestSupport
import Testing

/// Tests of anchors and the boxes relative to them, compared with plain definitions.
struct AnchorsTests {
    @Test func anchorsAreTheCentresOfCells() {
        let layers = [
            Anchors.Layer(stride: 8, anchorsPerCell: 2), Anchors.Layer(stride: 16, anchorsPerCell: 6),
        ]
        let centers = Anchors.centers(layers, side: 128)
        #expect(centers.count == 16 * 16 * 2 + 8 * 8 * 6)
        for (index, center) in centers.prefix(512).enumerated() {
            let cell = index / 2
            #expect(center == Point(x: (Double(cell % 16) + 0.5) / 16, y: (Double(cell / 16) + 0.5) / 16))
        }
        for (index, center) in centers.dropFirst(512).enumerated() {
            let cell = index / 6
            #expect(center == Point(x: (Double(cell % 8) + 0.5) / 8, y: (Double(cell / 8) + 0.5) / 8))
        }
        #expect(Anchors.centers([Anchors.Layer(stride: 4, anchorsPerCell: 1)], side: 192).count == 2304)
    }

    @Test(arguments: [
        ("\"overlap\": 0.3", "\"overlap\": 1"), ("\"anchorsPerCell\": 2", "\"anchorsPerCell\": 2000"),
    ])
    func refusesAbsurdManifests(_ old: String, _ new: String) throws {
        let models = try Scratch()
        let files = ["json", "tflite"].map { "face_detection_short_range.\($0)" }
        for file in files {
            try FileManager.default.copyItem(
                atPath: Checkout.models.path + "/" + file, toPath: models.path(file))
        }
        let store = ModelStore(directory: models.url.path)
        #expect(Anchors(try store.model(named: "face_detection_short_range")) != nil)
        try models.edit(files[0], old, new)
        #expect(Anchors(try store.model(named: "face_detection_short_range")) == nil)
    }

    /// Returns the detections decoded from `values` at the second anchor, the only one with a score.
    private func decoded(_ values: [Float], _ scores: [Float]) throws -> [AnchorDetection] {
        let store = ModelStore(directory: Checkout.models.path)
        let anchors = try #require(Anchors(try store.model(named: "face_detection_short_range")))
        var (allValues, allScores) = (
            [Float](repeating: 0, count: 896 * 16), [Float](repeating: -9, count: 896)
        )
        allValues.replaceSubrange(16..<16 + values.count, with: values)
        allScores.replaceSubrange(0..<scores.count, with: scores)
        var found: [AnchorDetection] = []
        allValues.withUnsafeBufferPointer { values in
            allScores.withUnsafeBufferPointer { anchors.decode(values, $0, into: &found) }
        }
        return found
    }

    /// The second anchor is at the centre of the first cell, 1/32 from both edges; the model's scale is 128.
    @Test func positionsAreRelativeToTheAnchorAndSizesAreNot() throws {
        let values = [12.8, 25.6, 64, 32, -12.8, 0, 0, 12.8] as [Float]
        let face = try #require(decoded(values, [-9, 0.5]).first)
        #expect(abs(face.box.center.x - (0.1 + 1.0 / 32)) < 1e-6)
        #expect(abs(face.box.center.y - (0.2 + 1.0 / 32)) < 1e-6)
        #expect(abs(face.box.width - 0.5) < 1e-6 && abs(face.box.height - 0.25) < 1e-6)
        #expect(abs(face.keypoint(0).x - (-0.1 + 1.0 / 32)) < 1e-6)
        #expect(abs(face.keypoint(1).y - (0.1 + 1.0 / 32)) < 1e-6)
        #expect(abs(face.score - 1 / (1 + exp(-0.5))) < 1e-9)
    }

    @Test func scoresBelowTheThresholdAndUndefinedBoxesAreDropped() throws {
        let box = [0, 0, 64, 32] as [Float]
        #expect(try decoded(box, [-9, 0]).count == 1)
        #expect(try decoded(box, [-9, -0.01]).isEmpty)
        #expect(try decoded(box, [-9, .nan]).isEmpty)
        #expect(try decoded([0, 0, 0, 32], [-9, 3]).isEmpty)
        #expect(try decoded([0, .nan, 64, 32], [-9, 3]).isEmpty)
        #expect(try decoded(box + [.infinity], [-9, 3]).isEmpty)
    }
}
