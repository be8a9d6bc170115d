/// Makes one detection of the many boxes that a detector puts around a thing.
///
/// Two boxes are of one thing when their intersection over union exceeds `overlap`.
package enum NonMaximumSuppression {
    /// Keeps the best of boxes that overlap, at most `most`, best first.
    package static func keepBest<Found: Detection>(_ found: inout [Found], overlap: Double, most: Int) {
        found.sort { $0.score > $1.score }
        var kept = 0
        for index in found.indices where kept < most {
            let box = found[index].box
            if found[..<kept].contains(where: { $0.box.overlap(with: box) > overlap }) { continue }
            found.swapAt(kept, index)
            kept += 1
        }
        found.removeLast(found.count - kept)
    }

    /// Makes one of boxes that overlap the best one: their mean, weighted by score, with the best score.
    ///
    /// A mean jitters less from frame to frame than the best box (BlazeFace, Bazarevsky and others 2019,
    /// section 4).
    ///
    /// - Parameters:
    ///   - candidates: empty afterwards; boxes without an area are dropped.
    ///   - blended: where the means are appended, best first.
    package static func blend(
        _ candidates: inout [AnchorDetection], overlap: Double, into blended: inout [AnchorDetection]
    ) {
        while let best = candidates.max(by: { $0.score < $1.score }) {
            var sum = SIMD32<Double>()
            var weight = 0.0
            for candidate in candidates where candidate.box.overlap(with: best.box) > overlap {
                sum += candidate.values * candidate.score
                weight += candidate.score
            }
            let before = candidates.count
            candidates.removeAll { $0.box.overlap(with: best.box) > overlap }
            // A box that does not even overlap itself (no area) would keep the loop going.
            guard candidates.count < before, weight > 0 else {
                return candidates.removeAll(keepingCapacity: true)
            }
            blended.append(AnchorDetection(values: sum * (1 / weight), score: best.score))
        }
    }
}
