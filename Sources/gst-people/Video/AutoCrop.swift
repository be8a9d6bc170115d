import CommandKit
import GStreamerKit

/// A width and a height in proportion, such as 16:9.
struct AspectRatio: Equatable {
    let width: Double
    let height: Double

    /// - Throws: when `text` is not two positive whole numbers.
    init(_ text: String) throws(ToolError) {
        let sides = text.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
        guard sides.count == 2, sides.allSatisfy({ (1...10_000).contains($0) }) else {
            throw .usage("--auto-crop takes a shape such as 16:9, not \(text)")
        }
        (width, height) = (Double(sides[0]), Double(sides[1]))
    }

    /// How much wider than high it is.
    var ratio: Double { width / height }
}

/// Crops a frame to its salient subjects.
enum AutoCrop {
    /// A box in pixels.
    struct Box: Equatable {
        var left, top, right, bottom: Double
    }

    /// Space around the subjects, as a share of their extent.
    private static let margin = 0.08
    /// Subjects that count, the largest first, as in Vision's saliency.
    private static let maximumSubjects = 3
    private static let analyzer = "subjects"
    private static let cropper = "autocrop"

    /// The element before the others of a chain, and the one behind them, as a pipeline description.
    static let elements = (
        before: "subjectsegment quality=fast name=\(analyzer)", behind: "videocrop name=\(cropper)"
    )

    /// Sets the crop when the first frame of the chain's elements has been analysed.
    static func install(in chain: GStreamer.Element, _ shape: AspectRatio) {
        guard let cropper = chain.element(named: cropper) else { return }
        chain.element(named: analyzer)?.pad("src")?.addProbe(.buffer) { info in
            if let (size, box) = subjects(of: info) { apply(box, of: size, shape, to: cropper) }
            return .remove
        }
    }

    private static func apply(
        _ subjects: Box?, of size: (width: Double, height: Double), _ shape: AspectRatio,
        to cropper: GStreamer.Element
    ) {
        let box = crop(around: subjects, width: size.width, height: size.height, shape)
        cropper.set("left", parsing: "\(Int(box.left.rounded()))")
        cropper.set("top", parsing: "\(Int(box.top.rounded()))")
        cropper.set("right", parsing: "\(Int((size.width - box.right).rounded()))")
        cropper.set("bottom", parsing: "\(Int((size.height - box.bottom).rounded()))")
    }

    /// The smallest box of a shape around the subjects, or where the frame is too small, the largest; in the middle
    /// without subjects.
    static func crop(around subjects: Box?, width: Double, height: Double, _ shape: AspectRatio) -> Box {
        let box = subjects ?? Box(left: 0, top: 0, right: width, bottom: height)
        let (extentX, extentY) = (
            (box.right - box.left) * (1 + 2 * margin), (box.bottom - box.top) * (1 + 2 * margin)
        )
        var wide = max(extentX, extentY * shape.ratio, 1)
        wide = min(wide, width, height * shape.ratio)
        let high = wide / shape.ratio
        let left = min(max((box.left + box.right - wide) / 2, 0), width - wide)
        let top = min(max((box.top + box.bottom - high) / 2, 0), height - high)
        return Box(left: left, top: top, right: left + wide, bottom: top + high)
    }

    /// The frame's size, and a box around its largest subjects; nil for a frame without a mask.
    private static func subjects(
        of info: GStreamer.ProbeInfo
    ) -> (size: (width: Double, height: Double), box: Box?)? {
        guard let buffer = info.buffer,
            case let subjects = SeparatedPeople(of: buffer, called: "subjects"),
            let size = subjects.frameSize
        else { return nil }
        let boxes = subjects.people.map { Box($0, size) }
        let largest = boxes.sorted { $0.area > $1.area }.prefix(maximumSubjects)
        return (size, largest.dropFirst().reduce(largest.first) { $0?.union($1) })
    }
}

extension AutoCrop.Box {
    /// The box of a subject in a frame of `size`.
    fileprivate init(_ subject: SeparatedPeople.Person, _ size: (width: Double, height: Double)) {
        let box = subject.box
        self.init(
            left: box.x * size.width, top: box.y * size.height,
            right: (box.x + box.width) * size.width, bottom: (box.y + box.height) * size.height)
    }

    fileprivate var area: Double { (right - left) * (bottom - top) }

    fileprivate func union(_ other: Self) -> Self {
        Self(
            left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
            bottom: max(bottom, other.bottom))
    }
}
