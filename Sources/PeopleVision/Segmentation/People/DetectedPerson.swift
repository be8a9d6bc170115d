package import Imaging

/// Someone whom the person detector has found.
package struct DetectedPerson {
    /// All that is seen of the person, in the upright frame's unit square.
    package let box: Rectangle
    /// How sure the detector is, 0...1.
    package let score: Double

    /// Someone in `box`.
    package init(box: Rectangle, score: Double) { (self.box, self.score) = (box, score) }

    /// Someone between two corners, in units of the frame; nil when nothing of that lies in the frame.
    package init?(left: Double, top: Double, right: Double, bottom: Double, score: Double) {
        // Limits turn what is no number into a side of the frame.
        guard !(left + top + right + bottom).isNaN else { return nil }
        let (x, y, endX, endY) = (max(0, left), max(0, top), min(1, right), min(1, bottom))
        guard endX > x, endY > y else { return nil }
        self.init(box: Rectangle(x: x, y: y, width: endX - x, height: endY - y), score: score)
    }
}

extension [DetectedPerson] {
    /// Boxes that share more than this, of what they cover together, show the same person.
    private static let samePerson = 0.5

    /// Keeps the surest of those who are the same, at most `most`, surest first.
    package mutating func reduceToOneEach(most: Int) {
        sort { $0.score > $1.score }
        var kept = 0
        for index in indices where kept < most {
            let box = self[index].box
            if self[..<kept].contains(where: { $0.box.overlap(with: box) > Self.samePerson }) { continue }
            swapAt(kept, index)
            kept += 1
        }
        removeLast(count - kept)
    }
}
