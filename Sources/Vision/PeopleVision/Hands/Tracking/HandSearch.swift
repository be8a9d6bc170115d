import Imaging

/// Searches for palms: in the whole frame, in a wider square for hands that fill the frame, and in tiles for
/// small hands.
struct HandSearch {
    /// A palm, and the crop in which to find its hand.
    struct Palm: Detection {
        /// The box of the palm, in pixels of the upright frame.
        let box: Rectangle
        let score: Double
        let crop: RotatedSquare
    }

    /// The palms of the last search, the largest first.
    private(set) var found: [Palm] = []
    /// The number of the next search of a stream, which determines its view.
    private var next = 0

    /// Side of the wider square, as a share of the frame's longer side.
    ///
    /// It finds the palm in three more of 16 images in which one hand fills most of the frame.
    private static let wider = 1.5
    /// Side of a tile, as a share of the frame's longer side: it shows hands a third as large as the frame does.
    private static let tile = 0.34
    /// Intersection over union above which palms of several views are one.
    private static let samePalm = 0.3
    private static let maximumPalms = 32

    /// Searches the whole frame, and for small hands the places where they can be.
    ///
    /// - Parameter places: boxes in pixels of the frame; nil for anywhere.
    mutating func searchAll(
        _ frame: UprightFrame, _ models: HandModels, at places: [Rectangle]?
    ) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        for isWider in [false, true] {
            try models.detector.find(in: frame, whole(frame, isWider: isWider), into: &found)
        }
        for view in tiles(frame, models).views(of: places) {
            try models.detector.find(in: frame, view, into: &found)
        }
        sort()
    }

    /// Searches the whole frame and, in turns, one of the other views.
    mutating func searchNext(_ frame: UprightFrame, _ models: HandModels) throws(VisionError) {
        found.removeAll(keepingCapacity: true)
        let count = count(frame, models)
        // Every second search is of the whole frame.
        let view = next.isMultiple(of: 2) ? 0 : 1 + (next / 2) % (count - 1)
        next &+= 1
        try search(frame, models, view: view)
        sort()
    }

    private func tiles(_ frame: UprightFrame, _ models: HandModels) -> FrameTiles {
        FrameTiles(frame.size, share: Self.tile, smallest: models.detector.inputSide)
    }

    /// Returns the number of views: two of the whole frame, and the tiles.
    private func count(_ frame: UprightFrame, _ models: HandModels) -> Int { 2 + tiles(frame, models).count }

    private mutating func search(_ frame: UprightFrame, _ models: HandModels, view: Int) throws(VisionError) {
        let square = view < 2 ? whole(frame, isWider: view == 1) : tiles(frame, models).view(view - 2)
        try models.detector.find(in: frame, square, into: &found)
    }

    private func whole(_ frame: UprightFrame, isWider: Bool) -> RotatedSquare {
        var square = RotatedSquare(wholeOf: frame.size, angle: 0)
        if isWider { square.side *= Self.wider }
        return square
    }

    private mutating func sort() {
        NonMaximumSuppression.keepBest(&found, overlap: Self.samePalm, maximumCount: Self.maximumPalms)
        found.sort { $0.box.area > $1.box.area }
    }
}

/// Finds palms in squares of a frame, at any rotation.
final class PalmDetector {
    static let name = "palm_detection_full"

    private let detector: AnchorDetector
    private let wrist: Int
    private let knuckle: Int

    /// Side of the model's input, in pixels.
    var inputSide: Int { detector.inputSide }

    init(_ setup: ModelSetup) throws(VisionError) {
        detector = try AnchorDetector(Self.name, setup)
        let names = detector.keypoints
        guard let wrist = names.firstIndex(of: "wrist"), let knuckle = names.firstIndex(of: "middleMCP")
        else { throw detector.isNotDescribed }
        (self.wrist, self.knuckle) = (wrist, knuckle)
    }

    /// Appends the crops in which to find the hands in `view`, an upright square.
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
