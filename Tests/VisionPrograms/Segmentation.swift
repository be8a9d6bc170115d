import Foundation
import Vision

/// Reports how much of a photo its people cover, at each quality level.
struct CoverageReport {
    var levels: [GeneratePersonSegmentationRequest.QualityLevel] = [.fast, .balanced, .accurate]

    func run(on url: URL) async throws -> [String] {
        var lines: [String] = []
        for level in levels {
            var request = GeneratePersonSegmentationRequest()
            request.qualityLevel = level
            request.outputPixelFormatType = kCVPixelFormatType_OneComponent8
            request.regionOfInterest = NormalizedRect(x: 0, y: 0, width: 1, height: 0.5)
            let mask: PixelBufferObservation = try await request.perform(on: url)
            lines.append("\(level): \(mask.size.width) by \(mask.size.height), \(mask.uuid.uuidString)")
        }
        return lines
    }
}

/// Counts people by their own masks, and falls back to faces where there are more than four.
func countPeople(in data: Data, orientation: CGImagePropertyOrientation = .up) async throws -> Int {
    let handler = ImageRequestHandler(data, orientation: orientation)
    let instances = GeneratePersonInstanceMaskRequest()
    let faces: DetectFaceRectanglesRequest = .init(.revision3)
    let (mask, found) = try await handler.perform(instances, faces)
    guard let mask else { return found.count }
    let people: IndexSet = mask.allInstances
    if people.count >= 4 { return max(people.count, found.count) }
    let middle = mask.instanceAtPoint(
        NormalizedPoint(imagePoint: CGPoint(x: 50, y: 50), in: CGSize(width: 100, height: 100)))
    let chosen = middle.isEmpty ? people : middle
    _ = try mask.generateScaledMask(for: chosen, scaledToImageFrom: handler)
    _ = try mask.generateMaskedImage(
        for: IndexSet(integer: people.first ?? 0), imageFrom: handler, croppedToInstancesExtent: true)
    return people.count
}
