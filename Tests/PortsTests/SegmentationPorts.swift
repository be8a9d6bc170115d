import ImageFiles
import PeopleVision

/// Person segmentation of a photo at one of three levels.
func segmentPeople(
    in photo: String, qualityLevel: GeneratePersonSegmentationRequest.QualityLevel
) async throws -> Mask {
    let request = GeneratePersonSegmentationRequest()
    request.qualityLevel = qualityLevel
    request.outputPixelFormat = .gray8
    return try await request.perform(on: photo).mask
}

/// The photo greeting: the people of a photo before another background.
func makeGreeting(from photo: String, background: String, to result: String) async throws {
    let mask = try await segmentPeople(in: photo, qualityLevel: .accurate)
    let (image, room) = (try ImageFile(reading: photo), try ImageFile(reading: background))
    try image.blended(by: mask, over: .image(room)).writeJPEG(to: result)
}

/// The video greeting: the people of each frame before another background, frame by frame.
func makeGreetings(from frames: [String], background: String, to results: [String]) async throws {
    let request = GeneratePersonSegmentationRequest()
    request.qualityLevel = .balanced
    let images = try frames.map { try ImageFile(reading: $0) }
    let stream = AsyncStream<StreamFrame> { continuation in
        for (number, image) in images.enumerated() {
            continuation.yield(StreamFrame(image.view, time: .milliseconds(40 * number), keeping: image))
        }
        continuation.finish()
    }
    let room = try ImageFile(reading: background)
    var next = zip(images, results).makeIterator()
    for try await (_, people) in request.results(of: stream, mode: .recording) {
        guard let (image, result) = next.next() else { return }
        try image.blended(by: people.mask, over: .image(room)).writeJPEG(to: result)
    }
}

/// Face angles and segmentation of one frame, with the background coloured by the angles.
func colorBackground(of frame: String, to result: String) async throws -> RGBColor? {
    let segmentation = GeneratePersonSegmentationRequest()
    segmentation.qualityLevel = .balanced
    let handler = ImageRequestHandler(frame)
    let (people, faces) = try await handler.perform(segmentation, DetectFaceRectanglesRequest())
    guard let face = faces.first else { return nil }
    let color = RGBColor(poseOf: face)
    try ImageFile(reading: frame).blended(by: people.mask, over: .color(color)).writePNG(to: result)
    return color
}
