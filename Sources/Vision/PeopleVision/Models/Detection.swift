package import Imaging

/// A thing that a detector has found: its place, and the detector's certainty.
package protocol Detection {
    /// The box around the visible part of the thing.
    var box: Rectangle { get }
    /// The certainty, 0...1.
    var score: Double { get }
}

/// A box in the upright frame's unit square.
package struct BoxDetection: Detection, Sendable {
    package let box: Rectangle
    package let score: Double

    /// Creates a detection in `box`.
    package init(box: Rectangle, score: Double) { (self.box, self.score) = (box, score) }

    /// Creates a detection between two corners, in units of the frame, clipped to the frame; nil when it lies
    /// outside.
    package init?(left: Double, top: Double, right: Double, bottom: Double, score: Double) {
        // A comparison with a limit would turn NaN into a side of the frame.
        guard !(left + top + right + bottom).isNaN else { return nil }
        let (x, y, endX, endY) = (max(0, left), max(0, top), min(1, right), min(1, bottom))
        guard endX > x, endY > y else { return nil }
        self.init(box: Rectangle(x: x, y: y, width: endX - x, height: endY - y), score: score)
    }
}

/// Reduces the many boxes that a detector puts around a thing to one detection.
///
/// Two boxes show one thing when their intersection over union exceeds `overlap`.
package enum NonMaximumSuppression {
    /// Keeps the best of overlapping boxes, at most `maximumCount`, best first.
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

    /// Merges each best box with the boxes that overlap it: their mean, weighted by score, with the best
    /// score.
    ///
    /// A mean jitters less from frame to frame than the best box (BlazeFace, Bazarevsky and others 2019,
    /// section 4).
    ///
    /// - Parameters:
    ///   - candidates: empty afterwards; boxes without an area are dropped.
    ///   - blended: the array to which the means are appended, best first.
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
            // A box without an area does not even overlap itself, and would keep the loop going.
            guard candidates.count < before, weight > 0 else {
                return candidates.removeAll(keepingCapacity: true)
            }
            blended.append(AnchorDetection(values: sum * (1 / weight), score: best.score))
        }
    }
}
