import CommandKit
import Composer
import Imaging
import PeopleSettings
import PeopleVision

/// A width and a height in proportion, such as 16:9.
struct AspectRatio: Equatable {
    let width: Double
    let height: Double

    /// - Parameter option: the option that takes the text.
    /// - Throws: when `text` is not two positive whole numbers.
    init(_ text: String, of option: String = "auto-crop") throws(ToolError) {
        let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy({ (1...10_000).contains($0) }) else {
            throw .usage("--\(option) takes a shape such as 16:9, not \(text)")
        }
        (width, height) = (Double(sides[0]), Double(sides[1]))
    }

    /// Creates the shape of a ratio of width to height.
    init(_ ratio: Double) { (width, height) = (ratio, 1) }

    /// Width divided by height.
    var ratio: Double { width / height }
}

/// Crops frames to their salient subjects.
///
/// If these do not fit, faces have priority.
enum AutoCrop {
    /// A box in pixels.
    struct Box: Equatable {
        var left, top, right, bottom: Double
    }

    /// A face in pixels.
    struct Face {
        let box: Box
        /// The box with space for hair, and a margin.
        let withMargin: Box
    }

    /// Space around the subjects, as a share of their extent.
    private static let margin = 0.08
    /// Subjects that count, the largest first, as in Vision's saliency.
    private static let maximumSubjects = 3
    /// Space around a face's box, as shares of its size: hair above it, and air.
    fileprivate static let faceMargin = (beside: 0.3, above: 0.6, below: 0.3)
    /// Room for hair and hats above a face with its margin, as a share of its height.
    private static let hair = 0.3
    /// Maximum number of faces that are looked for.
    private static let maximumFaces = 8

    /// Returns the pixels to cut off the sides of a picture.
    ///
    /// - Parameter subjects: memory for the subjects' masks, which can be read afterwards.
    static func crop(
        _ image: ImageView, to shape: AspectRatio, _ subjects: FrameMasks
    ) throws(VisionError) -> Crop {
        let frame = InputFrame(image, isStill: true)
        let faceRequest = faceRequest
        try faceRequest.prepare()
        var settings = SubjectSegmentSettings()
        settings.segmentation.qualityLevel = .fast
        try subjects.find(in: image, settings)
        let found = Found(
            subjects.found, try faceRequest.perform(on: frame),
            (Double(image.width), Double(image.height)))
        let (width, height) = found.size
        let box = crop(around: found.subjects, faces: found.faces, width: width, height: height, shape)
        return Crop(
            left: Int(box.left.rounded()), right: Int((width - box.right).rounded()),
            top: Int(box.top.rounded()), bottom: Int((height - box.bottom).rounded()))
    }

    private static var faceRequest: DetectFaceRectanglesRequest {
        var configuration = FaceRequest.Configuration()
        (configuration.maximumFaces, configuration.mode) = (maximumFaces, .recording)
        return DetectFaceRectanglesRequest(configuration)
    }

    /// The smallest box of a shape around the subjects, or where the frame is too small, the largest; in the middle
    /// without subjects.
    ///
    /// - Parameter faces: the largest first. Where not everything fits, the box moves to show as many of them as it can, with
    ///   their margins where these fit too; without faces, the top of the subjects.
    static func crop(
        around subjects: Box?, faces: [Face], width: Double, height: Double, _ shape: AspectRatio
    ) -> Box {
        let box = subjects ?? Box(left: 0, top: 0, right: width, bottom: height)
        let (extentX, extentY) = (
            (box.right - box.left) * (1 + 2 * margin), (box.bottom - box.top) * (1 + 2 * margin)
        )
        var wide = max(extentX, extentY * shape.ratio, 1)
        wide = min(wide, width, height * shape.ratio)
        let high = wide / shape.ratio
        let kept = shown(faces, width: wide, height: high).map {
            grown($0, toHeadOf: faces.first?.withMargin ?? $0, subject: box, height: high)
        }
        let subjectTop = max(0, box.top - margin * (box.bottom - box.top))
        let keptRows = kept.map { ($0.top, $0.bottom) } ?? (subjectTop, subjectTop + high)
        let left = start(
            of: wide, around: (box.left, box.right), keeping: kept.map { ($0.left, $0.right) }, within: width
        )
        let top = start(
            of: high, around: (box.top, box.bottom), keeping: subjects == nil ? nil : keptRows, within: height
        )
        return Box(left: left, top: top, right: left + wide, bottom: top + high)
    }

