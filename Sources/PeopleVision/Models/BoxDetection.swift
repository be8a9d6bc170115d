package import Imaging

/// Something that a detector has found: where it is, and how sure the detector is.
package protocol Detection {
    /// Around all that is seen of it.
    var box: Rectangle { get }
    /// 0...1.
    var score: Double { get }
}

/// A box in the upright frame's unit square.
package struct BoxDetection: Detection {
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
