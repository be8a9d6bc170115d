package import Imaging

/// Something that a detector has found: where it is, and how sure the detector is.
package protocol Detection {
    /// Around all that is seen of it.
    var box: Rectangle { get }
    /// 0...1.
    var score: Double { get }
}

/// A box in the upright frame's unit square.
package struct BoxDetection: Detection, Sendable {
    package let box: Rectangle
    package let score: Double

    /// A detection in `box`.
    package init(box: Rectangle, score: Double) { (self.box, self.score) = (box, score) }

    /// A detection between two corners, in units of the frame, cut off at its edges; nil when nothing of it
    /// lies in the frame.
    package init?(left: Double, top: Double, right: Double, bottom: Double, score: Double) {
        // A comparison with a limit would turn an undefined number into a side of the frame.
        guard !(left + top + right + bottom).isNaN else { return nil }
        let (x, y, endX, endY) = (max(0, left), max(0, top), min(1, right), min(1, bottom))
        guard endX > x, endY > y else { return nil }
        self.init(box: Rectangle(x: x, y: y, width: endX - x, height: endY - y), score: score)
    }
}

/// Makes one detection of the many boxes that a detector puts around a thing.
///
/// Two boxes are of one thing when their intersection over union exceeds `overlap`.
package enum NonMaximumSuppression {
    /// Keeps the best of boxes that overlap, at most `maximumCount`, best first.
    package static func keepBest<Found: Detection>(_ found: inout [Found], overlap: Double, maximumCount: Int)
    {
        found.sort { $0.score > $1.score }
        var kept = 0
        for index in found.indices where kept < maximumCount {
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