    /// A box around the faces that fit into a crop, with their margins if these fit too; of one that does not, the middle.
    private static func shown(_ faces: [Face], width: Double, height: Double) -> Box? {
        faces.reduce(nil as Box?) { shown, face in
            let boxes = [face.withMargin, face.box].map { shown?.union($0) ?? $0 }
            let fitting = boxes.first { $0.right - $0.left <= width && $0.bottom - $0.top <= height }
            return fitting ?? shown ?? face.box.middle(width: width, height: height)
        }
    }

    /// A box of faces that reaches up to the top of the head, which is that of the subject at most.
    ///
    /// - Parameter height: height of the crop, into which it has to fit.
    private static func grown(_ faces: Box, toHeadOf largest: Box, subject: Box, height: Double) -> Box {
        let face = largest.bottom - largest.top
        let head = max(faces.top - hair * face, subject.top - margin * face, faces.bottom - height)
        return Box(left: faces.left, top: min(faces.top, head), right: faces.right, bottom: faces.bottom)
    }

    /// Returns the beginning of a part of `length` with all of `kept`, and `subject` as near to its middle as possible.
    private static func start(
        of length: Double, around subject: (Double, Double), keeping kept: (Double, Double)?,
        within whole: Double
    ) -> Double {
        var start = (subject.0 + subject.1 - length) / 2
        if let kept { start = min(max(start, kept.1 - length), kept.0) }
        return min(max(start, 0), whole - length)
    }

    /// Regions of a frame on which its crop depends.
    private struct Found {
        let size: (width: Double, height: Double)
        /// Around the largest subjects.
        let subjects: Box?
        /// The largest first.
        let faces: [Face]

        init(
            _ subjects: [MaskInstance], _ faces: [FaceObservation], _ size: (width: Double, height: Double)
        ) {
            self.size = size
            let boxes = subjects.sorted { $0.id < $1.id }.map { Box($0.boundingBox, size) }
                .sorted { $0.area > $1.area }
            let around = boxes.prefix(maximumSubjects).reduce(nil as Box?) { $0?.union($1) ?? $1 }
            var faces = faces.compactMap { Face($0.boundingBox, size) }
            // Faces beside the subjects are those of passers-by and pictures.
            if let around { faces.removeAll { !around.contains($0.withMargin.center) } }
            (self.subjects, self.faces) = (around, faces.sorted { $0.box.area > $1.box.area })
        }
    }
}

extension AutoCrop.Box {
    /// A box in shares of a frame of `size`.
    fileprivate init(_ box: Rectangle, _ size: (width: Double, height: Double)) {
        self.init(
            left: box.x * size.width, top: box.y * size.height, right: (box.x + box.width) * size.width,
            bottom: (box.y + box.height) * size.height)
    }

    /// The middle of the box, where it is larger than `width` or `height`.
    fileprivate func middle(width: Double, height: Double) -> Self {
        let (x, y) = (max(0, right - left - width) / 2, max(0, bottom - top - height) / 2)
        return Self(left: left + x, top: top + y, right: right - x, bottom: bottom - y)
    }

    fileprivate var center: (x: Double, y: Double) { ((left + right) / 2, (top + bottom) / 2) }

    fileprivate func contains(_ point: (x: Double, y: Double)) -> Bool {
        point.x >= left && point.x <= right && point.y >= top && point.y <= bottom
    }

    fileprivate var area: Double { (right - left) * (bottom - top) }

    fileprivate func union(_ other: Self) -> Self {
        Self(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }
}

extension AutoCrop.Face {
    /// A face of a frame of `size`.
    fileprivate init?(_ face: Rectangle, _ size: (width: Double, height: Double)) {
        guard face.width > 0, face.height > 0 else { return nil }
        let margin = AutoCrop.faceMargin
        let (left, top) = (
            max(0, face.x - margin.beside * face.width), max(0, face.y - margin.above * face.height)
        )
        let right = min(1, face.x + (1 + margin.beside) * face.width)
        let bottom = min(1, face.y + (1 + margin.below) * face.height)
        box = AutoCrop.Box(face, size)
        withMargin = AutoCrop.Box(Rectangle(x: left, y: top, width: right - left, height: bottom - top), size)
    }
}
