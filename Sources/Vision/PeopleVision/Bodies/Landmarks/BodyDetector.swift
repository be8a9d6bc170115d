import Glibc
import Imaging

/// Finds bodies and their rotation in an image: BlazePose's detector in a square around a person's box.
final class BodyDetector {
    static let name = "pose_detection"

    private let detector: AnchorDetector
    private let hips: Int
    private let shoulders: Int
    private let fullBody: Int

    init(_ setup: ModelSetup) throws(VisionError) {
        detector = try AnchorDetector(Self.name, setup)
        let names = detector.keypoints
        guard let hips = names.firstIndex(of: "hipCentre"), let fullBody = names.firstIndex(of: "fullBody"),
            let shoulders = names.firstIndex(of: "shoulderCentre")
        else { throw detector.isNotDescribed }
        (self.hips, self.shoulders, self.fullBody) = (hips, shoulders, fullBody)
    }

    /// Appends crops of the bodies whose shoulders lie in `box`, in pixels, the one that overlaps the box
    /// most last.
    ///
    /// - Parameters:
    ///   - view: side of the square that is searched, as a share of the box's longer side, and its rotation,
    ///     clockwise.
    ///   - origin: the origin of the crops.
    func find(
        around box: Rectangle, _ view: (scale: Double, angle: Double), origin: BodyAlignment.Origin,
        in frame: UprightFrame, into crops: inout [BodyAlignment.Crop]
    ) throws(VisionError) {
        let square = RotatedSquare(
            center: box.center, side: max(box.width, box.height) * view.scale, angle: view.angle)
        guard square.isUsable else { return }
        try detector.find(in: frame, square)
        let first = crops.count
        for body in detector.found where box.contains(square.pixels(body.keypoint(shoulders))) {
            let crop = BodyLandmarks.crop(
                hips: square.pixels(body.keypoint(hips)), above: square.pixels(body.keypoint(fullBody)))
            if crop.isUsable { crops.append(.init(square: crop, origin: origin)) }
        }
        crops[first...].sort { $0.square.tight.overlap(with: box) < $1.square.tight.overlap(with: box) }
        crops.removeSubrange(first..<max(first, crops.count - Self.maximumCrops))
    }

    /// Maximum number of bodies that may be the person's: the second is another person who partly hides the
    /// first.
    private static let maximumCrops = 2
}

extension RotatedSquare {
    /// The upright square around the circle of the body, which the crop encloses with a margin.
    fileprivate var tight: Rectangle {
        let side = side / BodyLandmarks.cropScale
        return Rectangle(center: center, size: Size(width: side, height: side))
    }
}
