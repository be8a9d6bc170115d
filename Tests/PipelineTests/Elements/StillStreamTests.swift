import CGStreamer
import TestSupport
import Testing

/// Images one after the other, each a scene by itself: frames without a duration, in caps without a frame
/// rate.
struct StillStreamTests {
    private static let stream = "video/x-raw,format=RGB,width=192,height=128,framerate=0/1"

    /// Returns the portrait, and similar renditions of it.
    private static func photos() throws -> [Frame] {
        try [0, 6, -10].map { change in
            let photo = try astronaut(192, 128).duplicate()
            for component in 0..<3 {
                let samples = photo.samples(component)
                photo.fill(component) { x, y in UInt8(clamping: Int(samples[y][x]) + change) }
            }
            photo.buffer.pointee.duration = .max
            return photo
        }
    }

    /// Returns the findings of an element.
    private func found(in frame: Frame) -> String {
        let mask = MaskMeta(frame).map { "\($0.values) \($0.instances ?? [])" }
        let joints = [JointsMeta.Kind.bodies, .hands].compactMap { JointsMeta(frame, $0) }.flatMap(\.items)
        let lines = joints.map { item in
            "\(item.id) \(item.box) \(item.joints.sorted { $0.key < $1.key })"
        }
        return "\(mask ?? "") \(FacesMeta(frame)?.faces ?? []) \(lines)"
    }

    @Test(arguments: ElementCase.analyzers, [false, true])
    func resultsDoNotDependOnEarlierImages(_ element: ElementCase, _ isTimed: Bool) throws {
        let photos = try Self.photos()
        let fresh = try photos.map { photo in
            photo.buffer.pointee.pts = .max
            return found(in: try element.harness(Self.stream).transform(photo))
        }
        let harness = try element.harness(Self.stream)
        for (step, index) in [0, 1, 0, 2, 1, 1, 0].enumerated() {
            photos[index].buffer.pointee.pts = isTimed ? GstClockTime(step) * 40_000_000 : .max
            let result = found(in: try harness.transform(photos[index]))
            #expect(result == fresh[index], "image \(index) at step \(step)")
        }
    }

    /// No image gets the mask of another one; frames of a camera do, since some of them have no duration
    /// either.
    @Test(arguments: [false, true]) func eachImageHasItsOwnMask(isLive: Bool) throws {
        let harness = try Harness(
            "personsegment quality=fast inference-interval=3", caps: Self.stream, isLive: isLive)
        let masks = try Self.photos().map { photo in
            photo.buffer.pointee.pts = .max
            return MaskMeta(try harness.transform(photo))
        }
        let buffers = masks.map { $0?.buffer }
        #expect((buffers[0] == buffers[1]) == isLive)
        #expect((buffers[1] == buffers[2]) == isLive)
    }
}
