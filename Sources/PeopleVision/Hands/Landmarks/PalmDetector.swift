import Imaging

/// Finds palms in squares of a frame, at any turn.
final class PalmDetector {
    static let name = "palm_detection_full"

    private let detector: AnchorDetector
    private let wrist: Int
    private let knuckle: Int

    /// Of the square that the model sees, in its pixels.
    var inputSide: Int { detector.inputSide }

    init(_ setup: ModelSetup) throws(VisionError) {
        detector = try AnchorDetector(Self.name, setup)
        let names = detector.keypoints
        guard let wrist = names.firstIndex(of: "wrist"), let knuckle = names.firstIndex(of: "middleMCP")
        else { throw detector.isNotDescribed }
        (self.wrist, self.knuckle) = (wrist, knuckle)
    }

    /// Appends the crops in which to find the hands that `view`, an upright square, shows.
    func find(
        in frame: UprightFrame, _ view: RotatedSquare, into found: inout [HandSearch.Palm]
    ) throws(VisionError) {
        guard view.isUsable else { return }
        try detector.find(in: frame, view)
        for palm in detector.found {
            let corner = view.pixels(Point(x: palm.box.x, y: palm.box.y))
            let box = Rectangle(
                x: corner.x, y: corner.y, width: palm.box.width * view.side,
                height: palm.box.height * view.side)
            let crop = HandLandmarks.crop(
                palm: box, wrist: view.pixels(palm.keypoint(wrist)),
                knuckle: view.pixels(palm.keypoint(knuckle)))
            if crop.isUsable { found.append(HandSearch.Palm(box: box, score: palm.score, crop: crop)) }
        }
    }
}
