import Foundation
import Vision

/// Lifts the subject that was tapped, or all, and writes it as PNG.
final class Lifter: Sendable {
    enum Failure: Error { case nothingThere }

    func lift(_ url: URL, tappedAt tap: CGPoint?, in view: CGSize, to target: URL) async throws {
        let handler = ImageRequestHandler(url)
        let request = GenerateForegroundInstanceMaskRequest()
        guard let observation = try await handler.perform(request) else { throw Failure.nothingThere }
        var labels: IndexSet = observation.allInstances
        if let tap {
            let point = NormalizedPoint(imagePoint: CGPoint(x: tap.x, y: view.height - tap.y), in: view)
            let tapped: IndexSet = observation.instanceAtPoint(point)
            if !tapped.isEmpty { labels = tapped }
        }
        let image = try observation.generateMaskedImage(
            for: labels, imageFrom: handler, croppedToInstancesExtent: true)
        try image.writePNG(to: target)
    }

    /// The rectangle of what stands out, in pixels counted from above.
    func extent(of url: URL, size: CGSize) async throws -> CGRect {
        let saliency = try await GenerateObjectnessBasedSaliencyImageRequest().perform(on: url)
        let boxes = saliency.salientObjects.map {
            $0.boundingBox.toImageCoordinates(size, origin: .upperLeft)
        }
        return boxes.reduce(CGRect.null) { $0.union($1) }
    }

    /// Lifts each subject of several photos, side by side.
    func liftAll(_ urls: [URL]) async throws -> [URL: Int] {
        try await withThrowingTaskGroup(of: (URL, Int).self) { group in
            for url in urls {
                group.addTask {
                    let request = GenerateForegroundInstanceMaskRequest()
                    let found = try await request.perform(on: url)
                    return (url, found?.allInstances.count ?? 0)
                }
            }
            var counts: [URL: Int] = [:]
            for try await (url, count) in group { counts[url] = count }
            return counts
        }
    }
}
