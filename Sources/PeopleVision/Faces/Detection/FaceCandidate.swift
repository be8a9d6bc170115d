package import Imaging

/// What one anchor says, in the unit square of the detector's input.
package struct FaceCandidate {
    package var box: Rectangle
    package var rightEye: Point
    package var leftEye: Point
    package var mouth: Point
    /// 0...1.
    package var score: Double

    package init(box: Rectangle, rightEye: Point, leftEye: Point, mouth: Point, score: Double) {
        self.box = box
        self.rightEye = rightEye
        self.leftEye = leftEye
        self.mouth = mouth
        self.score = score
    }
}

extension FaceCandidate {
    var isFinite: Bool {
        let sum = box.x + box.y + box.width + box.height + rightEye.x + rightEye.y
        return (sum + leftEye.x + leftEye.y + mouth.x + mouth.y).isFinite && box.width > 0 && box.height > 0
    }

    static func * (candidate: FaceCandidate, weight: Double) -> FaceCandidate {
        FaceCandidate(
            box: Rectangle(
                x: candidate.box.x * weight, y: candidate.box.y * weight,
                width: candidate.box.width * weight, height: candidate.box.height * weight),
            rightEye: candidate.rightEye * weight, leftEye: candidate.leftEye * weight,
            mouth: candidate.mouth * weight, score: candidate.score * weight)
    }

    static func + (a: FaceCandidate, b: FaceCandidate) -> FaceCandidate {
        FaceCandidate(
            box: Rectangle(
                x: a.box.x + b.box.x, y: a.box.y + b.box.y, width: a.box.width + b.box.width,
                height: a.box.height + b.box.height),
            rightEye: a.rightEye + b.rightEye, leftEye: a.leftEye + b.leftEye, mouth: a.mouth + b.mouth,
            score: a.score + b.score)
    }
}

extension Point {
    static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }
    static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
    static func * (point: Point, factor: Double) -> Point { Point(x: point.x * factor, y: point.y * factor) }
}
